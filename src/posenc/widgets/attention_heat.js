// Heat map of attention weights, and of the outputs beside it, with words as heads.
import { drawing, write } from "./canvas.js";

const HEAT = { gap: 14, mark: 20, right: 2 };

/** `draw(options)` gives the height; `at` and `step` find cells { q, k }: k ≥ L is an output. */
export function heatPair(label) {
  const { canvas, context, begin } = drawing(label);
  let grid = null;

  /** Font size, place of the cells and their size in whole pixels. */
  function layout(names, width) {
    context.font = "12px system-ui, sans-serif";
    const widest = Math.max(...names.map((name) => context.measureText(name).width));
    const left = Math.ceil(widest) + 24, top = Math.ceil(widest * 0.87) + 34;
    const room = width - left - HEAT.gap - HEAT.mark - HEAT.right;
    const size = Math.max(Math.floor(Math.min(room / (names.length + 4), 38)), 8);
    return { left, top, size, length: names.length };
  }

  const xOf = (k) => grid.left + k * grid.size + (k >= grid.length ? HEAT.gap : 0);
  const yOf = (q) => grid.top + q * grid.size;

  function draw({ names, weights, outputs, marks, shades, limit, colors, selected, width, hidden }) {
    grid = layout(names, width);
    const tall = grid.top + grid.length * grid.size + 4;
    begin(width, tall);
    weights.forEach((row, q) => row.forEach((weight, k) => {
      const style = hidden(q, k) ? { fill: colors.raised, ink: colors.muted } : shades.weight(weight);
      cell(q, k, weight, style, q === k);
    }));
    outputs.forEach((row, q) => row.forEach((number, c) =>
      cell(q, grid.length + c, number, shades.output((number / limit + 1) / 2), false)));
    heads(names, colors, selected);
    marks.forEach((mark, q) => write(context, mark, xOf(grid.length + 4) + HEAT.mark / 2,
      yOf(q) + grid.size / 2, { size: 14, bold: true, color: colors.text }));
    if (selected) frame(selected, colors);
    return tall;
  }

  function cell(q, k, number, { fill, ink }, diagonal) {
    const { size } = grid, x = xOf(k), y = yOf(q);
    context.fillStyle = fill;
    context.fillRect(x, y, size - 1, size - 1);
    if (diagonal) {
      context.strokeStyle = ink;
      context.lineWidth = 1;
      context.strokeRect(x + 2.5, y + 2.5, size - 6, size - 6);
    }
    const at = { size: Math.min(0.5 * size, 12), color: ink };
    if (size >= 17) write(context, shortNumber(number), x + size / 2 - 0.5, y + size / 2 + 0.5, at);
  }

  function frame({ q, k }, colors) {
    const { size } = grid;
    for (const [color, grow] of [[colors.surface, 2.5], [colors.text, 1]]) {
      context.strokeStyle = color;
      context.lineWidth = 2;
      context.strokeRect(xOf(k) - grow, yOf(q) - grow, size + 2 * grow - 1, size + 2 * grow - 1);
    }
  }

  function heads(names, colors, selected) {
    const { size, left, top, length } = grid;
    names.forEach((name, n) => {
      const bold = (which) => selected?.[which] === n, middle = (n + 0.5) * size;
      const row = { align: "right", bold: bold("q"), color: bold("q") ? colors.query : colors.text };
      write(context, name, left - 5, top + middle, row);
      context.save();
      context.translate(left + middle + 1, top - 5);
      context.rotate(-Math.PI / 3);
      const column = { align: "left", bold: bold("k"), color: bold("k") ? colors.key : colors.text };
      write(context, name, 0, 0, column);
      context.restore();
    });
    const start = { size: 13, align: "left" };
    write(context, "key →", left, 9, { ...start, color: colors.key });
    write(context, "output", xOf(length), top - 9, { ...start, color: colors.value });
    context.save();
    context.translate(8, top);
    context.rotate(-Math.PI / 2);
    write(context, "← query", 0, 0, { ...start, align: "right", color: colors.query });
    context.restore();
  }

  function at(x, y) {
    if (!grid) return null;
    const q = Math.floor((y - grid.top) / grid.size);
    const columns = grid.length + 4;
    for (let k = 0; k < columns; k++)
      if (x >= xOf(k) && x < xOf(k) + grid.size && q >= 0 && q < grid.length) return { q, k };
    return null;
  }

  /** Cell that a key leads to from `from`; undefined for a key that leads nowhere. */
  function step(key, from) {
    if (!from || key === "") return { q: from?.q ?? 0, k: from?.k ?? 0 };
    const last = { q: grid.length - 1, k: grid.length + 3 };
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
      Home: [0, -from.k], End: [0, last.k], PageUp: [-from.q, 0], PageDown: [last.q, 0] };
    if (!moves[key]) return undefined;
    const keep = (value, end) => Math.max(0, Math.min(value, end));
    return { q: keep(from.q + moves[key][0], last.q), k: keep(from.k + moves[key][1], last.k) };
  }

  return { canvas, draw, at, step };
}

/** 0.98 as .98, 1.97 as 2.0, whole numbers as they are. */
export function shortNumber(number) {
  const minus = number < 0 ? "−" : "", size = Math.abs(number);
  if (Math.abs(size - Math.round(size)) < 1e-9) return minus + Math.round(size);
  return minus + (size < 0.995 ? size.toFixed(2).replace("0.", ".") : size.toFixed(1));
}
