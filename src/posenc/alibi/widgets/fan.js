// The simple view: one straight line that tilts, and what it leaves of each key's weight.
import { disk, drawing, outline, polyline, write } from "../../kit/widgets/canvas.js";
import { count, moving, real } from "../../kit/widgets/shell.js";
import { slopeWords } from "./state.js";

const TOP = 30, BOTTOM = 172, STRIP = [192, 232], HEIGHT = 256, SIDE = 12, DEPTH = 4, REACH = 24;

/** The line of a head, or of one between two heads while it tilts. */
export function fanState(model) {
  const heads = model.get("num_heads"), head = Math.min(model.get("head"), heads);
  const slopes = model.get("slopes")[31 - Math.clz32(heads)].slice(0, heads);
  const [low, high] = [Math.floor(head), Math.ceil(head)].map((n) => slopes[n - 1]);
  const slope = low * (high / low) ** (head - Math.floor(head));
  const factors = count(0, REACH - 1).map((distance) => Math.exp(-slope * distance));
  return { head, heads, slopes, slope, factors, shown: { slope, factors } };
}

/** How far the head sees. */
export const fanWords = ({ head, heads, slope, factors }) =>
  `Head ${head} of ${heads}, slope ${slopeWords(slope)}: a key 8 tokens back keeps ` +
  `${real(factors[8])} of its weight.`;

/** The query stands on the right; dragging up or down tilts the line. */
export function fallingLine(model) {
  const { canvas, context, begin } = drawing("A line that falls to the left of the query, and " +
    "below it how much of each key is left. Drag it or press arrow keys to tilt it.");
  let s = null, unit = 1, right = 0;
  const x = (distance) => right - distance * unit;
  const y = (bias) => TOP - bias * (BOTTOM - TOP) / DEPTH;
  const end = (slope) => Math.min(REACH - 0.5, DEPTH / slope);

  function headAt(px, py) {
    const distance = Math.max((right - px) / unit, 0.5), bias = Math.max(py - TOP, 1) * DEPTH / (BOTTOM - TOP);
    const away = s.slopes.map((slope) => Math.abs(Math.log(slope * distance / bias)));
    return away.indexOf(Math.min(...away));
  }

  function draw(state, { width, colors }) {
    s = state;
    unit = (width - 2 * SIDE) / REACH;
    right = width - SIDE - unit / 2;
    begin(width, HEIGHT);
    polyline(context, colors.line, [[SIDE, TOP], [width - SIDE, TOP]]);
    for (const slope of s.slopes)
      polyline(context, colors.line, [[x(0), y(0)], [x(end(slope)), y(-slope * end(slope))]], { dash: [2, 4] });
    polyline(context, colors.position,
      [[x(0), y(0)], [x(end(s.slope)), y(-s.slope * end(s.slope))]], { thick: 4 });
    const grip = Math.min(end(s.slope), REACH / 2);
    disk(context, x(grip), y(-s.slope * grip), 9, colors.position);
    write(context, "↕", x(grip), y(-s.slope * grip), { size: 12, bold: true, color: colors.surface });
    write(context, "added to the score", SIDE, 12, { size: 13, align: "left", color: colors.text });
    write(context, "0", width - SIDE, 12, { size: 12, align: "right", color: colors.muted });
    s.factors.forEach((factor, distance) => {
      const left = x(distance) - unit / 2 + 0.5, high = STRIP[1] - STRIP[0];
      outline(context, left + 0.5, STRIP[0] + 0.5, unit - 2, high - 1, colors.line, { thick: 1 });
      context.globalAlpha = factor;
      context.fillStyle = distance ? colors.key : colors.query;
      context.fillRect(left, STRIP[0], unit - 1, high);
      context.globalAlpha = 1;
    });
    write(context, "what is left of each key", SIDE, HEIGHT - 11, { size: 13, align: "left", color: colors.key });
    write(context, "query", width - SIDE, HEIGHT - 11, { size: 13, align: "right", bold: true, color: colors.query });
  }
  return { canvas, draw, ...moving(model, canvas, "head",
    count(1, model.get("num_heads")), headAt) };
}
