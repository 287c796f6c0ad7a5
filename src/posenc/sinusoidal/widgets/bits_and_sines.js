// Widget: binary digits, the sines of the same periods, and dials, at a position that may
// lie between two whole numbers.
import { disk, drag, drawing, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { count, createWidget } from "../../kit/widgets/widget.js";
import { dialAngle, digitsOf, shown } from "./math.js";

// Picture of the dials that turn at the pace of the binary digits.

/** A row of dials, or two; each shows its angle, sine and cosine by its hand. */
function dialFaces() {
  const { canvas, context, begin } = drawing("Dials: the table below says the same.");
  canvas.setAttribute("role", "img"); // nothing in it can be chosen
  canvas.removeAttribute("tabindex");

  function draw(s, { width, colors }) {
    const columns = width < 300 ? 2 : 4, cell = Math.min(width / columns, 130), tall = cell + 44;
    begin(cell * columns, tall * Math.ceil(s.count / columns));
    for (const j of s.dials) {
      const x = (j % columns + 0.5) * cell, y = Math.floor(j / columns) * tall + cell / 2 + 20;
      const radius = 0.42 * cell, tip = [x + radius * s.sines[j], y - radius * s.cosines[j]];
      const line = (color, points, thick) => polyline(context, color, points, { thick });
      disk(context, x, y, radius, colors.raised);
      ring(context, x, y, radius, colors.line, 1);
      line(colors.line, [[x, y - radius], [x, y + radius]], 1);
      if (s.both) line(colors.key, [[tip[0], y], tip], 3);
      line(colors.position, [[x, y], [tip[0], y]], s.both ? 3 : 1);
      line(colors.position, [[x, y], tip], 3);
      write(context, `period ${2 ** (j + 1)}`, x, y - radius - 11, { size: 12, color: colors.text });
      write(context, shown(s.sines[j]), x, y + radius + 12, { size: 12, color: colors.position });
    }
  }
  return { canvas, draw };
}

const LEFT = 66, PITCH = 62, WAVE = 19, TOP = 26;

/** All that is shown. */
function describe(model) {
  const { last, num_digits, step } = model.get("choices"), position = model.get("position");
  const below = Math.floor(position), dials = [...Array(num_digits).keys()];
  const angles = dials.map((j) => dialAngle(position, j)), digits = digitsOf(below, num_digits);
  const [sines, cosines] = [angles.map(Math.sin), angles.map(Math.cos)];
  return {
    last, step, position, below, dials, angles, count: num_digits, digits, sines, cosines,
    whole: below === position, both: model.get("cosines"), shown: { digits, sines, cosines },
  };
}

function facts(s) {
  const { position, below, digits, whole } = s, next = digitsOf(below + 1, s.count);
  const sum = digits.map((digit, j) => `${digit} × ${2 ** j}`).join(" + ");
  const changing = s.dials.filter((j) => digits[j] !== next[j]).map(String);
  return [
    below === s.last
      ? `Position ${s.last} has no digits left: all of them would start again at 0.`
      : whole ? `${position} = ${sum}.`
        : `Between ${below} and ${below + 1} there are no digits: on the way, ` +
          `${changing.length === 1 ? "digit" : "digits"} ${changing.join(", ")} will jump. ` +
          "Every sine has a value here.",
    whole ? "At whole positions the sine of period 2 is always 0."
      : "The sine of period 2 lives only between whole positions.",
    ...(s.both ? ["The tip of a hand is as far right as its sine and as far up as its cosine."] : []),
  ];
}

function words(s) {
  const digits = s.below === s.last ? "no digits"
    : `digits ${s.whole ? "" : `of ${s.below}: `}${s.digits.join(" ")}`;
  const cosines = s.both ? `; cosines ${s.cosines.map((v) => shown(v)).join(", ")}` : "";
  return `position ${s.position}: ${digits}; sines ${s.sines.map((v) => shown(v)).join(", ")}${cosines}`;
}

/** One line: digits jump, sines glide. */
const openingWords = (s) => `Position ${s.position}: ` + (s.whole && s.below < s.last
  ? `the digits are ${s.digits.join(" ")}, the lowest first.`
  : "here are no digits, but every sine has a value.");

/** Strips of digits with their waves; a place on it stands for a position, which is `put`. */
function strips(put) {
  const { canvas, context, begin } = drawing(
    "Binary digits and sines by position. Arrow keys move the position.");
  const line = (color, points, look) => polyline(context, color, points, look);
  let unit = 1;
  const x = (position) => LEFT + position * unit;

  function draw(s, { width, colors }) {
    unit = (width - LEFT - 10) / s.last;
    const bottom = TOP + s.count * PITCH;
    begin(width, bottom + 26);
    for (const j of s.dials) drawStrip(s, j, TOP + j * PITCH + WAVE, colors);
    line(colors.text, [[x(s.position), 8], [x(s.position), bottom + 4]], { thick: 2 });
    const every = unit < 14 ? 4 : unit < 22 ? 2 : 1;
    for (let m = 0; m <= s.last; m += every)
      write(context, m, x(m), bottom + 14, { size: 12, color: colors.position });
    write(context, "position", LEFT - 8, bottom + 14, { size: 12, align: "right", color: colors.text });
  }

  function drawStrip(s, j, middle, colors) {
    for (let m = 0; m < s.last; m++) {
      const digit = digitsOf(m, s.count)[j], here = s.whole && m === s.position;
      context.fillStyle = digit ? colors.query : colors.raised;
      context.globalAlpha = digit ? 0.45 : 1;
      context.fillRect(x(m), middle - WAVE, unit - 1, 2 * WAVE);
      context.globalAlpha = 1;
      const color = digit || here ? colors.text : colors.muted;
      write(context, digit, x(m + 0.5), middle + WAVE + 9, { size: 12, bold: here, color });
    }
    const curve = (f) => Array.from({ length: 64 * s.last / 2 + 1 }, (_, n) =>
      [x(n / 32), middle - WAVE * f(dialAngle(n / 32, j))]);
    if (s.both) line(colors.key, curve(Math.cos), { dash: [4, 3], thick: 1.4 });
    line(colors.position, curve(Math.sin), { thick: 2 });
    disk(context, x(s.position), middle - WAVE * s.sines[j], 4.5, colors.position);
    const at = { size: 12, align: "right", color: colors.text };
    write(context, `digit ${j}`, LEFT - 8, middle - 8, at);
    write(context, `period ${2 ** (j + 1)}`, LEFT - 8, middle + 8, at);
  }

  const go = (across) => put((across - LEFT) / unit);
  drag(canvas, { start: (across) => { go(across); return true; }, move: (_, across) => go(across) });
  const step = (key, now, { step, last }) => ({ ArrowLeft: now - step, ArrowDown: now - step,
    ArrowRight: now + step, ArrowUp: now + step, PageDown: now - 1, PageUp: now + 1, Home: 0,
    End: last })[key];
  return { canvas, draw, step, move: put, now: (s) => s.position };
}

function render({ model, el }) {
  const { last, step } = model.get("choices");
  const move = (to) => model.set("position", Math.max(0, Math.min(to, last)));
  const by = (change) => () => move(model.get("position") + change);
  const put = (to) => { move(Math.round(to / step) * step); model.save_changes(); };
  const positions = () => count(0, last / step).map((n) => n * step), picture = strips(put);
  return createWidget({ model, el }, {
    traits: ["position", "cosines"], state: describe, words, facts, spoken: words,
    specs: [
      { kind: "range", key: "position", label: "position", values: positions },
      { kind: "checkbox", key: "cosines", label: "cosines too" },
      { kind: "button", label: "one step back", press: by(-1) },
      { kind: "button", label: "one step on", press: by(1) },
      { kind: "button", label: "half a step on", press: by(0.5) },
      { kind: "button", label: "reset" },
    ],
    pictures: [picture, dialFaces()], layout: "stack",
    simple: { pictures: [picture], smooth: ["position"], words: openingWords,
      specs: [{ kind: "play", key: "position", label: "count on", ms: 70, values: positions }] },
    tables: [{ head: ["dial", "period", "digit", "sine", "cosine"],
      rows: (s) => s.dials.map((j) => [j, 2 ** (j + 1),
        s.whole && s.below < last ? s.digits[j] : "none",
        shown(s.sines[j], 3), shown(s.cosines[j], 3)]) }],
  });
}

export default { render };
