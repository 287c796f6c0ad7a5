// The steps of the skew as the widget shows them. No cell is moved here: `frames` holds the
// matrices that Python made, as numbers that tell which product each cell is.
import { signed } from "./kit.js";

export const SKEW_TRAITS = ["seq_len", "masked", "step", "query", "offset"];

/** All that is shown of the present setting. */
export function describeSkew(model) {
  const [length, masked, step, query, offset] = SKEW_TRAITS.map((key) => model.get(key));
  const version = masked ? "causal" : "both";
  const { columns, matrices, wanted } = model.get("frames")[`${version},${length}`];
  const needed = new Set(wanted), last = masked ? 0 : length - 1;
  const [q, r] = [Math.min(query, length - 1), Math.max(1 - length, Math.min(offset, last))];
  const names = model.get("names")[version];
  return {
    length, masked, step, columns, names, needed, matrices,
    before: matrices[step], after: matrices[step + 1], result: matrices[3],
    followed: q * columns + r + length - 1,
    row: (n) => Math.floor(n / columns), // query of the product n
    offset: (n) => (n % columns) - (length - 1),
    kind: (n) => (n < 0 ? "zero" : needed.has(n) ? "wanted" : "garbage"),
  };
}

/** "b2" for the product in row 1, column 2; "0" for a zero that was put in. */
export function skewLabel(s, n) {
  return n < 0 ? "0" : "abcdef"[s.row(n)] + (n % s.columns);
}

/** Where the number n is in a matrix, { row, column } or null. */
export function findCell(matrix, n) {
  const row = matrix.findIndex((cells) => cells.includes(n));
  return row < 0 ? null : { row, column: matrix[row].indexOf(n) };
}

/** What is written above a column and beside a row of matrix number `which`. */
export function skewHeads(s, which, colors) {
  const rows = which !== 2, plain = { row: () => null, column: () => null };
  if (rows) plain.row = (i) => ({ text: "abcdef"[i], color: colors.query });
  if (which === 0)
    plain.column = (i) => ({ text: signed(i - s.length + 1), color: colors.position });
  if (which === 3) plain.column = (i) => ({ text: i, color: colors.key });
  return plain;
}

/** Title of matrix number `which`. */
export function skewTitle(s, which) {
  return which ? `${which}. ${s.names[which - 1]}` : "products (column = offset)";
}

function name(s, n) {
  if (n < 0) return "This zero";
  return `${skewLabel(s, n)} (query ${s.row(n)}, offset ${signed(s.offset(n))})`;
}

/** The status line: what the present step does to the number n. */
export function skewStory(s, n) {
  const from = findCell(s.before, n), to = findCell(s.after, n);
  if (!from) return `${name(s, n)} is put in by this step.${to && s.step === 2 ? ending(s, n, to) : ""}`;
  const [wide, wideAfter] = [s.before[0].length, s.after[0].length];
  const index = from.row * wide + from.column;
  if (s.step === 0)
    return s.masked
      ? `${name(s, n)}: a zero before its row moves it from column ${from.column} ` +
        `to column ${to.column}.`
      : `${name(s, n)} stays in column ${from.column}; a zero is put behind its row.`;
  if (s.step === 1)
    return `${name(s, n)} is number ${from.row} · ${wide} + ${from.column} = ${index} in line, ` +
      `and stays it. With ${wideAfter} in a row, ${index} = ${to.row} · ${wideAfter} + ` +
      `${to.column}: row ${to.row}, column ${to.column}.`;
  if (!to) return `${name(s, n)} is dropped${s.masked ? " with the first row" : ""}.`;
  return `${name(s, n)} comes to row ${to.row}, column ${to.column}.${ending(s, n, to)}`;
}

function ending(s, n, { row, column }) {
  const place = ` That is query ${row}, key ${column}`;
  if (n < 0) return `${place}: garbage, for the mask to hide.`;
  if (s.needed.has(n)) return `${place}: key − query = ${signed(column - row)}. Right.`;
  return `${place}, but it is a product of query ${s.row(n)}: garbage, for the mask to hide.`;
}

/** Sentences on the setting: mark, sentence, color of the mark. */
export function skewFindings(s) {
  const products = s.length * s.columns, cells = s.length ** 2;
  const kept = s.result.flat(), zeros = kept.filter((n) => n < 0).length;
  const strange = kept.filter((n) => n >= 0 && !s.needed.has(n)).length;
  const found = [
    ["■", `Colored: the ${s.needed.size} of ${products} products that a query needs; the ` +
      "color is the offset, a thin frame marks offset 0.", "position"],
    ["▨", `Striped: the other ${products - s.needed.size} products, which belong to no key.`, "line"],
    ["□", "Dashed: zeros that were put in.", "line"],
  ];
  found.push(s.masked
    ? ["!", `Garbage in the result: ${zeros + strange} of ${cells} cells, all above the ` +
      `diagonal: ${zeros} zeros, and ${strange} products of the next row.`]
    : ["✓", `Garbage in the result: none of ${cells} cells.`]);
  return found;
}

/** Rows of the text table: product, query, offset, where it ends, what it is there. */
export function skewRows(s) {
  return Array.from({ length: s.length * s.columns }, (_, n) => {
    const to = findCell(s.result, n);
    const place = to ? `query ${to.row}, key ${to.column}` : "dropped";
    const what = !to ? "not needed" : s.needed.has(n) ? "right" : "garbage";
    return [skewLabel(s, n), s.row(n), signed(s.offset(n)), place, what];
  });
}
