// The matrix of a shift as colored cells, one block of two by two for each clock.
import { drawing, write } from "./canvas.js";
import { entry } from "./rotation_state.js";

const MATRIX = { left: 40, top: 34 }; // margins

export function blockMatrix(label) {
  const { canvas, context, begin } = drawing(label);
  let size = 1, count = 0;

  function draw(s, { width, height, colors, shade, chosen, block }) {
    count = s.d;
    size = Math.min((width - MATRIX.left) / count, (height - MATRIX.top) / count, 52);
    begin(Math.max(MATRIX.left + count * size, 150), MATRIX.top + count * size + 2);
    context.fillStyle = colors.raised;
    context.fillRect(MATRIX.left, MATRIX.top, count * size, count * size);
    for (let i = 0; i < s.clocks.length; i++) drawBlock(s, i, { colors, shade, block });
    drawNames(colors);
    if (chosen) frame(chosen.column, chosen.row, 1, colors.text, 2.5);
  }

  function drawBlock(s, i, { colors, shade, block }) {
    const gap = size >= 8 ? 1 : 0;
    context.globalAlpha = block !== null && block !== i ? 0.3 : 1;
    for (const row of [2 * i, 2 * i + 1])
      for (const column of [2 * i, 2 * i + 1]) {
        const value = entry(s, row, column), { fill, ink } = shade(value);
        const x = MATRIX.left + column * size, y = MATRIX.top + row * size;
        context.fillStyle = fill;
        context.fillRect(x, y, size - gap, size - gap);
        if (size < 26) continue;
        const words = value.toFixed(size < 36 ? 1 : 2).replace("-", "−");
        write(context, words, x + size / 2, y + size / 2 + 1,
          { color: ink, size: Math.min(14, 0.36 * size) });
      }
    context.globalAlpha = 1;
    frame(2 * i, 2 * i, 2, block === i ? colors.text : colors.muted, block === i ? 2.5 : 1);
  }

  function frame(column, row, cells, color, thick) {
    context.strokeStyle = color;
    context.lineWidth = thick;
    const side = cells * size;
    context.strokeRect(MATRIX.left + column * size, MATRIX.top + row * size, side, side);
  }

  function drawNames(colors) {
    const every = [1, 2, 4, 8, 16].find((n) => n * size >= 18);
    for (let i = 0; i < count; i += every) {
      const d = (i + 0.5) * size, at = { size: 11, color: colors.muted };
      write(context, i, MATRIX.left + d, MATRIX.top - 9, at);
      write(context, i, MATRIX.left - 12, MATRIX.top + d, at);
    }
    const start = { size: 13, align: "left", color: colors.text };
    write(context, "feature before →", MATRIX.left, 9, start);
    context.save();
    context.translate(9, MATRIX.top);
    context.rotate(-Math.PI / 2);
    write(context, "← after", 0, 0, { ...start, align: "right" });
    context.restore();
  }

  function at(x, y) {
    const column = Math.floor((x - MATRIX.left) / size);
    const row = Math.floor((y - MATRIX.top) / size);
    return row >= 0 && column >= 0 && row < count && column < count ? { row, column } : null;
  }

  /** Entry that a key leads to; undefined for a key that leads nowhere. */
  function step(key, place) {
    if (key === "" || !place) return place ?? { row: 0, column: 0 };
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
      Home: [0, -count], End: [0, count], PageUp: [-count, 0], PageDown: [count, 0] };
    if (!moves[key]) return undefined;
    const keep = (n) => Math.max(0, Math.min(n, count - 1));
    const [down, right] = moves[key];
    return { row: keep(place.row + down), column: keep(place.column + right) };
  }

  return { canvas, draw, at, step };
}
