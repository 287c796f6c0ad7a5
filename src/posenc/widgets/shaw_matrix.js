// The table of rows or labels: queries down, keys across, words at both sides.
import { drawing, write } from "./canvas.js";

const HEADS = { left: 58, top: 58 }; // room for the words

/** `draw(s, …)` draws the state s; `at(x, y)` finds a cell, `step(key, cell)` the next. */
export function labelMatrix(label) {
  const { canvas, context, begin } = drawing(label);
  let grid = { side: 1, size: 0 };

  function draw(s, { width, colors, choice, paint }) {
    const side = Math.min(Math.floor((width - HEADS.left - 2) / s.size), 44);
    grid = { side, size: s.size };
    const tall = HEADS.top + s.size * side + 2;
    begin(HEADS.left + s.size * side + 2, tall);
    for (let q = 0; q < s.size; q++)
      for (let k = 0; k < s.size; k++) drawCell(s, q, k, { colors, choice, paint });
    drawWords(s, colors, choice);
    const [x, y] = [HEADS.left, HEADS.top + s.query * side];
    frame(x, y, s.size * side, side, colors.query);
    if (choice?.q >= 0) frame(x + choice.k * side, HEADS.top + choice.q * side, side, side, colors.text);
    return tall;
  }

  function drawCell(s, q, k, { colors, choice, paint }) {
    const { side } = grid, row = s.cell(q, k);
    const [x, y] = [HEADS.left + k * side, HEADS.top + q * side];
    const { fill, ink } = row < 0 ? { fill: colors.raised, ink: colors.muted } : paint(row);
    const faint = choice && choice.row !== row;
    context.globalAlpha = faint ? 0.3 : 1;
    context.fillStyle = fill;
    context.fillRect(x, y, side - 1, side - 1);
    context.globalAlpha = 1;
    const color = faint ? colors.muted : ink;
    if (q === k) { // relative position 0 is always marked
      context.strokeStyle = color;
      context.lineWidth = 1;
      context.strokeRect(x + 2.5, y + 2.5, side - 6, side - 6);
    }
    if (row >= 0)
      write(context, row, x + (side - 1) / 2, y + side / 2, { color, size: Math.min(13, side * 0.55) });
  }

  function drawWords(s, colors, choice) {
    const { side } = grid, bold = (chosen) => (i) => i === chosen;
    const isQuery = bold(choice?.q ?? s.query), isKey = bold(choice?.k);
    s.nodes.forEach((word, i) => {
      const middle = (i + 0.5) * side;
      write(context, word, HEADS.left - 6, HEADS.top + middle,
        { align: "right", size: 12, bold: isQuery(i), color: isQuery(i) ? colors.query : colors.muted });
      context.save();
      context.translate(HEADS.left + middle, HEADS.top - 6);
      context.rotate(-Math.PI / 3);
      write(context, word, 0, 0,
        { align: "left", size: 12, bold: isKey(i), color: isKey(i) ? colors.key : colors.muted });
      context.restore();
    });
    write(context, "key →", 2, 10, { align: "left", size: 13, color: colors.key });
    write(context, "query ↓", 2, 28, { align: "left", size: 13, color: colors.query });
  }

  function frame(x, y, wide, high, color) {
    context.strokeStyle = color;
    context.lineWidth = 2;
    context.strokeRect(x, y, wide - 1, high - 1);
  }

  function at(x, y) {
    const k = Math.floor((x - HEADS.left) / grid.side), q = Math.floor((y - HEADS.top) / grid.side);
    return q >= 0 && k >= 0 && q < grid.size && k < grid.size ? { q, k } : null;
  }

  /** Cell that a key leads to; undefined for a key that leads nowhere. */
  function step(key, cell, start) {
    if (!cell || key === "") return { q: cell?.q ?? start, k: cell?.k ?? start };
    const last = grid.size - 1;
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
      Home: [0, -last], End: [0, last], PageUp: [-last, 0], PageDown: [last, 0] };
    if (!moves[key]) return undefined;
    const keep = (value) => Math.max(0, Math.min(value, last));
    return { q: keep(cell.q + moves[key][0]), k: keep(cell.k + moves[key][1]) };
  }

  return { canvas, draw, at, step };
}
