// Curves over whole numbers, on a linear or a logarithmic scale.
import { disk, drawing, polyline, ring, UP, write } from "./canvas.js";
import { walk } from "./widget.js";

const PLOT = { left: 52, right: 10, bottom: 40 }; // margins

/** About five round numbers between low and high; powers of ten on a logarithmic scale. */
export function ticksOf(low, high, log) {
  if (log) {
    const [from, to] = [Math.ceil(Math.log10(low)), Math.floor(Math.log10(high))];
    return Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i));
  }
  const rough = (high - low) / 5, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((n) => n * power >= rough) * power;
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

const number = (v, log) => (log && v >= 1e4 ? `10${power(Math.round(Math.log10(v)))}`
  : (+v.toPrecision(6)).toLocaleString("en-US", { maximumFractionDigits: 9 }).replace("-", "−"));
const power = (n) => [...String(n)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");

/**
 * `plan(state)` gives { first, last, low, high, log, x, y, start, series, lines, mark }: a
 * series has `values` from x = first on, `words`, `role`, `dash`, `dots` or `rings`, `steps`,
 * true for a staircase, and `share`, the part of it from the left that is drawn if not all; a
 * line has `at`, `words`, `role` if not "position", `below`, true for words below it, and
 * `end`, true for words at its right end; `mark` is an item with a ring, on the first series
 * that is drawn whole. Items are whole x.
 */
export function linePlot(label, kind, plan, height = 300) {
  const { canvas, context, begin } = drawing(label);
  const stroke = (points, color, look) => polyline(context, color, points, look);
  let p = null, box = null;
  const bend = (v) => (p.log ? Math.log10(Math.max(v, p.low)) : v);
  const x = (i) => box.left + ((i - p.first) / (p.last - p.first)) * (box.right - box.left);
  const y = (v) => box.bottom -
    ((bend(v) - bend(p.low)) / (bend(p.high) - bend(p.low))) * (box.bottom - box.top);

  function draw(state, { width, colors, chosen }) {
    p = plan(state);
    const names = p.series.filter(({ words }) => words);
    begin(width, height);
    box = { left: PLOT.left, right: width - PLOT.right, top: 22 + 17 * names.length,
      bottom: height - PLOT.bottom };
    drawFrame(colors);
    names.forEach((one, i) => {
      stroke([[box.left, 16 + 17 * i], [box.left + 26, 16 + 17 * i]], colors[one.role],
        { dash: one.dash, thick: 2 });
      spot(one, box.left + 13, 16 + 17 * i, colors);
      write(context, one.words, box.left + 33, 16 + 17 * i,
        { size: 12.5, align: "left", color: colors.text });
    });
    for (const one of p.series) drawSeries(one, colors);
    for (const { at, words, role = "position", below, end } of p.lines ?? []) {
      stroke([[box.left, y(at)], [box.right, y(at)]], colors[role], { dash: [6, 4] });
      write(context, words, end ? box.right - 4 : box.left + 4, y(at) + (below ? 9 : -8),
        { size: 12, align: end ? "right" : "left", color: colors[role], halo: colors.surface });
    }
    if (p.mark !== undefined) mark(p.mark, colors, 7);
    if (chosen !== null) {
      stroke([[x(chosen), box.top], [x(chosen), box.bottom]], colors.muted, { dash: [2, 3] });
      mark(chosen, colors, 5);
    }
  }

  function mark(i, colors, radius) {
    const { values } = p.series.find(({ share = 1 }) => share === 1);
    const place = i - p.first, below = Math.floor(place);
    const [low, high] = [values[below], values[Math.ceil(place)]];
    const value = low + (place - below) * (high - low); // between two items on the way
    if (!Number.isNaN(value)) ring(context, x(i), y(value), radius, colors.text);
  }

  function drawFrame(colors) {
    for (const v of ticksOf(p.low, p.high, p.log)) {
      stroke([[box.left, y(v)], [box.right, y(v)]], v === 0 ? colors.line : colors.raised);
      write(context, number(v, p.log), box.left - 6, y(v),
        { size: 11, align: "right", color: colors.muted });
    }
    stroke([[box.left, box.bottom], [box.right, box.bottom]], colors.line);
    for (const i of ticksOf(p.first, p.last, false).filter(Number.isInteger))
      write(context, number(i), x(i), box.bottom + 11, { size: 11, color: colors.muted });
    write(context, p.x, (box.left + box.right) / 2, box.bottom + 30,
      { size: 13, color: colors.position });
    write(context, p.y, 8, box.top, { size: 13, align: "right", turn: UP, color: colors.text });
  }

  function spot({ role, dots, rings }, x, y, colors) {
    if (dots) disk(context, x, y, 3.2, colors[role]);
    if (rings) ring(context, x, y, 5, colors[role], 1.5);
  }

  function drawSeries(one, colors) {
    const { values, role, dash, dots, rings, steps, share = 1 } = one;
    const middle = (i) => x(Math.max(p.first, Math.min(p.first + i, p.last)));
    const points = values.flatMap((v, i) => (steps ? [i - 0.5, i + 0.5] : [i])
      .map((at) => [middle(at), y(v)]));
    points.length = Math.round(share * points.length);
    if (!dots && !rings) return stroke(points, colors[role], { dash, thick: 2 });
    stroke(points, colors[role], { dash, thick: 1 });
    for (const point of points) spot(one, ...point, colors);
  }

  function at(px) {
    if (!box || px < box.left - 6 || px > box.right + 6) return null;
    const i = p.first + ((px - box.left) / (box.right - box.left)) * (p.last - p.first);
    return Math.round(Math.max(p.first, Math.min(i, p.last))) + 0; // no −0
  }
  const step = (key, item) => walk(key, item, p.first, p.last, p.start ?? p.first);

  /** Where a value stands, at the border if beyond it, and the value at a height. */
  const inside = (py) => Math.max(box.top, Math.min(py, box.bottom));
  const place = (i, v) => [x(i), inside(y(v))];
  function valueAt(py) {
    const up = (box.bottom - inside(py)) / (box.bottom - box.top);
    const v = bend(p.low) + up * (bend(p.high) - bend(p.low));
    return p.log ? 10 ** v : v;
  }
  return { kind, canvas, context, draw, at, step, place, valueAt };
}
