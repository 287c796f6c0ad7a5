// A grid of cells on a canvas, with frames, letters and ticks: the window and the table.
import { drawing, write } from "./canvas.js";

/**
 * `draw` takes `rows`, `columns`, the `width` there is, `largest` (of a cell), the theme's
 * `colors`, `cell(r, c) -> { fill, ink, text, faint, mark }` where mark is "zero", "clash"
 * or nothing, `frames` ([row, column, color, letter, rows, columns]) and perhaps
 * `tick(axis, n)` with `axes`, the names of the axes. `at(x, y)` finds a cell.
 */
export function cellGrid(label) {
  const { canvas, context, begin } = drawing(label);
  let grid = { size: 1, left: 0, top: 0, rows: 0, columns: 0 };

  function draw(options) {
    const { rows, columns, width, largest, tick } = options;
    const left = tick ? 44 : 4, top = tick ? 40 : 4;
    const size = Math.max(Math.floor(Math.min((width - left - 4) / columns, largest)), 4);
    grid = { size, left, top, rows, columns };
    const tall = top + rows * size + 4;
    begin(Math.max(left + columns * size + 4, tick ? 130 : 60), tall);
    for (let r = 0; r < rows; r++)
      for (let c = 0; c < columns; c++) drawCell(options, r, c);
    if (tick) drawTicks(options);
    for (const one of options.frames) drawFrame(options.colors, one);
    return tall;
  }

  function drawCell({ cell, colors }, r, c) {
    const { fill, ink, text, faint, mark } = cell(r, c), { size, left, top } = grid;
    const x = left + c * size, y = top + r * size, gap = size > 9 ? 1 : 0;
    context.globalAlpha = faint ? 0.3 : 1;
    context.fillStyle = fill;
    context.fillRect(x, y, size - gap, size - gap);
    context.globalAlpha = 1;
    const color = faint ? colors.muted : ink;
    if (mark) {
      const inset = mark === "zero" ? 0.14 * size : 0.07 * size;
      context.strokeStyle = color;
      context.lineWidth = 1.3;
      context.setLineDash(mark === "zero" ? [] : [3, 3]);
      context.strokeRect(x + inset, y + inset, size - gap - 2 * inset, size - gap - 2 * inset);
      context.setLineDash([]);
    }
    const font = Math.min((1.5 * size) / Math.max(String(text).length, 2), 0.5 * size, 14);
    if (font >= 9) write(context, text, x + size / 2, y + size / 2, { color, size: font });
  }

  function drawTicks({ rows, columns, tick, axes, colors }) {
    const { size, left, top } = grid, every = Math.ceil(20 / size);
    const at = { size: 11, color: colors.position };
    for (let c = 0; c < columns; c++)
      if ((c - (columns - 1) / 2) % every === 0)
        write(context, tick(1, c), left + (c + 0.5) * size, top - 9, at);
    for (let r = 0; r < rows; r++)
      if ((r - (rows - 1) / 2) % every === 0)
        write(context, tick(0, r), left - 6, top + (r + 0.5) * size, { ...at, align: "right" });
    write(context, axes[1], left, 9, { size: 13, align: "left", color: colors.position });
    context.save();
    context.translate(8, top);
    context.rotate(-Math.PI / 2);
    write(context, axes[0], 0, 0, { size: 13, align: "right", color: colors.position });
    context.restore();
  }

  /** Frame of one cell or of several, with a letter in its upper left or right corner. */
  function drawFrame(colors, [r, c, color, letter = "", high = 1, wide = 1, dash = []]) {
    const { size, left, top } = grid, x = left + c * size, y = top + r * size;
    const box = [wide * size - 1, high * size - 1];
    for (const [shade, thick] of [[colors.surface, 5], [color, 3]]) {
      context.strokeStyle = shade;
      context.lineWidth = thick;
      context.setLineDash(shade === color ? dash : []);
      context.strokeRect(x, y, ...box);
    }
    context.setLineDash([]);
    if (!letter) return;
    const tag = Math.min(0.4 * size, 16);
    const from = letter === "k" ? x + box[0] - tag : x;
    context.fillStyle = color;
    context.fillRect(from, y, tag, tag);
    write(context, letter, from + tag / 2, y + tag / 2,
      { color: colors.surface, size: Math.max(0.8 * tag, 8), bold: true });
  }

  function at(x, y) {
    const c = Math.floor((x - grid.left) / grid.size);
    const r = Math.floor((y - grid.top) / grid.size);
    return r >= 0 && c >= 0 && r < grid.rows && c < grid.columns ? [r, c] : null;
  }

  /** Lets clicks and arrow keys choose a cell; `now()` is the present one. */
  function onChoose(now, choose) {
    const keep = (n, length) => Math.max(0, Math.min(n, length - 1));
    const moves = {
      ArrowUp: () => [-1, 0], ArrowDown: () => [1, 0],
      ArrowLeft: () => [0, -1], ArrowRight: () => [0, 1],
      Home: () => [0, -grid.columns], End: () => [0, grid.columns],
      PageUp: () => [-grid.rows, 0], PageDown: () => [grid.rows, 0],
    };
    canvas.addEventListener("click", (event) => {
      const place = at(event.offsetX, event.offsetY);
      if (place) choose(place);
    });
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !moves[event.key]) return;
      event.preventDefault();
      const [r, c] = now(), [down, right] = moves[event.key]();
      choose([keep(r + down, grid.rows), keep(c + right, grid.columns)]);
    });
  }

  return { canvas, draw, onChoose };
}
