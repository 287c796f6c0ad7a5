// The widget of the chapter on convolution: controls, two grids, and how far outputs lie
// from 0 or from the inner ones.
import { colorTable } from "../../kit/widgets/canvas.js";
import { count, real, setAll, shell } from "../../kit/widgets/shell.js";
import { linePlot } from "../../kit/widgets/plot.js";
import { describe, facts, TRAITS, words } from "./state.js";
import { channelGrids } from "./grids.js";

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
  return shell({ model, el }, {
    traits: TRAITS, specs, pictures: [{ ...grids, press: putImpulse }, curve], state: describe, mix, words, facts, tips: false,
    tables: [{ head: ["frame", "its window", "beyond the ends", "size", "output by channel"], rows }],
  });
}

export default { render };
