// The grouped convolution of the widget, window by window, and what there is to say of it.
import { plural, spans } from "../../kit/widgets/numbers.js";
import { real } from "../../kit/widgets/widget.js";

export const TRAITS = ["signal", "padding", "crop", "kernel", "channels", "groups",
  "seq_len", "place", "channel"];

/** Return the frame that is read at a place of the window; null for a zero beyond the ends. */
function source(s, frame) {
  if (s.padding === "circular") return ((frame % s.length) + s.length) % s.length;
  return frame >= 0 && frame < s.length ? frame : null;
}

/** All that is shown. `first` and `last` bound the window, relative to its frame. */
export function describe(model) {
  const [signal, padding, crop, kernel, channels, groups, length, place, channel] =
    TRAITS.map((key) => model.get(key));
  const early = crop === "first" && kernel % 2 === 0;
  const first = -Math.floor(kernel / 2) + (early ? 1 : 0), last = first + kernel - 1;
  const impulse = signal === "impulse", width = channels / groups, taps = model.get("taps");
  const s = { signal, padding, crop, kernel, channels, groups, length, place, channel, early,
    first, last, impulse, width };
  s.input = (c, t) => (!impulse || (c === channel && t === place) ? 1 : 0);
  s.groupOf = (c) => Math.floor(c / width);
  s.beyond = (t) => { // how many frames of the window lie beyond the ends
    const outside = Math.max(-(t + first), 0) + Math.max(t + last - length + 1, 0);
    return Math.min(outside, kernel);
  };
  s.output = Array.from({ length: channels }, (_, c) => Array.from({ length }, (_, t) => {
    if (padding === "valid" && s.beyond(t)) return null;
    let sum = 0;
    for (let tap = 0; tap < kernel; tap++) {
      const frame = source(s, t + first + tap);
      if (frame === null) continue;
      for (let i = 0; i < width; i++)
        sum += taps[c][i][tap] * s.input(s.groupOf(c) * width + i, frame);
    }
    return sum;
  }));
  const inner = s.output.map((_, c) => taps[c].slice(0, width)
    .reduce((sum, row) => sum + row.slice(0, kernel).reduce((a, b) => a + b, 0), 0));
  s.size = Array.from({ length }, (_, t) => (s.output[0][t] === null ? null
    : Math.hypot(...s.output.map((row, c) => row[t] - (impulse ? 0 : inner[c])))));
  s.frames = s.size.flatMap((v, t) => (v !== null && v > 1e-9 ? [t] : []));
  s.missing = s.size.filter((v) => v === null).length;
  s.scale = Math.max(...s.output.flat().map(Math.abs), 1e-9);
  s.shown = { output: s.output, size: s.size, first, last };
  return s;
}

const channelsOf = (s, c) => spans(Array.from({ length: s.width },
  (_, i) => s.groupOf(c) * s.width + i), " … ");

/** The status line: the output that is pointed at. */
export function words(s, choice) {
  if (!choice) return "Point at an output, tap it, or press arrow keys in a focused picture. " +
    "A click or Enter puts the impulse there.";
  const grid = choice.kind === "cell", [c, t] = grid ? choice.item : [null, choice.item];
  const beyond = s.beyond(t);
  const value = grid ? s.output[c][t] : s.size[t], off = s.impulse ? "answer of size" : "off by";
  const ends = { zeros: `zero${beyond === 1 ? "" : "s"} beyond an end`,
    circular: "taken from the other end", valid: "beyond an end" }[s.padding];
  const where = `Frame ${t} sees from ${plural(-s.first, "frame")} before itself to ` +
    `${s.last} after: ${t + s.first} … ${t + s.last}`.replaceAll("-", "−") +
    (beyond ? `, ${beyond} ${ends}` : "");
  if (value === null) return `${where}. There is no output.`;
  return grid ? `${where}. Output channel ${c} sees channel${s.width === 1 ? "" : "s"} ${channelsOf(s, c)}: ${real(value)}.`
    : `${where}: ${off} ${real(value)}.`;
}

/** Sentences on the setting: mark, words, color of the mark. */
export function facts(s) {
  const window = `Every frame sees from ${plural(-s.first, "frame")} before itself to ` +
    `${s.last} after` +
    (s.kernel % 2 ? "." : ": an even kernel has no middle" +
      (s.padding === "valid" ? "." : ", and one output is cropped."));
  const facts = [["▬", window, "position"]];
  if (s.early) facts.push(["✗", "The first output is cropped in place of the last: every frame " +
    "gets the output of its right neighbor.", "key"]);
  if (s.impulse) {
    const frames = s.frames.length ? `Frames ${spans(s.frames, " … ")} answer` : "No frame answers";
    facts.push(["●", `${frames}, in channel${s.width === 1 ? "" : "s"} ${channelsOf(s, s.channel)}: ` + (s.groups > 1
      ? "the other groups do not see the impulse." : "all are in one group.")]);
  } else if (s.frames.length)
    facts.push(["◆", `Frames ${spans(s.frames, " … ")} differ from the inner ones: ` +
      `${plural(s.frames.length, "frame")} of ${s.length} can tell that an end is near.`, "key"]);
  else facts.push(["=", "All outputs are equal: nothing tells where a frame is."]);
  if (s.missing) facts.push(["○", `${plural(s.missing, "frame")} of ${s.length} ` +
    `${s.missing === 1 ? "has" : "have"} no output: the window does not fit.`]);
  return facts;
}
