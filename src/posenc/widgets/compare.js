// The widget of the comparison: which words, which view, which methods.
import { element, KEYS, watch } from "./kit.js";
import { setAll, shell } from "./shell.js";
import { COMPARE_TRAITS, describeMethods, methodFacts, methodRows, methodWords } from "./compare_state.js";
import { methodGrid } from "./compare_grid.js";

/** A box to tick for each method; the last one that is shown stays. */
function methodPicker(model) {
  const boxes = Object.entries(model.get("titles")).map(([name, title]) => {
    const input = element("input", { type: "checkbox", "data-method": name, ...KEYS });
    input.addEventListener("change", () => {
      const before = model.get("methods");
      const after = Object.keys(model.get("titles")).filter((other) =>
        (other === name ? input.checked : before.includes(other)));
      if (after.length) {
        model.set("methods", after);
        model.save_changes();
      } else refresh();
    });
    return { name, input, node: element("label", { class: "pe-method" }, input, title) };
  });
  function refresh() {
    const chosen = model.get("methods");
    for (const { name, input } of boxes) input.checked = chosen.includes(name);
  }
  refresh();
  const legend = element("legend", {}, "methods");
  return {
    node: element("fieldset", { class: "pe-methods" }, legend, ...boxes.map(({ node }) => node)),
    refresh,
  };
}

const COMPARE_STYLE = `
.pe-methods { display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; margin: 0 0 0.8rem;
  padding: 0.2rem 0.6rem 0.4rem; border: 1px solid var(--pe-line); border-radius: 5px; }
.pe-methods legend { float: none; width: auto; margin: 0; padding: 0 0.3rem; font: inherit; }
.pe-method { display: flex; align-items: center; gap: 0.35rem; min-height: 28px; margin: 0; }
.pe-method input { width: 18px; height: 18px; margin: 0; accent-color: var(--pe-query); }
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
    { kind: "checkbox", key: "causal", label: "causal mask" },
    ...buttons,
  ];
  const grid = methodGrid("Matrices of all chosen methods, queries down, keys across. Arrow " +
    "keys move from cell to cell, in all of them at once.", model.get("colors"));
  el.classList.add("pe-compare"); // before the first drawing, which asks for the width
  el.append(element("style", {}, COMPARE_STYLE));
  const stop = shell({ model, el }, {
    traits: COMPARE_TRAITS, specs, pictures: [grid], state: describeMethods, words: methodWords,
    facts: methodFacts, table: { head: ["query → key", ...Object.values(titles)], rows: methodRows },
  });
  const picker = methodPicker(model);
  el.querySelector(".pe-controls").after(picker.node);
  const stops = [stop, watch(model, ["methods"], picker.refresh)];
  return () => stops.forEach((end) => end());
}

export default { render };
