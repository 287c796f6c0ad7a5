// Heat map of attention weights, and of the outputs beside it, with words as heads.
import { write } from "../../kit/widgets/canvas.js";
import { cellGrid } from "../../kit/widgets/cells.js";
import { cellIn } from "./state.js";

const GAP = 14, MARK = 20, RIGHT = 2; // between weights and outputs, and beyond them
const LEAN = -Math.PI / 3; // of the words above

/** Font size, place of the cells and their size in whole pixels. */
function layout(context, names, width) {
  context.font = "12px system-ui, sans-serif";
  const widest = Math.max(...names.map((name) => context.measureText(name).width));
  const left = Math.ceil(widest) + 24, top = Math.ceil(widest * 0.87) + 34;
  const room = width - left - GAP - MARK - RIGHT;
  return { left, top, wide: Math.max(Math.floor(Math.min(room / (names.length + 4), 38)), 8) };
}

/** Items are cells [query, key] of one `side`; a key from L on is an output. */
export const heatPair = (label, side, { shades, limit }) => cellGrid(label, side,
  (s, { width, colors, choice }, context) => {
    const names = side === "before" ? s.names : s.order.map((n) => s.names[n]);
    const { weights, outputs } = s[side], rows = s.length;
    const { left, top, wide } = layout(context, names, width);
    const beyond = left + rows * wide + GAP, height = top + rows * wide + 4;
    const same = { top, rows, wide, gap: 1, inset: 1, font: (text) => (wide < 17 ? 0
      : Math.min(0.5 * wide, 12, (wide - 5) / widthOf(context, text))) };
    const weight = (q, k) => ({ text: shortNumber(weights[q][k]), mark: q === k,
      ...(s.causal && k > q ? { fill: colors.raised, ink: colors.muted }
        : shades.weight(weights[q][k])) });
    const output = (q, c) => ({ text: shortNumber(outputs[q][c]),
      ...shades.output((outputs[q][c] / limit + 1) / 2) });
    const head = (color) => ({ words: (n) => names[n], plain: colors.text, color, away: 5, size: 12 });
    return {
      width, height, rows, columns: rows + 4, chosen: cellIn(s, side, choice),
      grids: [
        { ...same, left, columns: rows, cell: weight,
          heads: { rows: { ...head(colors.query), align: "right" },
            columns: { ...head(colors.key), align: "left", turn: LEAN } },
          names: { rows: ["← query", colors.query], columns: ["key →", colors.key] } },
        { ...same, left: beyond, columns: 4, cell: output, from: [0, rows] },
      ],
      over(context) {
        write(context, "output", beyond, top - 9, { size: 13, align: "left", color: colors.value });
        if (side === "after")
          s.kept.forEach((kept, q) => write(context, kept ? "✓" : "≠", beyond + 4 * wide + MARK / 2,
            top + (q + 0.5) * wide, { size: 14, bold: true, color: colors.text }));
      },
    };
  });

/** Width of a text in units of its font size. */
function widthOf(context, text) {
  context.font = "100px system-ui, sans-serif";
  return context.measureText(text).width / 100;
}

/** 0.98 as .98, -0.19 as −.2, 1.97 as 2.0, whole numbers as they are. */
function shortNumber(number) {
  const minus = number < 0 ? "−" : "", size = Math.abs(number);
  if (Math.abs(size - Math.round(size)) < 1e-9) return minus + Math.round(size);
  const digits = size < 0.05 || (number > 0 && size < 0.995) ? 2 : 1;
  return minus + size.toFixed(digits).replace(/^0\./, ".");
}
