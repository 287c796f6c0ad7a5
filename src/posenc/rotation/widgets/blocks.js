// The matrix of a shift as colored cells, one block of two by two for each clock.
import { cellGrid } from "../../kit/widgets/cells.js";
import { clockOf, entry } from "./state.js";

const MATRIX = { left: 40, top: 34 }; // margins

/** `shade` colors a number from 0 to 1. */
export const blockMatrix = (label, shade) => cellGrid(label, "entry", (s, frame) => {
  const { colors, choice, width } = frame, { left, top } = MATRIX, chosen = clockOf(choice);
  const wide = Math.min((width - left) / s.d, (250 - top) / s.d, 52), side = s.d * wide;
  const head = { color: colors.muted, plain: colors.muted, room: 18 };
  const cell = (row, column) => {
    const value = entry(s, row, column), block = row >> 1;
    if (block !== column >> 1) return { fill: "transparent" };
    return { ...shade((value + 1) / 2), text: value.toFixed(wide < 36 ? 1 : 2).replace("-", "−"),
      faint: chosen !== null && chosen !== block };
  };
  const grid = { left, top, rows: s.d, columns: s.d, wide, cell, gap: wide >= 8 ? 1 : 0,
    font: () => (wide < 26 ? 0 : Math.min(14, 0.36 * wide)),
    heads: { rows: { ...head, away: 12 }, columns: head },
    names: { rows: ["← after", colors.text], columns: ["feature before →", colors.text] },
    frames: s.clocks.map(({ index }) => ({ row: 2 * index, column: 2 * index, rows: 2, columns: 2,
      color: chosen === index ? colors.text : colors.muted, thick: chosen === index ? 2.5 : 1,
      halo: false })) };
  return { width: Math.max(left + side, 150), height: top + side + 2, grids: [grid],
    under(context) {
      context.fillStyle = colors.raised;
      context.fillRect(left, top, side, side);
    } };
});
