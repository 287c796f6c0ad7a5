// Small matrices side by side on one canvas: the same cell is marked in all of them.
import { colorTable, write } from "../../kit/widgets/canvas.js";
import { cellGrid } from "../../kit/widgets/matrix.js";
import { count, real } from "../../kit/widgets/widget.js";
import { valueWords } from "./state.js";

const TITLE = { size: 12, bold: true };
const LINE = 15, GAP = 12, LEGEND = 34;
const NARROW = 600, LEAST = 96; // of the picture; of a matrix, where there are many, in pixels

/** How many stand beside each other: where there is room, all stand in two rows, one screen high. */
function columnsFor(count, width) {
  const fit = (room) => Math.floor((width + GAP) / (room + GAP));
  const most = width < NARROW ? Math.min(fit(160), 4) : Math.min(fit(LEAST), Math.max(5, Math.ceil(count / 2)));
  return Math.max(2, Math.min(most, count));
}

/** Items are cells, [query, key], of every matrix. */
export function methodGrid(label, tables) {
  const shades = Object.fromEntries(
    Object.entries(tables).map(([view, hex]) => [view, colorTable(hex)]));

  /** Color of a number between the ends of the scale. */
  function paint(s, number) {
    const part = s.view === "weights" ? number / s.limit : (number / s.limit + 1) / 2;
    return shades[s.view](Math.max(0, Math.min(part, 1)));
  }

  function plan(s, { width, colors, chosen }, context) {
    const across = columnsFor(s.panels.length, width);
    const room = (width - (across - 1) * GAP) / across;
    const wide = Math.floor(Math.min((room - 2) / s.length, 46));
    const titles = s.panels.map(({ title }) => linesOf(context, title, room));
    const head = 6 + LINE * (1 + Math.max(...titles.map((lines) => lines.length)));
    const tall = head + s.length * wide + GAP;
    const text = (value) => (s.view === "weights" ? value.toFixed(2) : real(value, 1));
    const cellsOf = (values) => (q, k) => ({ mark: q === k, ...(values[q][k] === null
      ? { fill: colors.raised, ink: colors.muted }
      : { ...paint(s, values[q][k]), text: text(values[q][k]) }) });
    const grids = s.panels.map(({ values }, n) => ({ rows: s.length, columns: s.length, wide,
      left: Math.round((n % across) * (room + GAP)) + 1,
      top: LEGEND + Math.floor(n / across) * tall + head,
      cell: cellsOf(values), gap: wide >= 7 ? 1 : 0, inset: 1.5, font: () => (wide < 28 ? 0 : 12) }));
    return { width, height: LEGEND + Math.ceil(s.panels.length / across) * tall, grids,
      under(context) {
        legend(context, s, width, colors);
        s.panels.forEach(({ values }, n) => {
          const { left, top } = grids[n], at = { align: "left", ...TITLE };
          titles[n].forEach((words, i, { length }) =>
            write(context, words, left, top - 9 - LINE * (length - i), { ...at, color: colors.text }));
          if (chosen) write(context, valueWords(s.view, values[chosen[0]][chosen[1]]), left,
            top - 9, { ...at, color: colors.position });
        });
      } };
  }

  /** A title as one line, or as several where it does not fit. */
  function linesOf(context, title, room) {
    context.font = `bold ${TITLE.size}px system-ui, sans-serif`;
    return context.measureText(title).width < room ? [title] : title.split(/ |(?<=-)/);
  }

  function legend(context, s, width, colors) {
    const wide = Math.min(140, width / 3), low = s.view === "weights" ? 0 : -s.limit;
    for (const x of count(0, Math.ceil(wide) - 1)) {
      context.fillStyle = paint(s, low + (s.limit - low) * (x + 0.5) / wide).fill;
      context.fillRect(34 + x, 3, 1, 12);
    }
    const at = { size: 12, color: colors.muted };
    write(context, real(low, low ? 1 : 0), 30, 9, { ...at, align: "right" });
    write(context, real(s.limit, low ? 1 : 0), 38 + wide, 9, { ...at, align: "left" });
    write(context, "query ↓", width - 60, 9, { ...at, align: "right", color: colors.query });
    write(context, "key →", width - 2, 9, { ...at, align: "right", color: colors.key });
  }

  return cellGrid(label, "cell", plan);
}
