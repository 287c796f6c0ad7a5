// The relative shift as lists of cells: posenc.transformer_xl.figures.shift_step in
// JavaScript; a test compares the two for every setting.

/** A cell: row of its query (−1: the pad), distance, whether it is or comes to its place. */
function cellOf(row, distance) { return { row, distance, valid: row >= 0 }; }

const cut = (flat, width) =>
  Array.from({ length: Math.ceil(flat.length / width) }, (_, i) =>
    flat.slice(i * width, (i + 1) * width));

/** Rows of cells at a step, as in Python. */
export function shiftStep(method, step, q_len, k_len) {
  const products = Array.from({ length: q_len }, (_, i) =>
    Array.from({ length: k_len }, (_, c) => cellOf(i, k_len - 1 - c)));
  if (step === 0) return products;
  const judged = (rows) => rows.map((row, i) => row.map((cell, j) =>
    ({ ...cell, valid: j <= i + k_len - q_len })));
  if (method === "view") {
    const flat = products.flat().slice(q_len - 1);
    if (step === 1) return [flat];
    return judged(products.map((_, i) =>
      flat.slice(i * (k_len - 1), i * (k_len - 1) + k_len)));
  }
  const flat = products.flatMap((row) => [cellOf(-1, -1), ...row]);
  if (step === 1) return cut(flat, k_len + 1);
  if (step === 2) return cut(flat, q_len);
  const rest = flat.slice(q_len);
  return step === 3 ? cut(rest, q_len) : judged(cut(rest, k_len));
}

/** Name of a cell: a letter for the query, a digit for the distance. */
export function nameOf({ row, distance }) {
  return row < 0 ? "0" : "abcdefgh"[row] + distance;
}

/** What a cell is at a step. */
export const kindOf = ({ row, valid }) => (row < 0 ? "zero" : valid ? "wanted" : "garbage");

/** Its name, with a star if it is garbage. */
export const starred = (cell) => nameOf(cell) + (kindOf(cell) === "garbage" ? "*" : "");
