// The widget of the comparison: which words, which view, which methods.
import { element } from "./kit.js";
import { setAll, shell } from "./shell.js";
import { COMPARE_TRAITS, describeMethods, methodFacts, methodRows, methodWords } from "./compare_state.js";
import { methodGrid } from "./compare_grid.js";

const COMPARE_STYLE = `
.pe-compare .pe-panels { display: block; }
.pe-compare .pe-tip { display: none; }`;

function render({ model, el }) {
  const titles = model.get("titles");
  const texts = Object.keys(model.get("scores")).map((text) => [text, text]);
  const views = [["change", "what position changes"], ["scores", "scores"],
    ["weights", "weights (softmax)"]];
  const buttons = Object.entries(model.get("groups")).map(([label, methods]) =>
    ({ kind: "button", label, press: () => setAll(model, { methods }) }));
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
  el.classList.add("pe-compare"); // before the first drawing, which asks for the width
  el.append(element("style", {}, COMPARE_STYLE));
  return shell({ model, el }, {
    traits: COMPARE_TRAITS, specs, pictures: [grid], state: describeMethods, words: methodWords,
    facts: methodFacts, table: { head: ["query → key", ...Object.values(titles)], rows: methodRows },
  });
}

export default { render };
