// The widget of the chapter on rotation: clocks, block matrix, similarity of two kinds.
import { signed } from "../../kit/widgets/kit.js";
import { colorTable } from "../../kit/widgets/canvas.js";
import { cellGrid, pairPlan } from "../../kit/widgets/cells.js";
import { count, moving, plain, sentencesOf, setAll, shell } from "../../kit/widgets/shell.js";
import {
  clockRows, describe, distanceRows, facts, TRAITS, words,
} from "./state.js";
import { clockRow } from "./clocks.js";
import { blockMatrix } from "./blocks.js";
import { similarityCurve } from "./curve.js";

/** The clocks alone; dragging them to the side moves t. */
function openingClocks(model) {
  const clocks = clockRow("Clocks with a hand at position t and one two tokens later. " +
    "Drag to the side or press arrow keys to move t.");
  const last = model.get("choices").last_position;
  return { ...clocks, at: undefined, ...moving(model, clocks.canvas, "t",
    count(0, last), (x) => x / clocks.canvas.clientWidth * last) };
}

const openingWords = (s) => `From position ${s.t} to ${s.to}: wherever you start, the clocks ` +
  `turn by ${s.clocks.map(({ turn }) => `${Math.round(turn * 180 / Math.PI)}°`).join(", ")}.`;

function render({ model, el }) {
  const { last_position, largest_shift, d_model, base } = model.get("choices");
  const { turn, similarity } = model.get("colors");
  const likeness = colorTable(similarity), keys = "Arrow keys move from";
  const back = () => setAll(model, { offset: 0 - model.get("offset") });
  const play = { kind: "play", key: "t", label: "move along the text", ms: 600,
    values: () => count(0, last_position) };
  const specs = [
    { kind: "range", key: "t", label: "position t", values: () => count(0, last_position) },
    { kind: "range", key: "offset", label: "shift k", text: (k) => signed(k),
      values: () => count(-largest_shift, largest_shift) },
    { kind: "select", key: "d_model", label: "features d", options: plain(d_model) },
    { kind: "select", key: "base", label: "base", options: plain(base) },
    play,
    { kind: "button", label: "turn back: k → −k", press: back },
    { kind: "button", label: "reset" },
  ];
  const matrix = cellGrid(
    `Similarity of all positions, queries down, keys across. ${keys} cell to cell.`, "pair",
    (s, frame) => {
      const cell = (q, k) =>
        likeness((s.similarity[Math.abs(k - q)] - s.lowest) / (1 - s.lowest));
      const pair = s.inside ? [s.t, s.to] : null;
      return { ...pairPlan({ q_len: s.count, k_len: s.count, cell }, frame, 250,
        frame.chosen ?? pair), start: pair ?? [0, 0] };
    });
  const pictures = [
    clockRow(`Clocks, one for each frequency. ${keys} clock to clock.`),
    blockMatrix(`Matrix of the shift, a block for each clock. ${keys} entry to entry.`,
      colorTable(turn)),
    matrix,
    similarityCurve(`Similarity against distance. ${keys} distance to distance.`),
  ];
  return shell({ model, el }, {
    traits: TRAITS, smooth: ["t"], specs, pictures, state: describe, words, facts,
    spoken: (s) => sentencesOf(facts(s)).join(" "),
    tables: [
      { title: "The clocks as text", rows: clockRows, head: ["clock", "rad per token",
        "tokens per round", "at t", "turn", "at t + k", "cos θk", "sin θk"] },
      { title: "The similarities as text", rows: distanceRows, head: ["distance", "similarity"] },
    ],
    simple: { pictures: [openingClocks(model)], words: openingWords,
      specs: [play] },
  });
}

export default { render };
