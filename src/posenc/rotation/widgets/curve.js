// Similarity against distance.
import { disk, drawing, polyline, UP, write } from "../../kit/widgets/canvas.js";
import { distanceOf } from "./state.js";

const CURVE = { left: 44, right: 10, top: 12, bottom: 40 }; // margins

export function similarityCurve(label) {
  const { canvas, context, begin } = drawing(label);
  const line = (color, points, thick, dash) => polyline(context, color, points, { dash, thick });
  let width = 1, last = 1;
  const x = (n) => CURVE.left + n / last * (width - CURVE.left - CURVE.right);

  function draw(s, { width: wide, colors, choice }) {
    const height = 250, chosen = distanceOf(choice);
    [width, last] = [wide, s.count - 1];
    begin(width, height);
    const low = Math.min(s.lowest, 0) - 0.08, bottom = height - CURVE.bottom;
    const y = (v) => bottom - (v - low) / (1.08 - low) * (bottom - CURVE.top);
    for (const v of [-1, -0.5, 0, 0.5, 1]) {
      if (v < low) continue;
      line(v ? colors.raised : colors.line, [[CURVE.left, y(v)], [width - CURVE.right, y(v)]], 1);
      const words = String(v).replace("-", "−");
      write(context, words, CURVE.left - 6, y(v), { size: 11, align: "right", color: colors.muted });
    }
    line(colors.position, s.similarity.map((v, n) => [x(n), y(v)]), 2);
    const mark = chosen ?? Math.abs(s.offset), value = s.similarity[mark];
    line(colors.muted, [[x(mark), y(value)], [x(mark), bottom]], 1, [3, 3]);
    const color = chosen === null ? colors.position : colors.text;
    disk(context, x(mark), y(value), 5, color);
    for (let n = 0; n <= last; n += 10) {
      if (Math.abs(n - mark) >= 3)
        write(context, n, x(n), bottom + 13, { size: 11, color: colors.muted });
    }
    write(context, mark, x(mark), bottom + 13, { size: 11, bold: true, color });
    const middle = (CURVE.left + width - CURVE.right) / 2;
    write(context, "distance (tokens)", middle, height - 9, { size: 13, color: colors.text });
    write(context, "similarity", 9, CURVE.top,
      { size: 13, align: "right", turn: UP, color: colors.text });
  }

  function at(px) {
    const n = Math.round((px - CURVE.left) / (width - CURVE.left - CURVE.right) * last);
    return n >= 0 && n <= last ? n : null;
  }

  /** Distance that a key leads to; undefined for a key that leads nowhere. */
  function step(key, chosen, s) {
    const distance = chosen ?? Math.abs(s.offset);
    const to = { "": distance, ArrowLeft: distance - 1, ArrowRight: distance + 1,
      Home: 0, End: last, PageUp: distance + 10, PageDown: distance - 10 }[key];
    return to === undefined ? undefined : Math.max(0, Math.min(to, last));
  }

  return { kind: "distance", canvas, draw, at, step };
}
