// What the comparison shows and says: scores come from Python, here they are subtracted,
// masked, and turned into weights.
import { real } from "../../kit/widgets/shell.js";

export const TRAITS = ["text", "view", "causal", "methods"];
const NEAR = 2e-4; // the scores are rounded to four digits

/** All that is shown: a matrix for each method, null where the mask hides a cell. */
export function describe(model) {
  const [text, view, causal, methods] = TRAITS.map((key) => model.get(key));
  const all = model.get("scores")[text], words = text.split(" ");
  const change = (name) => cells(all[name], (score, q, k) => score - all.none[q][k]);
  const seen = (matrix) => cells(matrix, (value, q, k) => (causal && k > q ? null : value));
  const views = {
    change: (name) => seen(change(name)),
    scores: (name) => seen(all[name]),
    weights: (name) => seen(all[name].map((row, q) => softmaxOf(row, causal ? q + 1 : row.length))),
  };
  const titles = model.get("titles");
  const panels = methods.map((name) =>
    ({ name, title: titles[name], values: views[view](name) }));
  return {
    text, view, causal, words, length: words.length, panels, titles, all, change,
    everything: () => Object.keys(titles).map((name) => views[view](name)),
    limit: model.get("limits")[text][view],
    shown: Object.fromEntries(panels.map(({ name, values }) => [name, values])),
  };
}

const cells = (matrix, make) => matrix.map((row, q) => row.map((value, k) => make(value, q, k)));

/** Weights of the first `count` scores of a row; the others get 0. */
function softmaxOf(row, count) {
  const top = Math.max(...row.slice(0, count));
  const powers = row.map((score, k) => (k < count ? Math.exp(score - top) : 0));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

const near = (a, b) => Math.abs(a - b) < NEAR;
const every = (matrix, holds) => matrix.every((row, q) => row.every((value, k) => holds(value, q, k)));
const list = (names) => names.join(", ") || "none of these";

/** What there is to see: mark, sentence, color. */
export function facts(s) {
  const changes = s.panels.filter(({ name }) => name !== "none")
    .map(({ name, title }) => ({ title, m: s.change(name) }));
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
      s.all[name][twice].every((v, k) => near(v, s.all[name][again][k])));
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
