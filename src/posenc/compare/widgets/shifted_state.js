// What the moved sentence shows and says: every score comes from a table of Python's.
import { listed } from "../../kit/widgets/numbers.js";
import { real } from "../../kit/widgets/widget.js";

export const TRAITS = ["shift", "swapped", "methods"];

/** All that is shown. Halfway between two positions stand the scores of the nearer one. */
export function describe(model) {
  const [place, swapped, methods] = TRAITS.map((key) => model.get(key));
  const titles = model.get("titles"), kinds = model.get("kinds"), scores = model.get("scores");
  const sentences = model.get("sentences"), biases = model.get("biases");
  const shift = Math.round(place), words = sentences[+swapped];
  const panelOf = (name) => {
    const [values, start] = [shift, 0].map((n) => scores[name][+swapped][n]);
    const moved = values.flat().filter((value, i) => value !== start.flat()[i]).length;
    const of = (n, query, key) => scores[name][n][shift][sentences[n].indexOf(query)][
      sentences[n].indexOf(key)];
    return { name, title: titles[name], kind: kinds[name], values, start, moved, of,
      bias: biases[name] };
  };
  const panels = methods.map(panelOf);
  return {
    place, shift, swapped, words, sentences, panels, all: Object.keys(titles).map(panelOf),
    last: model.get("sines").length - 1, sines: between(model.get("sines"), place),
    angles: between(model.get("angles").map((angle) => [angle]), place).flat(),
    shown: { shift, words, scores: Object.fromEntries(panels.map((p) => [p.name, p.values])) },
  };
}

/** Rows of a table at three places in a row, which the sentence may be on its way to. */
function between(rows, place) {
  const from = Math.floor(place), part = place - from;
  return [0, 1, 2].map((i) => rows[from + i].map((value, column) => {
    const next = rows[from + i + 1]?.[column] ?? value;
    return part ? value + part * (next - value) : value;
  }));
}

/** Numbers of the positions where the words stand, as words. */
const places = (first) => `${first}, ${first + 1}, ${first + 2}`;

/** What became of one score, method by method; `nameOf(panel)` names a method. */
function pairWords(s, q, k, nameOf) {
  const gives = (p) => `${nameOf(p)} ${real(p.values[q][k])}`;
  if (!s.shift) return listed(s.panels.map(gives));
  const moved = s.panels.filter((p) => p.values[q][k] !== p.start[q][k]);
  const still = s.panels.filter((p) => !moved.includes(p));
  const parts = moved.map((p) => `${gives(p)}, at the start of the text ${real(p.start[q][k])}`);
  if (still.length) parts.push(`${listed(still.map(gives))}, as at the start`);
  return parts.join("; ");
}

const pairName = (s, q, k) => `query “${s.words[q]}” ${s.shift + q}, key “${s.words[k]}” ` +
  `${s.shift + k}`;

/** One sentence about the score of man for dog. */
export function openingWords(s) {
  const [q, k] = ["man", "dog"].map((word) => s.words.indexOf(word));
  const pair = pairName(s, q, k);
  return s.shift ? `${pair}: ${pairWords(s, q, k, (p) => p.kind)}.`.replace(/^q/, "Q")
    : `Score of ${pair}: ${pairWords(s, q, k, (p) => p.kind)}. Which will change?`;
}

export function words(s, choice) {
  if (choice) {
    const [q, k] = choice.item;
    return `${pairName(s, q, k)}: ${pairWords(s, q, k, (p) => p.title)}`;
  }
  const text = `“${s.words.join(" ")}”`;
  if (!s.shift) return `${text} at ${places(0)}: move it, and see which scores change.`;
  const moved = s.panels.map((p) => `${p.title} ${p.moved ? `${p.moved} of 9` : "none"}`);
  return `${text}, moved from ${places(0)} to ${places(s.shift)}. Scores that changed: ` +
    `${moved.join(", ")}.`;
}

/** What the move did, and what it does that dog and man change places. */
export function facts(s) {
  const most = (p) => Math.max(...p.values.flat().map((v, i) => Math.abs(v - p.start.flat()[i])));
  const moved = s.panels.map((p) =>
    `${p.title} ${p.moved ? `by up to ${real(most(p))}` : "not at all"}`);
  const orders = s.panels.map((p) =>
    `${p.title} ${[0, 1].map((n) => real(p.of(n, "dog", "man"))).join(" and ")}`);
  const texts = s.sentences.map((words) => `“${words.join(" ")}”`).join(" and in ");
  const blind = s.panels.filter((p) => p.of(0, "dog", "man") === p.of(1, "dog", "man"));
  return [
    ["→", s.shift ? `The move by ${s.shift} changed scores: ${moved.join(", ")}.`
      : "At first the sentence stands at the start of the text.", "position"],
    ["⇄", `Query “dog”, key “man”, in ${texts}: ${orders.join(", ")}.` + (blind.length
      ? ` For ${listed(blind.map((p) => p.title))} only the distance counts, not the side.` : "")],
  ];
}

/** Rows of the text table: a pair of words, and every method's score. */
export function textRows(s) {
  return s.words.flatMap((query, q) => s.words.map((key, k) =>
    [`${query} ${s.shift + q} → ${key} ${s.shift + k}`,
      ...s.all.map((p) => real(p.values[q][k]))]));
}
