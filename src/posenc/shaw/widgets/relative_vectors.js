// The widget of the chapter on Shaw's vectors: a table, and the vectors of one query.
import { colorTable } from "../../kit/widgets/canvas.js";
import { count, sentencesOf, shell } from "../../kit/widgets/shell.js";
import { labelMatrix } from "./matrix.js";
import { ribbons, ribbonState, ribbonWords } from "./ribbons.js";
import { vectorsOfQuery } from "./pictures.js";
import { describe, facts, sizeOf, textRows, TRAITS, words } from "./state.js";

function settings(model) {
  const get = (key) => model.get(key);
  const change = (key) => (value) => { // and keep a query that there is
    model.set(key, value);
    model.set("query", Math.min(get("query"), sizeOf(model) - 1));
  };
  const views = [["sentence", "a sentence"], ["tree", "a syntax tree"], ["molecule", "a molecule"]];
  return [
    { kind: "select", key: "view", label: "input", options: views, choose: change("view") },
    { kind: "range", key: "query", label: "query", values: () => count(0, sizeOf(model) - 1) },
    { kind: "range", key: "length", label: "words", values: () => count(1, get("words").length),
      choose: change("length") },
    { kind: "range", key: "max_distance", label: "clip k",
      values: () => count(0, Object.keys(get("indices")).length - 1) },
    { kind: "button", label: "five words, nothing clipped",
      set: { view: "sentence", length: 5, max_distance: 4, query: 3 } },
    { kind: "button", label: "ten words, k = 3",
      set: { view: "sentence", length: 10, max_distance: 3, query: 5 } },
    { kind: "button", label: "reset" },
  ];
}

function render({ model, el }) {
  const { index, label } = model.get("colors");
  const shades = { index: colorTable(index), label: colorTable(label) };
  const pictures = [
    labelMatrix("Table of rows or labels, queries down, keys across. Arrow keys move from cell " +
      "to cell.", shades),
    vectorsOfQuery("Vectors of one query. Arrow keys move from key to key.", shades),
  ];
  return shell({ model, el }, {
    traits: TRAITS, specs: settings(model), pictures, state: describe, words, facts,
    spoken: (s) => sentencesOf(facts(s)).join(" "),
    tables: [{ title: "The vectors of this query as text", rows: textRows,
      head: ["key", "relative position", "row or label", "vector or meaning"] }],
    simple: { smooth: ["query"], state: ribbonState, words: ribbonWords,
      pictures: [ribbons(model, shades)],
      specs: [{ kind: "play", key: "query", label: "from word to word", ms: 1300, way: 800,
        values: () => count(0, model.get("length") - 1) }] },
  });
}

export default { render };
