// Input and output as two grids, channels down and frames across, with the window between.
import { outline, write } from "../../kit/widgets/canvas.js";
import { cellGrid } from "../../kit/widgets/cells.js";

const LEFT = 34, HEAD = 20, SPACE = 52;

/** Items are outputs, [channel, frame]; a frame of the input stands for its output. */
export const channelGrids = (label, shades) => cellGrid(label, "cell", (s, frame) => {
  const { width, colors, chosen } = frame, valid = s.padding === "valid";
  const before = valid ? 0 : Math.max(-s.first, 0), after = valid ? 0 : Math.max(s.last, 0);
  const wide = Math.min((width - LEFT - 2) / (s.length + before + after), 26);
  const high = Math.min(Math.max(wide, 11), 20), top = HEAD + s.channels * high + SPACE;
  const left = LEFT + before * wide;
  const shade = (value) => shades(0.5 + Math.max(-1, Math.min(value, 1)) / 2);

  /** The input, and what padding puts before and after it. */
  function input(c, column) {
    const f = column - before;
    if (f >= 0 && f < s.length) return shade(s.input(c, f));
    const from = ((f % s.length) + s.length) % s.length;
    return { dash: colors.key, fill: "transparent", over(context, x, y, w, h) {
      if (s.padding !== "circular") return;
      context.globalAlpha = 0.4;
      context.fillStyle = shade(s.input(c, from)).fill;
      context.fillRect(x, y, w, h);
      context.globalAlpha = 1;
    } };
  }

  function output(c, f) {
    const value = s.output[c][f];
    if (value !== null) return shade(value / s.scale);
    return { fill: "transparent", over: (context, x, y, w, h) =>
      outline(context, x + 1.5, y + 1.5, w - 2, h - 2, colors.line, { thick: 1 }) };
  }

  const head = { plain: colors.muted, color: colors.position };
  const rows = { ...head, chosen: null, align: "right", away: 8 };
  const grid = { rows: s.channels, wide, high, gap: 1 };
  const grids = [
    { ...grid, left: LEFT, top: HEAD, columns: s.length + before + after, cell: input,
      from: [0, -before], quiet: true, heads: { rows } },
    { ...grid, left, top, columns: s.length, cell: output, quiet: true, heads: {
      rows: { ...rows, away: left - LEFT + 8 },
      columns: { ...head, room: 18, away: -(s.channels * high + 11) } } },
  ];
  return { width, height: top + s.channels * high + 24, grids, rows: s.channels, columns: s.length,
    under(context) {
      write(context, "input", 0, 9, { size: 13, align: "left", color: colors.text });
      write(context, "output", 0, top - 11, { size: 13, align: "left", color: colors.text });
    },
    over(context) {
      context.fillStyle = colors.text;
      for (let g = 1; g < s.groups; g++)
        for (const start of [HEAD, top])
          context.fillRect(left, start + g * s.width * high - 1, s.length * wide - 1, 1.4);
      if (chosen) showWindow(context, chosen);
    } };

  /** Frame of the window in its group, and lines from it to the chosen output. */
  function showWindow(context, [c, t]) {
    const from = Math.max(left + (t + s.first) * wide, LEFT - 4);
    const to = left + (t + s.last + 1) * wide - 1;
    const y = HEAD + s.groupOf(c) * s.width * high, tall = s.width * high - 1;
    const [x, below] = [left + t * wide, top + c * high];
    context.globalAlpha = 0.2;
    context.fillStyle = colors.position;
    context.beginPath();
    for (const point of [[from, y + tall], [to, y + tall], [x + wide - 1, below], [x, below]])
      context.lineTo(...point);
    context.fill();
    context.globalAlpha = 1;
    for (const [color, thick] of [[colors.surface, 5], [colors.position, 2.5]]) {
      outline(context, from, y, to - from, tall, color, { thick });
      outline(context, x, below, wide - 1, high - 1, color, { thick });
    }
  }
});
