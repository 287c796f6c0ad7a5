// The widget of the chapter on convolution: controls, two grids, and how far outputs lie
// from 0 or from the inner ones.
import { colorTable, outline, write } from "../../kit/widgets/canvas.js";
import { cellGrid } from "../../kit/widgets/matrix.js";
import { linePlot } from "../../kit/widgets/plot.js";
import { count, createWidget, real, setAll } from "../../kit/widgets/widget.js";
import { describe, facts, TRAITS, words } from "./state.js";

// Input and output as two grids, channels down and frames across, with the window between.
const LEFT = 34, HEAD = 20, SPACE = 52;

/** Items are outputs, [channel, frame]; a frame of the input stands for its output. */
const channelGrids = (label, shades) => cellGrid(label, "cell", (s, frame) => {
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

/** On the way, colors and sizes pass from one setting to another of the same shape. */
function mix(from, to, t) {
  const shape = ["length", "channels", "padding"];
  if (shape.some((key) => from[key] !== to[key]) || from.missing !== to.missing) return to;
  const pass = (a, b) => (b === null ? null : (a ?? b) + t * (b - (a ?? b)));
  const all = (a, b) => b.map((value, i) => pass(a[i], value));
  return { ...to, scale: pass(from.scale, to.scale), size: all(from.size, to.size),
    output: to.output.map((row, c) => all(from.output[c], row)) };
}

function render({ model, el }) {
  const initial = Object.fromEntries(TRAITS.map((key) => [key, model.get(key)]));
  const choices = model.get("choices"), get = (key) => model.get(key);
  const divisors = () => count(1, get("channels")).filter((g) => get("channels") % g === 0);
  function chooseChannels(channels) { // groups and impulse must fit
    const groups = Math.max(...divisors().filter((g) => channels % g === 0));
    setAll(model, { groups, channel: Math.min(get("channel"), channels - 1), channels });
  }
  const chooseLength = (seq_len) =>
    setAll(model, { place: Math.min(get("place"), seq_len - 1), seq_len });
  const wav = { signal: "constant", padding: "zeros", crop: "last", kernel: 8, channels: 8,
    groups: 4, seq_len: 20, place: 9, channel: 1 };
  const specs = [
    { kind: "button", label: "the leak at the borders", set: wav },
    { kind: "button", label: "cropped on the wrong side",
      set: { ...initial, kernel: 4, crop: "first" } },
    { kind: "select", key: "signal", label: "input", options: choices.signal },
    { kind: "select", key: "padding", label: "padding", options: choices.padding },
    { kind: "range", key: "kernel", label: "kernel", values: () => count(1, choices.kernel) },
    { kind: "select", key: "crop", label: "even: crop", options: choices.crop },
    { kind: "range", key: "channels", label: "channels", values: () => choices.channels,
      choose: chooseChannels },
    { kind: "range", key: "groups", label: "groups", values: divisors },
    { kind: "range", key: "seq_len", label: "frames", choose: chooseLength,
      values: () => count(...choices.seq_len) },
    { kind: "range", key: "place", label: "impulse at", values: () => count(0, get("seq_len") - 1) },
    { kind: "range", key: "channel", label: "in channel",
      values: () => count(0, get("channels") - 1) },
    { kind: "play", key: "place", label: "move the impulse", ms: 600 },
    { kind: "button", label: "reset" },
  ];
  const grids = channelGrids("Input and output, channels down and frames across. " +
    "Arrow keys move from output to output, and Enter puts the impulse there.", colorTable(get("colors")));
  function putImpulse([channel, place]) {
    setAll(model, { channel, place });
    model.save_changes();
  }
  const curve = linePlot("Size of the answer, frame by frame. Arrow keys move along it.", "frame",
    (s) => ({ first: 0, last: s.length - 1, low: 0, x: "frame", y: "size",
      high: 1.15 * Math.max(...s.size.map((v) => v ?? 0), 0.2),
      series: [{ values: s.size.map((v) => v ?? NaN), role: "position", dots: true,
        words: s.impulse ? "size of the answer" : "distance from the inner outputs" }] }), 270);
  const rows = (s) => s.size.map((size, t) => [t, `${t + s.first} … ${t + s.last}`
    .replaceAll("-", "−"), s.beyond(t), size === null ? "none" : real(size),
    s.output.map((row) => (row[t] === null ? "none" : real(row[t]))).join("; ")]);
  return createWidget({ model, el }, {
    traits: TRAITS, specs, pictures: [{ ...grids, press: putImpulse }, curve], state: describe, mix, words, facts, tips: false,
    tables: [{ head: ["frame", "its window", "beyond the ends", "size", "output by channel"], rows }],
  });
}

export default { render };
