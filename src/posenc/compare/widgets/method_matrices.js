// The widget of the comparison: which words, which view, which methods.
import { createWidget } from "../../kit/widgets/widget.js";
import { describe, facts, textRows, TRAITS, words } from "./state.js";
import { methodGrid } from "./grid.js";

function render({ model, el }) {
  const titles = model.get("titles");
  const texts = Object.keys(model.get("values")).map((text) => [text, text]);
  const views = [["change", "what position changes"], ["scores", "scores"],
    ["weights", "weights (softmax)"]];
  const buttons = Object.entries(model.get("groups")).map(([label, methods]) =>
    ({ kind: "button", label, set: { methods } }));
  const specs = [
    { kind: "select", key: "text", label: "words", options: texts },
    { kind: "select", key: "view", label: "show", options: views },
    { kind: "several", key: "methods", label: "methods", options: Object.entries(titles),
      choose: (methods) => { if (methods.length) model.set("methods", methods); } },
    { kind: "checkbox", key: "causal", label: "causal mask" },
    ...buttons,
  ];
  const grid = methodGrid("Matrices of all chosen methods, queries down, keys across. Arrow " +
    "keys move from cell to cell, in all of them at once.", model.get("colors"));
  return createWidget({ model, el }, {
    tips: false, // every matrix writes its own number
    links: { methods: (list) => list.length > 0 },
    traits: TRAITS, specs, pictures: [grid], state: describe, words, facts,
    tables: [{ head: ["query → key", ...Object.values(titles)], rows: textRows }],
  });
}

export default { render };
