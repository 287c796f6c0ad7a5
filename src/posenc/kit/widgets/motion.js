// Motion: one clock for all that moves, changes that take time, and settings that play.
import { element, KEYS } from "./controls.js";

/** Whether the reader's system asks for less motion. */
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Calls `frame(ms)` before each repaint, with the time since the last one, while `node` can
 * be seen: time stands still off screen. `frame` returns whether to go on. Returns a stop.
 */
function clock(node, frame) {
  let last = null, request = 0, seen = true;
  const sight = new IntersectionObserver((entries) => { seen = entries.at(-1).isIntersecting; });
  sight.observe(node);
  const stop = () => { cancelAnimationFrame(request); sight.disconnect(); };
  function tick(now) {
    if (!node.isConnected) return stop();
    const ms = seen && last !== null ? Math.min(now - last, 100) : 0;
    last = now;
    request = requestAnimationFrame(tick);
    if (ms && !frame(ms)) stop();
  }
  request = requestAnimationFrame(tick);
  return stop;
}

/** From 0 to 1, slow at both ends. */
const ease = (t) => t * t * (3 - 2 * t);

/**
 * Changes of numbers that take time. `to(goal, ms)` passes from what is shown to `goal`,
 * both lists of numbers, and calls `show(values)` for each frame, with `goal` itself at
 * last. With less motion, or no time, only the goal is shown. `steady` keeps one speed.
 */
export function passage(node, show) {
  let stop = null, shown = null;
  const put = (values) => { shown = values; show(values); };
  const halt = () => { stop?.(); stop = null; };
  function to(goal, ms, steady = false) {
    halt();
    const from = shown;
    if (!from || !ms || calm() || goal.every((end, i) => end === from[i])) return put(goal);
    let time = 0;
    stop = clock(node, (passed) => {
      const t = Math.min((time += passed) / ms, 1);
      if (t === 1) halt();
      const part = steady ? t : ease(t);
      put(t === 1 ? goal : goal.map((end, i) => from[i] + part * (end - from[i])));
      return t < 1;
    });
  }
  return { to, halt, runs: () => stop !== null };
}

/**
 * A button that goes through the values of a trait, one every `ms`, until the last or until
 * something else changes the trait; from the first if it is at the last. With less motion it
 * goes to the last at once. A change takes all that time, or `way` of it. `values()` lists
 * them, `put(value)` sets one, and Python receives each, or the last one where they come
 * faster than ten a second.
 */
export function playButton(node, model, { key, label, ms, way, values, put }) {
  const mark = element("span", { "aria-hidden": "true" }), words = element("span");
  const button = element("button", { type: "button", class: "pe-play", "data-play": key, ...KEYS },
    mark, words);
  let stop = null, expected = null;
  const atEnd = () => model.get(key) === values().at(-1);
  function go(value) {
    expected = value;
    put(value);
    if (!stop || ms >= 100) model.save_changes();
  }
  function pause() {
    if (!stop) return;
    stop();
    stop = null;
    model.save_changes();
    refresh();
  }
  function refresh() {
    if (stop && model.get(key) !== expected) return pause(); // changed by hand
    mark.textContent = stop ? "❚❚" : atEnd() ? "↺" : "▶";
    const jump = atEnd() ? "to the start" : "to the end";
    words.textContent = stop ? "pause" : calm() ? jump : label;
  }
  function play() {
    if (calm()) return go(atEnd() ? values()[0] : values().at(-1));
    let time = atEnd() ? 0 : ms; // from where it stands it goes on at once
    go(atEnd() ? values()[0] : model.get(key));
    stop = clock(node, (passed) => {
      for (time += passed; stop && time >= ms; time -= ms) {
        if (atEnd()) pause();
        else go(values()[values().indexOf(model.get(key)) + 1]);
      }
      return stop !== null;
    });
    refresh();
  }
  button.addEventListener("click", () => (stop ? pause() : play()));
  refresh();
  return { node: button, refresh, pause, plays: () => stop !== null, ms, way };
}
