// A window, two of its cells and the table of offsets, as the widget shows them, and what
// there is to say. The factor of each rule and the biases come from Python.
import { signed } from "../../kit/widgets/controls.js";

export const TRAITS = ["height", "width", "query", "key", "rule", "view", "moves"];

/** All that is shown. Offsets are query − key; [row, column] everywhere. */
export function describe(model) {
  const [h, w, q, k, rule, view, moves] = TRAITS.map((name) => model.get(name));
  const inside = ([r, c]) => [Math.min(r, h - 1), Math.min(c, w - 1)];
  const query = inside(q), key = inside(k);
  const factor = model.get("strides")[rule][h - 1][w - 1];
  const high = 2 * h - 1, wide = 2 * w - 1, count = high * wide;
  const table = model.get("biases"), middle = (table.length - 1) / 2;
  const rowOf = ([r, c]) => (r + h - 1) * factor + c + w - 1;
  const offsets = Array.from({ length: count }, (_, i) =>
    [Math.floor(i / wide) - h + 1, (i % wide) - w + 1]);
  const rows = offsets.map(rowOf);
  // What the table holds, in the order of the right rule; a wrong one reads it elsewhere.
  const stored = offsets.map(([r, c]) => table[r + middle][c + middle]);
  const sharing = new Map();
  rows.forEach((row, i) => sharing.set(row, [...(sharing.get(row) ?? []), offsets[i]]));
  const offset = [query[0] - key[0], query[1] - key[1]];
  return {
    h, w, query, key, rule, moves, factor, high, wide, count, offsets, rows, rowOf, offset,
    row: rowOf(offset),
    opposite: rowOf([-offset[0], -offset[1]]),
    showsBias: view === "bias",
    bias: (place) => stored[rowOf(place)], // undefined beyond the table
    scale: Math.max(...stored.map(Math.abs)),
    top: Math.max(...rows),
    partners: (place) => sharing.get(rowOf(place)),
    shared: rows.filter((row) => sharing.get(row).length > 1).length,
    beyond: rows.filter((row) => row >= count).length,
    shown: { rows, query, key, row: rowOf(offset) },
  };
}

const pair = ([r, c]) => `(${r}, ${c})`;
const signedPair = ([r, c]) => `(${signed(r)}, ${signed(c)})`;
const same = (a, b) => a[0] === b[0] && a[1] === b[1];

/** A bias in words; beyond the table there is none. */
export const biasText = (value, digits) => value === undefined ? "?" : signed(value, digits);

/** The status line: from two cells to a row, with what goes wrong there. */
export function words(s) {
  const bias = s.showsBias ? `, bias ${biasText(s.bias(s.offset), 2)} (made up)` : "";
  const others = s.partners(s.offset).filter((place) => !same(place, s.offset));
  const clash = others.length
    ? `. The same row as offset ${others.map(signedPair).join(" and ")}` : "";
  const beyond = s.row >= s.count ? `. The table has rows 0 … ${s.count - 1} only` : "";
  return `query ${pair(s.query)} − key ${pair(s.key)} = offset ${signedPair(s.offset)} → ` +
    `row ${s.row} of ${s.count}${bias}${clash}${beyond}.`;
}

/** The way to the row by both signs, as rows of a table: words, two pairs of numbers. */
export function ladder(s) {
  const [dr, dc] = s.offset, signs = [[dr, dc], [-dr, -dc]];
  const shift = [s.h - 1, s.w - 1];
  const line = (words, numbers) => [words, ...signs.flatMap(numbers)];
  return [
    line("difference", ([r, c]) => [signed(r), signed(c)]),
    line(`+ ${pair(shift)}`, ([r, c]) => [r + shift[0], c + shift[1]]),
    line(`rows × ${s.factor}`, ([r, c]) => [(r + shift[0]) * s.factor, c + shift[1]]),
  ];
}

/** What the window and the rule make of all offsets: mark, sentence, mark's color. */
export function facts(s) {
  const cells = s.h * s.w, plural = (n, one, many) => `${n} ${n === 1 ? one : many}`;
  const found = [
    ["▦", `${plural(cells, "cell", "cells")}, ${cells * cells} pairs of query and key, ` +
      `${s.high} × ${s.wide} = ${plural(s.count, "offset", "offsets")}.`, "position"],
    ["⇄", `The opposite sign, key − query, gives row ${s.opposite}.`],
  ];
  if (!s.shared && !s.beyond)
    found.push(["✓", s.rule === "width"
      ? "Every offset has a row of its own, and every row an offset."
      : "In this window the wrong factor does no harm."]);
  if (s.shared)
    found.push(["✗", `${s.shared} of ${s.count} offsets share a row with another ` +
      "(dashed): the model cannot tell them apart."]);
  if (s.beyond)
    found.push(["✗", `${plural(s.beyond, "offset has", "offsets have")} a row beyond the ` +
      `end of the table (dashed): an error, or somebody else’s numbers.`]);
  return found;
}

/** Rows of the text table: offset, shifted, row by both signs, bias. */
export function offsetRows(s) {
  const whole = (words) => words.replace(" ", "\u00a0"); // a pair stays on one line
  return s.offsets.map((place, i) => [
    whole(signedPair(place)), whole(pair([place[0] + s.h - 1, place[1] + s.w - 1])), s.rows[i],
    s.rowOf([-place[0], -place[1]]), biasText(s.bias(place), 2),
  ]);
}
