// Matrices of products whose numbers move from cell to cell, step by step.
import { polyline } from "./canvas.js";

/**
 * Grid (matrix.js) of a matrix of numbers, perhaps on their `way`. `look(number)` gives
 * { text, kind, share } and perhaps `mark` and `bold`: a "wanted" number has the color of its
 * share of `shade`, a "zero" is one that was put in, and "garbage" is crossed out by `cross`.
 */
export function productGrid(matrix, { look, shade, colors, cross, way, ...place }) {
  const { wide } = place;
  const pale = { fill: colors.raised, ink: colors.muted };
  const kinds = {
    wanted: ({ share }) => shade(share),
    zero: () => ({ ...pale, dash: colors.muted }),
    garbage: () => ({ ...pale, over: cross(colors) }),
  };
  return {
    rows: matrix.length, columns: matrix[0].length, gap: 2,
    font: () => (wide > 13 ? Math.min(0.42 * wide, 14) : 0),
    cell(row, column) {
      const { kind, share, ...words } = look(matrix[row][column]);
      return { ...kinds[kind]({ share }), ...words, place: way?.[row][column] };
    },
    ...place,
  };
}

/**
 * Places [row, column] of the numbers of a matrix, part `t` of the way from where those of the
 * same `key` are in another. Numbers that are only in the new matrix stand where they belong.
 */
export function wayOf(from, to, key, t) {
  const places = from.flatMap((row, i) => row.map((n, j) => [key(n), [i, j]]));
  const old = Map.groupBy(places, ([k]) => k);
  const found = to.map((row) => [...row]);
  for (let i = to.length - 1; i >= 0; i--) // from the end: the first numbers are those dropped
    for (let j = to[i].length - 1; j >= 0; j--) {
      const places = old.get(key(to[i][j])), start = places?.at(-1)[1] ?? [i, j];
      if (places?.length > 1) places.pop();
      found[i][j] = [start[0] + t * (i - start[0]), start[1] + t * (j - start[1])];
    }
  return found;
}

/** Where a number that `test` tells is in a matrix: [row, column], or null. */
export function findNumber(matrix, test) {
  const row = matrix.findIndex((numbers) => numbers.some(test));
  return row < 0 ? null : [row, matrix[row].findIndex(test)];
}

/** One line across a cell. */
export const slash = (colors) => (context, x, y, wide, high) =>
  polyline(context, colors.muted, [[x + 3, y + high - 3], [x + wide - 3, y + 3]]);

/** Stripes on a cell, with a plain ground for its text. */
export const stripes = (colors) => (context, x, y, wide, high) => {
  context.save();
  context.beginPath();
  context.rect(x, y, wide, high);
  context.clip();
  for (let d = 6; d < wide + high; d += 7)
    polyline(context, colors.line, [[x + d, y], [x + d - high, y + high]]);
  context.fillStyle = colors.raised;
  context.fillRect(x + 0.18 * wide, y + 0.26 * high, 0.64 * wide, 0.48 * high);
  context.restore();
};
