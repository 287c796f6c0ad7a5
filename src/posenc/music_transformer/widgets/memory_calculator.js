// Bytes of relative attention: bars on a logarithmic scale.
import { drag } from "../../kit/widgets/canvas.js";
import { GUESS, guessOf, miss, revealButton } from "../../kit/widgets/guess.js";
import { element } from "../../kit/widgets/controls.js";
import { createWidget, grouped } from "../../kit/widgets/widget.js";

const TRAITS = ["seq_len", "d_model", "num_heads", "num_layers", "itemsize"];
const [LOW, HIGH] = [3, 15]; // powers of ten at the ends of the scale, in bytes
const TICKS = [[3, "1 kB"], [6, "1 MB"], [9, "1 GB"], [12, "1 TB"], [15, "1 PB"]];
const GPU = 16e9; // memory of the GPU in the paper's table

/** The guess of R: each step is a tenth of a power of ten. */
const guessed = (steps) => GPU * 10 ** (steps / 10);

/** Three digits and a unit, as `bytes_in_words` in Python. */
function bytesInWords(count) {
  const units = ["bytes", "kB", "MB", "GB", "TB", "PB"];
  let unit = 0;
  for (; count >= 999.5 && unit < units.length - 1; unit++) count /= 1000;
  const digits = unit === 0 || count >= 99.95 ? 0 : count >= 9.995 ? 1 : 2;
  return `${count.toFixed(digits)} ${units[unit]}`;
}

/** All that is shown: name, color, formula and bytes of one layer of what there is. */
function describe(model) {
  const [length, width, heads, layers, size] = TRAITS.map((key) => model.get(key));
  const needs = [
    { key: "vectors", color: "key", name: "R, a vector for each pair", formula: "L × L × d",
      bytes: length ** 2 * width * size },
    { key: "scores", color: "value", name: "scores, a number for each pair", formula: "L × L",
      bytes: length ** 2 * heads * size },
    { key: "table", color: "position", name: "E, a vector for each offset", formula: "L × d",
      bytes: length * width * size },
  ];
  const bytes = needs.map(({ key, bytes }) => [key, bytes * layers]); // of all layers
  const guess = guessOf(model), all = Object.fromEntries(bytes), { vectors, ...known } = all;
  return { length, width, heads, layers, needs, guess, guess_bytes: guessed(guess.steps), all,
    shown: guess.hidden ? { ...known, guess: guess.steps } : all };
}

const along = (bytes) => Math.max(0, Math.min((Math.log10(bytes) - LOW) / (HIGH - LOW), 1));
const place = (bytes) => 100 * along(bytes) + "%";

function settings(model) {
  const choices = model.get("choices");
  const range = (key, label) =>
    ({ kind: "range", key, label, text: grouped, values: () => choices[key] });
  const paper = (length) => ({
    kind: "button", label: `paper, L = ${grouped(length)}`,
    set: { seq_len: length, d_model: 512, num_heads: 8, num_layers: 1, itemsize: 4 },
  });
  return [
    range("seq_len", "length L"),
    range("d_model", "d_model"),
    range("num_heads", "heads"),
    range("num_layers", "layers"),
    range("itemsize", "bytes/number"),
    { kind: "range", key: "guess", label: "guess of R", text: (step) => bytesInWords(guessed(step)).replace(" ", "\u00a0"),
      values: () => choices.guess, hidden: () => model.get("revealed") },
    revealButton(model, TRAITS),
    ...choices.paper.map(paper),
    { kind: "button", label: "reset" },
  ];
}

const box = (style) => element("div", { style: `position: absolute; pointer-events: none; ${style}` });

