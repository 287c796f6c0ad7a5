// The steps of the skew as the widget shows them. No cell is moved here: `frames` holds the
// matrices that Python made, as numbers that tell which product each cell is.
import { signed } from "../../kit/widgets/controls.js";
import { plural } from "../../kit/widgets/numbers.js";
import { findNumber } from "../../kit/widgets/products.js";

/** Kinds of choices: cells of the two matrices. */
export const SIDES = ["before", "after"];

export const TRAITS = ["seq_len", "masked", "step", "query", "offset", "zero"];

/** All that is shown of the present setting. */
export function describe(model) {
  const [length, masked, step, query, offset, zero] = TRAITS.map((key) => model.get(key));
  const version = masked ? "causal" : "both";
  const { columns, matrices, wanted } = model.get("frames")[`${version},${length}`];
  const needed = new Set(wanted), last = masked ? 0 : length - 1;
  const [q, r] = [Math.min(query, length - 1), Math.max(1 - length, Math.min(offset, last))];
  const sides = [matrices[step], matrices[step + 1]]; // before and after the step
  const put = zero >= 0 && sides.some((matrix) => placeOf(matrix, -1 - zero));
  const s = {
    length, masked, step, columns, needed, matrices, sides, names: model.get("names")[version],
    followed: put ? -1 - zero : q * columns + r + length - 1,
    row: (n) => Math.floor(n / columns), // query of the product n
    offset: (n) => (n % columns) - (length - 1),
    kind: (n) => (n < 0 ? "zero" : needed.has(n) ? "wanted" : "garbage"),
  };
  s.shown = { cells: sides[1].map((row) => row.map((n) => label(s, n))) };
  return s;
}

/** Number that is pointed at in one of the matrices, or else the one that is followed. */
export function numberOf(s, choice) {
  if (!choice) return s.followed;
  const [row, column] = choice.item;
  return s.sides[SIDES.indexOf(choice.kind)][row][column];
}

/** "b2" for the product in row 1, column 2; "0" for a zero that was put in. */
export function label(s, n) {
  return n < 0 ? "0" : "abcdef"[s.row(n)] + (n % s.columns);
}

/** Return the place of the number n in a matrix, [row, column], or null. */
export const placeOf = (matrix, n) => findNumber(matrix, (number) => number === n);

/** Heads of matrix number `which`. */
export function heads(s, which, colors) {
  const head = (color, words) => ({ words, color, plain: color });
  const count = head(colors.muted); // from 0 on
  const found = { rows: count, columns: count };
  if (which !== 2) found.rows = head(colors.query, (i) => "abcdef"[i]);
  if (which === 0)
    found.columns = head(colors.position, (i) => signed(i - s.length + 1));
  if (which === 3) found.columns = head(colors.key);
  return found;
}

/** Title of matrix number `which`. */
export function title(s, which) {
  return which ? `${which}. ${s.names[which - 1]}` : "products (column = offset)";
}

function name(s, n) {
  if (n < 0) return "This zero";
  return `${label(s, n)} (query ${s.row(n)}, offset ${signed(s.offset(n))})`;
}

/** The status line: what the present step does to the number n. */
function story(s, n) {
  const [from, to] = s.sides.map((matrix) => placeOf(matrix, n));
  if (!from) return `${name(s, n)} is put in by this step.${to && s.step === 2 ? ending(s, n, to) : ""}`;
  const [wide, wideAfter] = s.sides.map((matrix) => matrix[0].length);
  const [row, column] = from, index = row * wide + column;
  if (s.step === 0)
    return s.masked
      ? `${name(s, n)}: a zero before its row moves it one column to the right.`
      : `${name(s, n)} stays where it is; a zero is put behind its row.`;
  if (s.step === 1)
    return `${name(s, n)} is number ${row} · ${wide} + ${column} = ${index} in line, ` +
      `and keeps that number. With ${wideAfter} in a row, ${index} = ${to[0]} · ${wideAfter} + ` +
      `${to[1]}: row ${to[0]}, column ${to[1]}.`;
  if (!to) return `${name(s, n)} is dropped${s.masked ? " with the first row" : ""}.`;
  return `${name(s, n)} comes to row ${to[0]}, column ${to[1]}.${ending(s, n, to)}`;
}

export const words = (s, choice) => story(s, numberOf(s, choice));

function ending(s, n, [row, column]) {
  const place = ` That is query ${row}, key ${column}`;
  if (n < 0) return `${place}: garbage, for the mask to hide.`;
  if (s.needed.has(n)) return `${place}: key − query = ${signed(column - row)}. Right.`;
  return `${place}, but it is a product of query ${s.row(n)}: garbage, for the mask to hide.`;
}

/** Sentences on the setting: mark, sentence, color of the mark. */
export function facts(s) {
  const products = s.length * s.columns, cells = s.length ** 2;
  const kept = s.matrices[3].flat(), zeros = kept.filter((n) => n < 0).length;
  const strange = kept.filter((n) => n >= 0 && !s.needed.has(n)).length;
  const rest = products - s.needed.size;
  const found = [
    ["■", `Colored: the ${s.needed.size} of ${products} products that a query needs; the ` +
      "color is the offset, a thin frame marks offset 0.", "position"],
    ["▨", `Striped: the other ${rest === 1 ? "product" : plural(rest, "product")}, for which there is no key.`, "line"],
    ["□", "Dashed: zeros that were put in.", "line"],
  ];
  found.push(s.masked
    ? ["!", `Garbage in the result: ${zeros + strange} of ${cells} cells, all above the ` +
      `diagonal: ${plural(zeros, "zero")}` +
      (strange ? `, and ${plural(strange, "product")} of the next row.` : ".")]
    : ["✓", `Garbage in the result: none of ${cells} cells.`]);
  return found;
}

/** Rows of the text table: product, query, offset, where it ends, what it is there. */
export function textRows(s) {
  return Array.from({ length: s.length * s.columns }, (_, n) => {
    const to = placeOf(s.matrices[3], n);
    const place = to ? `query ${to[0]}, key ${to[1]}` : "dropped";
    const what = !to ? "not needed" : s.needed.has(n) ? "right" : "garbage";
    return [label(s, n), s.row(n), signed(s.offset(n)), place, what];
  });
}
