// Where the planes of TurnedPair stand, and how their parts add up.
import { polyline, write } from "../../kit/widgets/canvas.js";
import { real } from "../../kit/widgets/shell.js";

export const HEAD = 16; // height of the words above each of several planes
const ROW = 18, LABEL = 54, GAP = 12; // of the bars below them

const mix = (from, to, t) => from + t * (to - from);
const part = (x) => Math.max(0, Math.min(x, 1));

/**
 * Places of the planes: one alone, or two or four beside and below each other, and what is
 * between. All are of one size, and the bars of their parts are as long as their shadows.
 */
export function placesOf({ planes, dials }, width, model) {
  const open = part(planes - 1), below = part(planes - 2);
  const alone = Math.min(width, model.get("simple") ? 270 : 330);
  const reach = model.get("further").reduce((sum, { short }) => sum + short, model.get("lengths")[1]);
  const side = Math.min(width / 2, 170), high = side + HEAD;
  const unit = Math.min(side / 2 - 20, (width - LABEL - 4) / (2 * reach));
  const size = mix(alone / 2 - 26, unit, open), half = mix(alone / 2, side / 2, open);
  const look = { size, half, edge: mix(18, 8, open), away: mix(17, 12, open) };
  const middle = mix(alone / 2, side / 2, open), top = mix(alone / 2, HEAD + side / 2, open);
  const bars = mix(alone, high, open) + below * high + GAP;
  return {
    open, unit: size, reach, bars, zero: LABEL + reach * unit, letters: mix(15, 13, open),
    width: mix(alone, Math.min(width, Math.max(2 * side, LABEL + 2 * reach * unit + 4)), open),
    height: mix(alone, bars + (planes + 1) * ROW + 4, open),
    dials: dials.map(({ weight }, i) => ({ ...look,
      x: mix(middle, (i % 2 + 0.5) * side, i ? weight : 0),
      y: top + (i > 1 ? weight * high : 0) })),
  };
}

/** A bar for the part of each plane, one after another, and below them one for the sum. */
export function drawParts(context, s, { bars, zero, unit }, colors) {
  const alpha = context.globalAlpha, parts = s.parts(s.r), total = s.score(s.r);
  const y = (row) => bars + (row + 0.5) * ROW, x = (value) => zero + value * unit;
  polyline(context, colors.line, [[zero, bars], [zero, y(s.planes) + ROW / 2]]);
  let end = 0;
  parts.forEach((value, i) => {
    context.globalAlpha = alpha * s.dials[i].weight;
    write(context, `plane ${i}`, 0, y(i), { align: "left", color: colors.text });
    polyline(context, colors.muted, [[x(end + value), y(i)], [x(end + value), y(i + 1)]], { dash: [2, 2] });
    context.globalAlpha *= 0.55;
    polyline(context, colors.position, [[x(end), y(i)], [x(end + value), y(i)]], { thick: 9 });
    end += value;
  });
  context.globalAlpha = alpha;
  const sum = { bold: true, color: colors.position };
  polyline(context, colors.position, [[zero, y(s.planes)], [x(total), y(s.planes)]], { thick: 11 });
  write(context, "sum", 0, y(s.planes), { ...sum, align: "left" });
  write(context, real(total), total < 0 ? zero + 6 : zero - 6, y(s.planes),
    { ...sum, size: 13, align: total < 0 ? "left" : "right" });
}
