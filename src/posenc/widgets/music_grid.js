// A matrix of any cells, with heads, for the widget of the chapter on the skew.
import { drawing, write } from "./canvas.js";

/**
 * `draw` takes `rows` and `columns`, the side `size` of a cell, the `height` of the
 * picture, `cell(row, column) -> { text, fill, ink, kind, framed }`, `heads` with
 * functions `row(i)` and `column(i)` that give { text, color } or null, a `title`, and
 * `chosen`, { row, column } or null. `at(x, y)` finds a cell.
 */
export function cellGrid(label) {
  const { canvas, context, begin } = drawing(label);
  let grid = { size: 1, rows: 0, columns: 0 };

  function draw(options) {
    const { rows, columns, size, width, height, title, heads, chosen, colors } = options;
    grid = { size, rows, columns };
    begin(width, height);
    write(context, title, 0, 10, { align: "left", size: 13, color: colors.text });
    for (let i = 0; i < columns; i++)
      head(heads.column(i), GRID.left + (i + 0.5) * size, GRID.top - 10, i === chosen?.column);
    for (let i = 0; i < rows; i++)
      head(heads.row(i), GRID.left - 11, GRID.top + (i + 0.5) * size, i === chosen?.row);
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) drawOne(options, row, column);
    if (chosen) frame(chosen, colors);
  }

  function head(words, x, y, bold) {
    if (words) write(context, words.text, x, y, { color: words.color, size: 11, bold });
  }

  function drawOne({ cell, size, colors }, row, column) {
    const { text, fill, ink, kind, framed } = cell(row, column);
    const x = GRID.left + column * size + 1, y = GRID.top + row * size + 1, side = size - 2;
    context.lineWidth = 1;
    if (kind === "zero") {
      context.strokeStyle = colors.muted;
      context.setLineDash([2, 2]);
      context.strokeRect(x + 0.5, y + 0.5, side - 1, side - 1);
      context.setLineDash([]);
    } else {
      context.fillStyle = fill;
      context.fillRect(x, y, side, side);
    }
    if (kind === "garbage") stripes(x, y, side, colors);
    if (framed) {
      context.strokeStyle = ink;
      const inset = size < 28 ? 1 : 3.5;
      context.strokeRect(x + inset, y + inset, side - 2 * inset, side - 2 * inset);
    }
    const font = Math.min(0.4 * size, 14);
    if (font >= 8) write(context, text, x + side / 2, y + side / 2 + 1, { color: ink, size: font });
  }

  function stripes(x, y, side, colors) {
    context.save();
    context.beginPath();
    context.rect(x, y, side, side);
    context.clip();
    context.strokeStyle = colors.line;
    context.beginPath();
    for (let d = 6; d < 2 * side; d += 7) {
      context.moveTo(x + d, y);
      context.lineTo(x + d - side, y + side);
    }
    context.stroke();
    context.fillStyle = colors.raised; // the text needs a ground without lines
    context.fillRect(x + 0.18 * side, y + 0.26 * side, 0.64 * side, 0.48 * side);
    context.restore();
  }

  function frame({ row, column }, colors) {
    const { size } = grid, x = GRID.left + column * size, y = GRID.top + row * size;
    for (const [color, grow, thick] of [[colors.surface, 2, 2], [colors.text, 0.5, 3]]) {
      context.strokeStyle = color;
      context.lineWidth = thick;
      context.strokeRect(x - grow, y - grow, size + 2 * grow, size + 2 * grow);
    }
  }

  function at(x, y) {
    const column = Math.floor((x - GRID.left) / grid.size);
    const row = Math.floor((y - GRID.top) / grid.size);
    const inside = row >= 0 && column >= 0 && row < grid.rows && column < grid.columns;
    return inside ? { row, column } : null;
  }

  /** Cell that a key leads to; undefined for a key that leads nowhere. */
  function step(key, from) {
    const now = from ?? { row: 0, column: 0 };
    if (key === "" || !from) return now;
    const moves = {
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
      Home: [0, -grid.columns], End: [0, grid.columns],
      PageUp: [-grid.rows, 0], PageDown: [grid.rows, 0],
    };
    if (!moves[key]) return undefined;
    const keep = (value, count) => Math.max(0, Math.min(value, count - 1));
    return {
      row: keep(now.row + moves[key][0], grid.rows),
      column: keep(now.column + moves[key][1], grid.columns),
    };
  }

  return { canvas, draw, at, step };
}

/** Room for the title and the heads, in CSS pixels. */
export const GRID = { left: 26, top: 42 };
