// The table of rows or labels: queries down, keys across, words at both sides.
import { cellGrid } from "../../kit/widgets/cells.js";
import { write } from "../../kit/widgets/canvas.js";
import { pointed, shadeOf } from "./state.js";

const LEFT = 58, TOP = 58, RIGHT = 16; // room for the words

/** Items are cells, [query, key]. */
export const labelMatrix = (label, shades) => cellGrid(label, "cell", (s, { width, colors, choice }) => {
  const wide = Math.min(Math.floor((width - LEFT - RIGHT) / s.size), 44);
  const { q, k, row: chosen } = pointed(s, choice);
  const empty = { fill: colors.raised, ink: colors.muted };
  const cell = (query, key) => {
    const row = s.cell(query, key), text = row < 0 ? "" : row;
    return { ...(row < 0 ? empty : shadeOf(s, shades, row)), text, mark: query === key,
      faint: chosen !== undefined && chosen !== row };
  };
  const head = { words: (i) => s.nodes[i], size: 12, away: 6, plain: colors.muted };
  const heads = {
    rows: { ...head, chosen: q ?? s.query, color: colors.query, align: "right" },
    columns: { ...head, chosen: k, color: colors.key, align: "left", turn: -Math.PI / 3 },
  };
  const grid = { left: LEFT, top: TOP, rows: s.size, columns: s.size, wide, gap: 1, cell, heads,
    font: () => Math.min(13, wide * 0.55),
    frames: [{ row: s.query, column: 0, columns: s.size, color: colors.query, thick: 2, halo: false }] };
  return {
    width: LEFT + s.size * wide + RIGHT, height: TOP + s.size * wide + 2, grids: [grid],
    chosen: q === undefined ? null : [q, k], start: [s.query, s.query],
    over(context) {
      write(context, "key →", 2, 10, { align: "left", size: 13, color: colors.key });
      write(context, "query ↓", 2, 28, { align: "left", size: 13, color: colors.query });
    },
  };
});
