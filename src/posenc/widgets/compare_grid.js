// Small matrices side by side on one canvas: the same cell is marked in all of them.
import { colorTable, drawing, write } from "./canvas.js";
import { pairOf, valueWords } from "./compare_state.js";
import { real, walk } from "./shell.js";

const GRID = { head: 36, gap: 12, legend: 34 };

/** `draw(s, …)` draws the state s; `at(x, y)` finds a cell, `step(key, cell)` the next. */
export function methodGrid(label, tables) {
  const { canvas, context, begin } = drawing(label);
  const shades = Object.fromEntries(
    Object.entries(tables).map(([view, hex]) => [view, colorTable(hex)]));
  let grid = null;

  function layout(s, width) {
    const columns = Math.max(2, Math.min(Math.floor((width + GRID.gap) / 172), 4, s.panels.length));
    const room = (width - (columns - 1) * GRID.gap) / columns;
    const size = Math.floor(Math.min((room - 2) / s.length, 46));
    const rows = Math.ceil(s.panels.length / columns), tall = GRID.head + s.length * size + GRID.gap;
    return { columns, room, size, rows, tall, length: s.length, count: s.panels.length };
  }

  const corner = (n) => [
    Math.round((n % grid.columns) * (grid.room + GRID.gap)) + 1,
    GRID.legend + Math.floor(n / grid.columns) * grid.tall + GRID.head,
  ];

  function draw(s, { width, colors, chosen }) {
    grid = layout(s, width);
    begin(width, GRID.legend + grid.rows * grid.tall);
    legend(s, width, colors);
    s.panels.forEach((panel, n) => {
      const [left, top] = corner(n);
      const value = chosen === null ? null : panel.values[pairOf(chosen)[0]][pairOf(chosen)[1]];
      write(context, panel.title, left, top - 24, { align: "left", size: 13, bold: true, color: colors.text });
      if (chosen !== null)
        write(context, valueWords(s.view, value), left, top - 9,
          { align: "left", size: 13, color: colors.position, bold: true });
      panel.values.forEach((row, q) => row.forEach((number, k) =>
        cell(s, number, left + k * grid.size, top + q * grid.size, q === k, colors)));
      if (chosen !== null) frame(left, top, pairOf(chosen), colors);
    });
  }

  /** Color of a number between the ends of the scale. */
  function paint(s, number) {
    const part = s.view === "weights" ? number / s.limit : (number / s.limit + 1) / 2;
    return shades[s.view](Math.max(0, Math.min(part, 1)));
  }

  function cell(s, number, x, y, diagonal, colors) {
    const side = grid.size - (grid.size >= 7 ? 1 : 0);
    const hidden = number === null;
    const { fill, ink } = hidden ? { fill: colors.raised, ink: colors.muted } : paint(s, number);
    context.fillStyle = fill;
    context.fillRect(x, y, side, side);
    if (diagonal) { // relative position 0 is always marked
      context.strokeStyle = ink;
      context.lineWidth = 1;
      context.strokeRect(x + 1.5, y + 1.5, side - 3, side - 3);
    }
    if (hidden || grid.size < 28) return;
    const words = s.view === "weights" ? number.toFixed(2) : real(number, 1);
    write(context, words, x + side / 2, y + side / 2 + 0.5, { size: 12, color: ink });
  }

  function frame(left, top, [q, k], colors) {
    const { size } = grid, x = left + k * size, y = top + q * size;
    for (const [color, grow] of [[colors.surface, 2.5], [colors.text, 1]]) {
      context.strokeStyle = color;
      context.lineWidth = 2;
      context.strokeRect(x - grow, y - grow, size + 2 * grow - 1, size + 2 * grow - 1);
    }
  }

  function legend(s, width, colors) {
    const wide = Math.min(140, width / 3), low = s.view === "weights" ? 0 : -s.limit;
    for (let x = 0; x < wide; x++) {
      context.fillStyle = paint(s, low + (s.limit - low) * (x + 0.5) / wide).fill;
      context.fillRect(34 + x, 3, 1, 12);
    }
    const at = { size: 12, color: colors.muted };
    write(context, real(low, low ? 1 : 0), 30, 9, { ...at, align: "right" });
    write(context, real(s.limit, low ? 1 : 0), 38 + wide, 9, { ...at, align: "left" });
    write(context, "query ↓", width - 60, 9, { ...at, align: "right", color: colors.query });
    write(context, "key →", width - 2, 9, { ...at, align: "right", color: colors.key });
  }

  function at(x, y) {
    if (!grid) return null;
    for (let n = 0; n < grid.count; n++) {
      const [left, top] = corner(n);
      const k = Math.floor((x - left) / grid.size), q = Math.floor((y - top) / grid.size);
      if (q >= 0 && k >= 0 && q < grid.length && k < grid.length) return 100 * q + k;
    }
    return null;
  }

  /** Cell that a key leads to; undefined for a key that leads nowhere. */
  function step(key, item) {
    if (item === null || key === "") return item ?? 0;
    const [q, k] = pairOf(item), last = grid.length - 1;
    if (key === "ArrowUp" || key === "PageUp" || key === "ArrowDown" || key === "PageDown") {
      const to = { ArrowUp: q - 1, ArrowDown: q + 1, PageUp: 0, PageDown: last }[key];
      return 100 * Math.max(0, Math.min(to, last)) + k;
    }
    const to = walk(key, k, 0, last, 0);
    return to === undefined ? undefined : 100 * q + to;
  }

  return { kind: "cell", canvas, draw, at, step };
}
