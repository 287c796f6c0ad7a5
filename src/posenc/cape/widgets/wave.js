// Picture of what one feature sees: a sine, and the tokens on it before and after.
import { disk, drawing, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { walk } from "../../kit/widgets/shell.js";
import { positionTicks, SIDE } from "./line.js";

export function wavePicture(label) {
  const { canvas, context, begin } = drawing(label);
  const height = 250, top = 58, bottom = 190;
  let s = null, x = null;
  const y = (v) => (top + bottom) / 2 - v * (bottom - top) / 2;

  function draw(state, { width, colors, chosen }) {
    s = state;
    begin(width, height);
    x = (p) => width / 2 + (p / s.edge) * (width / 2 - SIDE);
    const curve = Array.from({ length: 241 }, (_, i) => s.edge * (i / 120 - 1));
    polyline(context, colors.line, curve.map((p) => [x(p), y(Math.sin(s.theta * p))]),
      { thick: 1.5 });
    polyline(context, colors.line, [[x(0), top - 8], [x(0), bottom + 8]], { dash: [3, 3] });
    s.before.forEach((p, i) => before(x(p), y(Math.sin(s.theta * p)), i === chosen, colors));
    s.after.forEach((p, i) => after(x(p), y(s.sine[i]), i === chosen, colors));
    before(SIDE + 6, 14, false, colors);
    write(context, "before", SIDE + 18, 14, { size: 13, align: "left", color: colors.text });
    after(SIDE + 86, 14, false, colors);
    write(context, "after", SIDE + 98, 14, { size: 13, align: "left", color: colors.text });
    write(context, "sine of one pair", width - SIDE, 14,
      { size: 13, align: "right", color: colors.text });
    positionTicks(context, colors, s, x, bottom + 18);
    write(context, "position", width / 2, height - 12, { size: 13, color: colors.position });
  }

  const before = (cx, cy, bold, colors) =>
    ring(context, cx, cy, bold ? 8 : 5.5, colors.text, bold ? 2.5 : 1.3);
  const after = (cx, cy, bold, colors) => disk(context, cx, cy, bold ? 7 : 4, colors.position);

  function at(px) {
    if (!s) return null;
    const away = s.after.map((p) => Math.abs(x(p) - px)), near = Math.min(...away);
    return near < 24 ? away.indexOf(near) : null;
  }
  const step = (key, item) => walk(key, item, 0, s.tokens - 1, 0);
  return { kind: "token", canvas, draw, at, step };
}
