// Guess first: readers drag handles, then reveal the truth beside what they guessed.
import { disk, drag, polyline, ring, write } from "./canvas.js";
import { element, KEYS } from "./controls.js";
import { walk } from "./widget.js";

/** Traits: steps of the handles from where they start, a number or a list, and a boolean. */
export const GUESS = ["guess", "revealed"];

const REACH = 26; // pixels from a handle at which it is gripped
const DASH = [3, 4];

/**
 * What a state knows of the guess: its `steps`, whether one is `made`, and the `share` of the
 * truth that is drawn, from 0, `hidden`, to 1. Make "revealed" smooth to pass through it.
 */
export function guessOf(model) {
  const steps = model.get("guess"), share = Number(model.get("revealed"));
  return { steps, made: [steps].flat().some((step) => step !== 0), share, hidden: share === 0 };
}

/**
 * Control that reveals the truth, or hides it and takes back the guess. A change of a trait
 * that the guess is `about` takes it back, too. It is disabled while it is `idle`.
 */
export function revealButton(model, about, idle = () => false) {
  const node = element("button", { type: "button", class: "pe-reveal", ...KEYS });
  function takeBack() {
    const steps = model.get("guess");
    model.set("guess", Array.isArray(steps) ? steps.map(() => 0) : 0);
  }
  about.forEach((key) => model.on(`change:${key}`, takeBack));
  node.addEventListener("click", () => {
    const revealed = model.get("revealed");
    if (revealed) takeBack();
    model.set("revealed", !revealed);
    model.save_changes();
  });
  function refresh() {
    const { hidden, made } = guessOf(model);
    node.disabled = idle();
    node.textContent = !hidden ? "hide" : made ? "reveal" : "show it";
  }
  return { kind: "button", part: { node, refresh } };
}

/** What a link may set a list of guesses to: as many steps, at most `most` up or down. */
export function guessLinks(model, most) {
  const { length } = model.get("guess");
  return {
    guess: (steps) => steps.length === length &&
      steps.every((step) => Number.isInteger(step) && Math.abs(step) <= most),
    revealed: (on) => typeof on === "boolean",
  };
}

/** How a guess misses a positive truth. */
export function miss(guess, truth) {
  const times = Math.max(guess / truth, truth / guess);
  const words = times < 9.95 ? times.toFixed(1) : Math.round(times).toLocaleString("en-US");
  if (words === "1.0") return "as good as right";
  return `too ${guess > truth ? "high" : "low"} by a factor of ${words}`;
}

/**
 * A picture with handles, which can be dragged while its state's `guess` is hidden: pointer,
 * finger, up and down keys move one; left and right keys choose. Handle i stands at `items[i]`
 * of the picture; `place(i, step)` tells where, or null, `stepAt(i, y)` the step at a height
 * inside the picture, at `most` so many up or down, and `start()` where the line begins, if
 * before the first handle. A handle that moves is a `press` on its item, too.
 */
export function guessable(model, picture, { items, most, place, stepAt, start = () => null }) {
  const { canvas, context } = picture;
  let now = null, frame = null, active = items.length - 1;
  const spots = () => items.map((_, i) => place(i, now.guess.steps[i]));

  function put(i, step) {
    active = i;
    const low = Math.max(stepAt(i, Infinity), -most);
    const high = Math.min(stepAt(i, -Infinity), most);
    const steps = [...model.get("guess")];
    steps[i] = Math.round(Math.max(low, Math.min(step, high))) + 0; // no −0
    model.set("guess", steps);
    model.save_changes();
    picture.press?.(items[i]);
  }

  /** Number of the spot with the smallest distance, if it is within reach; or null. */
  function nearest(distance, reach = Infinity) {
    const far = spots().map((spot) => (spot ? distance(...spot) : Infinity));
    const least = Math.min(...far);
    return least < reach ? far.indexOf(least) : null;
  }

  function grip(x, y) {
    if (!now?.guess.hidden) return null;
    return nearest((a, b) => Math.hypot(a - x, b - y), REACH);
  }
  drag(canvas, { hold: true, start: grip, move: (i, x, y) => put(i, stepAt(i, y)) });

  function draw(state, options) {
    [now, frame] = [state, options];
    picture.draw(state, options);
    const { hidden, made } = now.guess, { colors, width, chosen } = options;
    canvas.style.cursor = hidden ? "grab" : "";
    if (!hidden && !made) return;
    polyline(context, colors.text, [start(), ...spots()].filter(Boolean), { dash: DASH, thick: 2 });
    polyline(context, colors.text, [[width - 102, 14], [width - 74, 14]], { dash: DASH, thick: 2 });
    write(context, "your guess", width - 4, 14, { size: 12.5, align: "right", color: colors.text });
    if (!hidden) return;
    const [x, y] = spots().findLast(Boolean);
    if (!made) write(context, "drag", Math.min(x, width - 18), y - 18,
      { size: 12.5, color: colors.text, halo: colors.surface });
    const focused = document.activeElement === canvas;
    spots().forEach((spot, i) => {
      if (!spot) return;
      disk(context, ...spot, 7, colors.surface);
      ring(context, ...spot, 7, colors.text);
      if (chosen === items[i] || (focused && i === active)) disk(context, ...spot, 4, colors.text);
    });
  }
  canvas.addEventListener("blur", () => { if (frame) draw(now, { ...frame, chosen: null }); });

  function at(x, y) {
    if (!now?.guess.hidden || picture.at(x, y) === null) return picture.at(x, y);
    const i = nearest((a) => Math.abs(a - x));
    return i === null ? null : items[i];
  }

  function step(key, item, state) {
    if (!now.guess.hidden) return picture.step(key, item, state);
    const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[key];
    if (by) put(active, model.get("guess")[active] + by);
    else {
      const there = items.map((_, i) => i).filter((i) => spots()[i]);
      const next = walk(key, there.indexOf(active), 0, there.length - 1);
      if (next === undefined) return undefined;
      active = there[next];
    }
    return items[active];
  }
  // A click moves what it moves once the truth is there.
  const press = picture.press && ((item) => { if (!now.guess.hidden) picture.press(item); });
  return { ...picture, draw, at, step, press };
}
