// Curves of measured cost on linear or logarithmic axes, with a cursor.
import { drawing, polyline, ring, UP, write } from "../../kit/widgets/canvas.js";
import { grouped, walk } from "../../kit/widgets/shell.js";
import { guessable } from "../../kit/widgets/guess.js";
import { ticksOf } from "../../kit/widgets/plot.js";
import { dot } from "./shared.js";

export const UNIT = { ms: "ms", mib: "MiB" };
/** Steps of a guess in a doubling. */
const PARTS = 4;

/** What is guessed: each step up or down, from the first value of the first method on. */
export const guessed = (value, step) => value * 2 ** (step / PARTS);

export const TITLE = { ms: "time", mib: "memory" };

/** Color, dashes and marker of a method. */
export const look = (s, name) => (name === s.one ? { role: "query", dash: [] }
  : name === s.other ? { role: "key", dash: [8, 4], square: true }
    : { role: "muted", dash: [2, 3] });

/** The curves: one can be guessed; then arrow keys and clicks move the cursor. */
export function curvesView(model) {
  const { canvas, context, begin } = drawing("Measured curves against length. While you guess one, arrow " +
    "keys move its dots. Later arrow keys and clicks move the cursor.");
  let s = null, box = null, scale = null;
  const bend = (v) => (s.log ? Math.log10(v) : v);
  const share = (v, [low, high]) => (bend(v) - bend(low)) / (bend(high) - bend(low));
  const x = (n) => box.left + share(n, scale.x) * (box.right - box.left);
  const y = (v) => box.bottom - share(v, scale.y) * (box.bottom - box.top);

  function draw(state, { width, colors, chosen }) {
    s = state;
    begin(width, 340);
    box = { left: 56, right: width - 24, top: 58, bottom: 296 };
    const values = Object.values(s.curves).flat().filter((v) => v !== null && v > 0);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    scale = { x: s.log ? [s.lengths[0] / 1.15, s.lengths.at(-1) * 1.15] : [0, s.lengths.at(-1) * 1.04],
      y: s.log ? [low / 1.4, high * 1.4] : [0, high * 1.06] };
    drawFrame(colors);
    const names = Object.keys(s.curves).sort((a, b) => look(s, b).role.localeCompare(look(s, a).role));
    context.save(); // what is revealed comes from the left
    context.beginPath();
    context.rect(0, 0, s.guess.share < 1 ? box.left + s.guess.share * (box.right - box.left) : width, 340);
    context.clip();
    names.filter((name) => name !== s.one && !s.guess.hidden).forEach((name) => drawCurve(name, colors));
    context.restore();
    drawCurve(s.one, colors);
    drawNumbers(colors);
    cursor(s.at, colors, colors.position, []);
    if (chosen !== null && chosen !== s.at) cursor(chosen, colors, colors.muted, [2, 3]);
    [s.one, ...(s.guess.hidden ? [] : [s.other])].forEach((name, i) => {
      const { role, square, dash } = look(s, name);
      polyline(context, colors[role], [[4, 13 + 20 * i], [34, 13 + 20 * i]], { dash, thick: 2 });
      dot(context, [19, 13 + 20 * i], colors[role], 4, square);
      write(context, s.names[name], 42, 13 + 20 * i, { size: 13, align: "left", color: colors.text });
    });
  }

  function drawFrame(colors) {
    for (const v of ticksOf(...scale.y, s.log)) {
      polyline(context, colors.raised, [[box.left, y(v)], [box.right, y(v)]]);
      write(context, grouped(+v.toPrecision(6)), box.left - 6, y(v), { size: 11, align: "right", color: colors.muted });
    }
    polyline(context, colors.line, [[box.left, box.bottom], [box.right, box.bottom]]);
    let free = -Infinity; // no label over the one before it
    for (const n of s.lengths) {
      polyline(context, colors.line, [[x(n), box.bottom], [x(n), box.bottom + 4]]);
      if (x(n) - 20 < free) continue;
      free = x(n) + 22;
      write(context, grouped(n), Math.min(x(n), box.right + 4), box.bottom + 14, { size: 11, color: colors.muted });
    }
    write(context, "length L (tokens)", (box.left + box.right) / 2, box.bottom + 34,
      { size: 13, color: colors.position });
    write(context, `${TITLE[s.what]} (${UNIT[s.what]})`, 8, box.top,
      { size: 13, align: "right", turn: UP, color: colors.text });
  }

  function drawCurve(name, colors) {
    const { role, dash, square } = look(s, name);
    const points = s.curves[name].map((v, i) => v > 0 && [x(s.lengths[i]), y(v)]).filter(Boolean);
    polyline(context, colors[role], points, { dash, thick: role === "muted" ? 1.2 : 2 });
    points.forEach((point) => dot(context, point, colors[role], role === "muted" ? 2.5 : 4, square));
  }

  /** At the end of each curve its number in the bars, pushed apart where ends are close. */
  function drawNumbers(colors) {
    const ends = Object.keys(s.curves).map((name, i) => {
      const last = s.curves[name].findLastIndex((v) => v > 0);
      return last < 0 || (name !== s.one && s.guess.share < 1) ? null : { name, words: i + 1, last, y: y(s.curves[name][last]) };
    }).filter(Boolean).sort((a, b) => a.y - b.y);
    const taken = {};
    for (const end of ends) {
      const free = Math.max(end.y, taken[end.last] ?? -Infinity);
      taken[end.last] = free + 13;
      write(context, end.words, x(s.lengths[end.last]) + 13, free,
        { size: 12, bold: true, color: colors[look(s, end.name).role] });
    }
  }

  function cursor(i, colors, color, dash) {
    const n = s.lengths[i];
    polyline(context, color, [[x(n), box.top], [x(n), box.bottom]], { dash, thick: 1.5 });
    for (const name of s.guess.share < 1 ? [s.one] : [s.one, s.other]) {
      const value = s.curves[name][i];
      if (!value) continue;
      ring(context, x(n), y(value), 7.5, colors.text, 1.5);
    }
  }

  function at(px) {
    if (!box || px < box.left - 12 || px > box.right + 12) return null;
    const far = s.lengths.map((n) => Math.abs(x(n) - px));
    return far.indexOf(Math.min(...far));
  }
  function move(i) {
    model.set("seq_len", s.lengths[i]);
    model.save_changes();
  }
  function step(key) {
    const i = walk(key, s.at, 0, s.lengths.length - 1, s.at);
    if (key !== "" && i !== undefined) move(i);
    return i === undefined ? undefined : null;
  }
  const inside = (py) => Math.max(box.top, Math.min(py, box.bottom));
  function valueAt(py) {
    const [low, high] = scale.y.map(bend), v = low + (box.bottom - inside(py)) / (box.bottom - box.top) * (high - low);
    return s.log ? 10 ** v : v;
  }
  return guessable(model, { kind: "length", canvas, context, draw, at, step, press: move }, {
    items: model.get("lengths").map((_, i) => i),
    most: model.get("most_steps"),
    place: (i, n) => [x(s.lengths[i]), inside(y(guessed(s.start, n)))],
    stepAt: (i, py) => PARTS * Math.log2(valueAt(py) / s.start),
  });
}