/** A bar with its words. That of what is guessed has a handle first, and grows when it is revealed. */
function makeBar({ key, color, name, formula }) {
  const secret = key === "vectors", words = element("div");
  const track = element("div", { "aria-hidden": "true", style: "position: relative; touch-action: pan-y; " +
    `height: ${secret ? 24 : 16}px; background: var(--pe-raised)` });
  const title = element("div", {}, element("strong", {}, name), ` (${formula} per head)`);
  const node = element("div", { style: "margin: 0.5rem 0" }, title, track, words);

  function refresh({ heads, layers, guess: { hidden, made, share }, guess_bytes }, bytes) {
    const amounts = [["one head", bytes / heads], ["one layer", bytes]];
    if (layers > 1) amounts.push([`${layers} layers`, bytes * layers]);
    words.textContent = secret && hidden
      ? made ? `your guess: ${bytesInWords(guess_bytes)}${layers > 1 ? ` for ${layers} layers` : ""}`
        : "no guess yet: drag the circle"
      : amounts.map(([what, count]) => `${what} ${bytesInWords(count)}`).join(" · ");
    const full = 100 * along(bytes * layers) * (secret ? share : 1), end = place(guess_bytes);
    track.replaceChildren(box(`inset: 0 auto 0 0; width: ${full}%; background: var(--pe-${color})`),
      box(`top: -2px; bottom: -2px; left: ${place(GPU)}; border-left: 2px dashed var(--pe-text)`));
    if (secret && (hidden || made))
      track.append(box(`inset: 0 auto 0 0; width: ${end}; border: 2px dashed var(--pe-text)`));
    if (secret && hidden)
      track.append(box(`top: 3px; left: ${end}; width: 18px; height: 18px; margin-left: -9px; ` +
        "border: 2px solid var(--pe-text); border-radius: 9px; background: var(--pe-surface)"));
  }
  return { node, track, refresh };
}

function scale() {
  const line = element("div", { "aria-hidden": "true",
    style: "position: relative; height: 2.6em; font-size: 12px; color: var(--pe-muted)" });
  const mark = (left, words, top, shift) => element("span", { style:
    `position: absolute; left: ${left}; top: ${top}; transform: translateX(${shift}); ` +
    "white-space: nowrap" }, words);
  TICKS.forEach(([power, words], i) => line.append(mark(place(10 ** power), words, "0",
    i === 0 ? "0" : i === TICKS.length - 1 ? "-100%" : "-50%")));
  line.append(mark(place(GPU), "dashed: 16 GB, the GPU of the paper", "1.25em", "-50%"));
  return line;
}

function words({ length, width, heads, guess, guess_bytes, all: { vectors, scores, table } }) {
  if (guess.hidden)
    return (guess.made ? `You guess ${bytesInWords(guess_bytes)} for R.`
      : "Guess how much R needs: drag the end of its bar, or move the slider. Then reveal it.") +
      ` d = ${grouped(width / heads)} per head. E needs ${bytesInWords(table)}, the scores ${bytesInWords(scores)}.`;
  const fits = vectors <= GPU ? "fits" : "does not fit";
  const missed = guess.made ? `You guessed ${bytesInWords(guess_bytes)}: ${miss(guess_bytes, vectors)}. ` : "";
  return `${missed}d = ${grouped(width / heads)} per head. R needs ${bytesInWords(vectors)}: it ` +
    `${fits} into 16 GB. E needs ${bytesInWords(table)}: R is ${grouped(length)} ` +
    `times as large. The scores stay: ${bytesInWords(scores)}.`;
}

function render({ model, el }) {
  const { guess } = model.get("choices"), node = element("div"), bars = describe(model).needs.map(makeBar);
  node.append(...bars.map((bar) => bar.node), scale());
  const [{ track }] = bars; // that of R
  const here = () => along(guessed(model.get("guess"))) * track.clientWidth;
  drag(track, { hold: true,
    start: (x) => (!model.get("revealed") && Math.abs(x - here()) < 26 ? "end" : null),
    move: (_, x) => {
      const power = LOW + x / track.clientWidth * (HIGH - LOW), step = Math.round(10 * (power - Math.log10(GPU)));
      model.set("guess", Math.max(guess[0], Math.min(step, guess.at(-1))) + 0); // no −0
      model.save_changes();
    } });
  function draw(s) {
    track.style.cursor = s.guess.hidden ? "grab" : "";
    bars.forEach((bar, i) => bar.refresh(s, s.needs[i].bytes));
  }
  return createWidget({ model, el }, {
    traits: [...TRAITS, ...GUESS], smooth: ["revealed"], pace: 800, specs: settings(model), state: describe,
    pictures: [{ node, draw }], words, links: { revealed: (on) => typeof on === "boolean" },
  });
}

export default { render };
