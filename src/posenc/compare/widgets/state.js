// What the comparison shows and says: every number comes from a table of Python's.
import { real } from "../../kit/widgets/widget.js";

export const TRAITS = ["text", "view", "causal", "methods"];
const NEAR = 2e-5; // all numbers are rounded to five digits

/** All that is shown: a matrix for each method, null where the mask hides a cell. */
export function describe(model) {
  const [text, view, causal, methods] = TRAITS.map((key) => model.get(key));
  const values = model.get("values")[text], titles = model.get("titles"), words = text.split(" ");
  const shown = values[view][+causal];
  const panels = methods.map((name) => ({ name, title: titles[name], values: shown[name] }));
  return {
    text, view, causal, words, length: words.length, panels, titles,
    scores: values.scores[0], change: values.change[0],
    everything: () => Object.keys(titles).map((name) => shown[name]),
    limit: model.get("limits")[text][view],
    shown: Object.fromEntries(panels.map(({ name, values }) => [name, values])),
  };
}

const near = (a, b) => Math.abs(a - b) < NEAR;
const every = (matrix, holds) => matrix.every((row, q) => row.every((value, k) => holds(value, q, k)));
const list = (names) => names.join(", ") || "none of these";

/** What there is to see: mark, sentence, color. */
export function facts(s) {
  const changes = s.panels.filter(({ name }) => name !== "none")
    .map(({ name, title }) => ({ title, m: s.change[name] }));
  const which = (holds) => list(changes.filter(({ m }) => holds(m)).map(({ title }) => title));
  const straight = (m) => every(m, (v, q, k) => !q || !k || near(v, m[q - 1][k - 1]));
  const even = (m) => every(m, (v, q, k) => near(v, m[k][q]));
  const twice = s.words.findIndex((word, n) => s.words.indexOf(word, n + 1) > 0);
  const facts = [
    ["╲", "What position changes is the same along every diagonal, whatever the words: " +
      `${which(straight)}. In the others it depends on the words, too, or on the place.`, "position"],
    ["⇄", `It is the same for a pair of words and for the pair turned round: ${which(even)}.`],
  ];
  if (twice >= 0) {
    const again = s.words.indexOf(s.words[twice], twice + 1), word = s.words[twice];
    const same = s.panels.filter(({ name }) =>
      s.scores[name][twice].every((v, k) => near(v, s.scores[name][again][k])));
    facts.push(["=", `The scores of “${word}” ${twice} and “${word}” ${again} are the same, row ` +
      `for row: ${list(same.map(({ title }) => title))}.`, "query"]);
  }
  return facts;
}

/** Value of one cell as it is written. */
export function valueWords(view, value) {
  if (value === null) return "–";
  if (view === "weights") return `${(100 * value).toFixed(1)} %`;
  return (value >= 0.005 ? "+" : "") + real(value);
}

export function words(s, choice) {
  if (!choice) return "Point at a cell, tap it, or press arrow keys in the focused picture: " +
    "each method then says its number.";
  const [q, k] = choice.item;
  const pair = `query “${s.words[q]}” ${q}, key “${s.words[k]}” ${k}`;
  if (s.causal && k > q) return `${pair}: hidden by the causal mask`;
  const said = s.panels.map(({ title, values }) => `${title} ${valueWords(s.view, values[q][k])}`);
  return `${pair}: ${said.join(", ")}`;
}

/** Rows of the text table: a pair of words, and every method's number. */
export function textRows(s) {
  const all = s.everything();
  return s.words.flatMap((query, q) => s.words.map((key, k) =>
    [`${query} ${q} → ${key} ${k}`, ...all.map((values) => valueWords(s.view, values[q][k]))]));
}
