// The sentence that moves along the text: addition notices it, bias and rotation do not.
import { count, createWidget } from "../../kit/widgets/widget.js";
import { describe, facts, openingWords, textRows, TRAITS, words } from "./shifted_state.js";
import { sentenceRuler } from "./ruler.js";
import { shiftedMatrices } from "./shifted_matrices.js";

function render({ model, el }) {
  const titles = model.get("titles"), last = model.get("sines").length - 3;
  const shifts = () => count(0, last);
  const play = { kind: "play", key: "shift", label: "move along the text", ms: 500,
    values: shifts };
  const specs = [
    { kind: "range", key: "shift", label: "first position", values: shifts },
    { kind: "several", key: "methods", label: "methods", options: Object.entries(titles),
      choose: (methods) => { if (methods.length > 1) model.set("methods", methods); } },
    { kind: "checkbox", key: "swapped", label: "dog and man change places" },
    play,
    { kind: "button", label: "reset" },
  ];
  const ruler = sentenceRuler(model, "Ruler of positions, with the sentence on it. Drag the " +
    "sentence or press arrow keys to move it.");
  const isSimple = model.get("simple");
  const about = "Scores of each method, queries down, keys across.";
  const matrices = isSimple ? onlySeen(shiftedMatrices(model, about)) : shiftedMatrices(model,
    `${about} Arrow keys move from cell to cell, in all of them at once.`);
  return createWidget({ model, el }, {
    links: { methods: (list) => list.length > 1 },
    traits: TRAITS, specs, pictures: [ruler, matrices], state: describe, words, facts,
    smooth: ["shift"], layout: "stack", tips: false, // every matrix shows its own number
    tables: [{ head: ["query → key", ...Object.values(titles)],
      rows: textRows }],
    simple: { words: openingWords, specs: [play] },
  });
}

/** A picture that no pointer and no key does anything to. */
function onlySeen({ canvas, draw }) {
  canvas.removeAttribute("tabindex");
  canvas.setAttribute("role", "img");
  canvas.style.cursor = "auto";
  return { canvas, draw };
}

export default { render };
