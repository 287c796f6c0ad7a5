// Similarity against distance.
import { drawing, polyline, write } from "./canvas.js";

const CURVE = { left: 44, right: 10, top: 12, bottom: 40 }; // margins

export function similarityCurve(label) {
  const { canvas, context, begin } = drawing(label);
  const line = (color, points, thick, dash) => polyline(context, color, points, { dash, thick });
  let width = 1, last = 1;
  const x = (n) => CURVE.left + n / last * (width - CURVE.left - CURVE.right);

  function draw(s, { width: wide, height, colors, chosen }) {
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
    context.beginPath();
    context.arc(x(mark), y(value), 5, 0, 2 * Math.PI);
    context.fillStyle = chosen === null ? colors.position : colors.text;
    context.fill();
    for (let n = 0; n <= last; n += 10) {
      if (Math.abs(n - mark) >= 3)
        write(context, n, x(n), bottom + 13, { size: 11, color: colors.muted });
    }
    const bold = { size: 11, bold: true, color: chosen === null ? colors.position : colors.text };
    write(context, mark, x(mark), bottom + 13, bold);
    const middle = (CURVE.left + width - CURVE.right) / 2;
    write(context, "distance (tokens)", middle, height - 9, { size: 13, color: colors.text });
    context.save();
    context.translate(9, CURVE.top);
    context.rotate(-Math.PI / 2);
    write(context, "similarity", 0, 0, { size: 13, align: "right", color: colors.text });
    context.restore();
  }

  function at(px) {
    const n = Math.round((px - CURVE.left) / (width - CURVE.left - CURVE.right) * last);
    return n >= 0 && n <= last ? n : null;
  }

  /** Distance that a key leads to; undefined for a key that leads nowhere. */
  function step(key, distance) {
    const to = { "": distance, ArrowLeft: distance - 1, ArrowRight: distance + 1,
      Home: 0, End: last, PageUp: distance + 10, PageDown: distance - 10 }[key];
    return to === undefined ? undefined : Math.max(0, Math.min(to, last));
  }

  return { canvas, draw, at, step };
}
