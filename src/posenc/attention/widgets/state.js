// Attention of a sentence and of its words in another order, and the sentences about it.
// Scores and values are sums of numbers that posenc computed (`tables`); here they are
// added, and the softmax is taken.
import { softmax } from "../../kit/widgets/numbers.js";

/** Kinds of choices: cells of the two pictures. */
export const SIDES = ["before", "after"];

export const TRAITS = ["sentence", "order", "encoding", "causal"];

/** Weights and outputs of words (rows of the tables) that stand in this order. */
function attendTo(words, tables, encoding, causal) {
  const { content, content_position, position_content, position } = tables;
  const weights = words.map((x, i) => softmax(words.map((y, j) => {
    if (causal && j > i) return -Infinity;
    const extra = content_position[x][j] + position_content[i][y] + position[i][j];
    return content[x][y] + (encoding ? extra : 0);
  })));
  const values = words.map((y, j) => tables.word_values[y].map(
    (value, c) => value + (encoding ? tables.position_values[j][c] : 0)));
  const outputs = weights.map((row) => values[0].map(
    (_, c) => row.reduce((sum, weight, j) => sum + weight * values[j][c], 0)));
  return { weights, outputs };
}

const near = (a, b) => a.every((value, i) => Math.abs(value - b[i]) < 1e-7);

/** Two places of the first word that occurs twice, or null. */
function twinsOf(words) {
  const first = words.findIndex((word, n) => words.indexOf(word, n + 1) > 0);
  return first < 0 ? null : [first, words.indexOf(words[first], first + 1)];
}

/** All that is shown, or null while Python is halfway between two sentences. */
export function describe(model) {
  const [sentence, order, encoding, causal] = TRAITS.map((key) => model.get(key));
  const words = sentence.split(" "), tables = model.get("tables");
  if (order.length !== words.length) return null;
  const ids = words.map((word) => tables.words.indexOf(word));
  const names = model.get("names")[sentence], before = attendTo(ids, tables, encoding, causal);
  const after = attendTo(order.map((n) => ids[n]), tables, encoding, causal);
  const kept = order.map((n, place) => near(before.outputs[n], after.outputs[place]));
  const mean = (rows) => rows[0].map((_, c) =>
    rows.reduce((sum, row) => sum + row[c], 0) / rows.length);
  return {
    words, names, order, encoding, causal, before, after, kept, twins: twinsOf(words),
    length: words.length, moved: order.some((n, place) => n !== place),
    sameMean: near(mean(before.outputs), mean(after.outputs)),
    placeOf: (n) => order.indexOf(n), shown: { before, after },
  };
}

const list = (names) => names.map((name) => `“${name}”`).join(", ");

/** Facts about the outputs: mark, sentence. */
export function facts(s) {
  const changed = s.order.filter((_, place) => !s.kept[place]).map((n) => s.names[n]);
  const count = s.kept.filter(Boolean).length, keep = count === 1 ? "keeps its" : "keep their";
  const found = [];
  if (!s.moved)
    found.push(["·", "The words stand in their own order. Move one of them."]);
  else if (!changed.length)
    found.push(["✓", `All ${s.length} words keep their output, whatever their new place: ` +
      "the rows have moved, the numbers in them have not."]);
  else
    found.push(["≠", `${count} of ${s.length} words ${keep} output. It has changed for ${list(changed)}.`]);
  if (s.moved)
    found.push(s.sameMean
      ? ["✓", "The mean of all outputs is the same before and after."]
      : ["≠", "The mean of all outputs has changed."]);
  if (s.twins) {
    const [a, b] = s.twins, rows = s.before.outputs, pair = list([s.names[a], s.names[b]]);
    found.push(near(rows[a], rows[b])
      ? ["=", `In the sentence as it is written, ${pair} get the same output.`]
      : ["≠", `In the sentence as it is written, ${pair} get different outputs.`]);
  }
  if (s.encoding)
    found.push(["+", "Each word carries the sinusoidal encoding of its place."]);
  if (s.causal)
    found.push(["▒", "Each word sees itself and the words before it, no others."]);
  return found;
}

/** The status line: the cell that is pointed at, here and in the other picture. */
export function words(s, choice) {
  if (!choice) return "Point at a cell, tap it, or press arrow keys in a focused picture.";
  const [q, k] = originalCell(s, choice), place = s.placeOf(q);
  if (k >= s.length) {
    const c = k - s.length, [old, now] = [s.before.outputs[q][c], s.after.outputs[place][c]];
    return `output ${c} of “${s.names[q]}”: ${old.toFixed(3)} before, ${now.toFixed(3)} after`;
  }
  const old = s.before.weights[q][k], now = s.after.weights[place][s.placeOf(k)];
  return `query “${s.names[q]}”, key “${s.names[k]}”: ` +
    `weight ${old.toFixed(3)} before, ${now.toFixed(3)} after`;
}

/** The chosen cell in terms of the words as they are written: k >= L is an output. */
function originalCell(s, { kind, item: [q, k] }) {
  return kind === "before" ? [q, k] : [s.order[q], k < s.length ? s.order[k] : k];
}

/** Return the place of the chosen cell in one of the pictures; null if none is chosen. */
export function cellIn(s, side, choice) {
  if (!choice) return null;
  const [q, k] = originalCell(s, choice);
  return side === "before" ? [q, k] : [s.placeOf(q), k < s.length ? s.placeOf(k) : k];
}

/** Rows of the text table. */
export function textRows(s) {
  return s.names.map((name, n) => {
    const place = s.placeOf(n), numbers = (row) => row.map((v) => v.toFixed(2)).join(" ");
    return [name, n, place, numbers(s.before.outputs[n]), numbers(s.after.outputs[place]),
      s.kept[place] ? "same" : "different"];
  });
}
