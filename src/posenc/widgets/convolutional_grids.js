// Input and output as two grids, channels down and frames across, with the window between.
import { drawing, write } from "./canvas.js";
import { walk } from "./shell.js";

const LEFT = 34, HEAD = 20, GAP = 52;

/** `draw(s, …)` draws the state of convolutional_state.js; items are cells of the output. */
export function channelGrids(label, shades) {
  const { canvas, context, begin } = drawing(label);
  let grid = { size: 1, rows: 1, columns: 1, top: 0, from: 0 };

  function draw(s, { width, colors, chosen }) {
    const before = s.padding === "valid" ? 0 : Math.max(-s.first, 0);
    const after = s.padding === "valid" ? 0 : Math.max(s.last, 0);
    const size = Math.min((width - LEFT - 2) / (s.length + before + after), 26);
    const high = Math.min(Math.max(size, 11), 20);
    const top = HEAD + s.channels * high + GAP;
    grid = { size, high, rows: s.channels, columns: s.length, top, from: LEFT + before * size };
    begin(width, top + s.channels * high + 24);
    const t = chosen === null ? null : chosen % s.length;
    const group = chosen === null ? null : s.groupOf(Math.floor(chosen / s.length));
    write(context, "input", 0, 9, { size: 13, align: "left", color: colors.text });
    write(context, "output", 0, top - 11, { size: 13, align: "left", color: colors.text });
    for (let c = 0; c < s.channels; c++) {
      for (let f = -before; f < s.length + after; f++) inputCell(s, c, f, colors);
      for (let f = 0; f < s.length; f++) outputCell(s, c, f, colors);
      for (const y of [HEAD, top])
        write(context, c, LEFT - 8, y + (c + 0.5) * high,
          { size: 11, align: "right", color: colors.muted });
    }
    for (let g = 1; g < s.groups; g++) groupLine(s, g, colors);
    if (t !== null) showWindow(s, t, group, Math.floor(chosen / s.length), colors);
    const every = [1, 2, 4, 8].find((n) => n * size >= 18);
    for (let f = 0; f < s.length; f += every)
      write(context, f, grid.from + (f + 0.5) * size, top + s.channels * high + 11,
        { size: 11, color: f === t ? colors.position : colors.muted, bold: f === t });
  }

  function inputCell(s, c, f, colors) {
    const x = grid.from + f * grid.size, y = HEAD + c * grid.high;
    const inside = f >= 0 && f < s.length;
    if (inside) return fill(x, y, shades(0.5 + s.input(c, f) / 2).fill);
    const frame = ((f % s.length) + s.length) % s.length;
    if (s.padding === "circular") {
      context.globalAlpha = 0.4;
      fill(x, y, shades(0.5 + s.input(c, frame) / 2).fill);
      context.globalAlpha = 1;
    }
    context.strokeStyle = colors.key;
    context.lineWidth = 1;
    context.setLineDash([2, 2]);
    context.strokeRect(x + 1.5, y + 1.5, grid.size - 3, grid.high - 3);
    context.setLineDash([]);
  }

  function outputCell(s, c, f, colors) {
    const x = grid.from + f * grid.size, y = grid.top + c * grid.high, value = s.output[c][f];
    if (value !== null)
      return fill(x, y, shades(0.5 + Math.max(-1, Math.min(value / s.scale, 1)) / 2).fill);
    context.strokeStyle = colors.line;
    context.lineWidth = 1;
    context.strokeRect(x + 1.5, y + 1.5, grid.size - 3, grid.high - 3);
  }

  function fill(x, y, color) {
    context.fillStyle = color;
    context.fillRect(x, y, grid.size - 1, grid.high - 1);
  }

  function groupLine(s, g, colors) {
    for (const top of [HEAD, grid.top]) {
      const y = top + g * s.width * grid.high - 0.5;
      context.fillStyle = colors.text;
      context.fillRect(grid.from, y - 0.5, s.length * grid.size - 1, 1.4);
    }
  }

  /** Frame of the window in its group, and lines from it to the chosen output. */
  function showWindow(s, t, group, c, colors) {
    const left = Math.max(grid.from + (t + s.first) * grid.size, LEFT - 4);
    const right = grid.from + (t + s.last + 1) * grid.size - 1;
    const y = HEAD + group * s.width * grid.high, tall = s.width * grid.high - 1;
    const x = grid.from + t * grid.size, to = grid.top + c * grid.high;
    context.globalAlpha = 0.2;
    context.fillStyle = colors.position;
    context.beginPath();
    for (const point of [[left, y + tall], [right, y + tall], [x + grid.size - 1, to], [x, to]])
      context.lineTo(...point);
    context.fill();
    context.globalAlpha = 1;
    for (const [color, thick] of [[colors.surface, 5], [colors.position, 2.5]]) {
      context.strokeStyle = color;
      context.lineWidth = thick;
      context.strokeRect(left, y, right - left, tall);
      context.strokeRect(x, to, grid.size - 1, grid.high - 1);
    }
  }

  function at(x, y) {
    const f = Math.floor((x - grid.from) / grid.size);
    let c = Math.floor((y - grid.top) / grid.high);
    if (c < 0) c = Math.floor((y - HEAD) / grid.high); // a frame of the input: its output
    const inside = f >= 0 && c >= 0 && f < grid.columns && c < grid.rows;
    return inside ? c * grid.columns + f : null;
  }

  function step(key, item) {
    const { rows, columns } = grid, from = item ?? 0, row = from - (from % columns);
    if (key === "Home" || key === "ArrowLeft" || key === "End" || key === "ArrowRight")
      return walk(key, item, row, row + columns - 1, 0);
    const to = walk(key, item, 0, rows * columns - 1, 0, columns);
    return to === undefined || (to - from) % columns ? (to === undefined ? to : from) : to;
  }
  return { kind: "cell", canvas, draw, at, step };
}
