// Picture of the time line: tokens above and below, lines between them, crossings marked.
import { disk, drawing, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { walk } from "../../kit/widgets/shell.js";

export const SIDE = 14; // margin left and right, of both pictures

/** Ticks of the position axis: whole numbers, not too many. */
export function positionTicks(context, colors, s, x, y) {
  const every = [1, 2, 5, 10, 20].find((n) => (x(n) - x(0)) >= 30);
  for (let p = -Math.floor(s.edge / every) * every; p <= s.edge; p += every)
    write(context, String(p).replace("-", "−"), x(p), y, { size: 11, color: colors.muted });
}

export function timeLine(label) {
  const { canvas, context, begin } = drawing(label);
  const height = 250, above = 46, below = 180;
  let s = null, x = null;

  function draw(state, { width, colors, chosen }) {
    s = state;
    begin(width, height);
    x = (p) => width / 2 + (p / s.edge) * (width / 2 - SIDE);
    for (const y of [above, below])
      polyline(context, colors.line, [[SIDE, y], [width - SIDE, y]]);
    // outside the lines, where no token and no way from token to token can cross a word
    for (const [y, name] of [[above - 30, "before"], [height - 12, "after"]])
      write(context, name, SIDE, y, { size: 13, align: "left", color: colors.text });
    polyline(context, colors.line, [[x(0), above - 16], [x(0), below + 16]], { dash: [3, 3] });
    const crossed = new Set(s.crossed.flat());
    s.before.forEach((p, i) => polyline(context, crossed.has(i) ? colors.key : colors.line,
      [[x(p), above], [x(s.after[i]), below]], { thick: i === chosen ? 3 : 1.3 }));
    s.crossed.forEach(([i, j]) => cross(i, j, colors.key));
    const radius = Math.max(4, Math.min(11, 0.42 * (x(1) - x(0))));
    context.globalAlpha = 0.3; // one token in all draws
    for (const after of s.ghosts)
      disk(context, x(after[chosen ?? s.followed]), below, radius, colors.position);
    context.globalAlpha = 1;
    for (const [places, y, role] of [[s.before, above, "text"], [s.after, below, "position"]])
      places.forEach((p, i) => {
        const isCovered = places.slice(i + 1).some((q) => Math.abs(x(q) - x(p)) < radius + 4);
        token(x(p), y, isCovered ? "" : i, radius, colors[role], i === chosen, colors);
      });
    positionTicks(context, colors, s, x, below + 26);
    write(context, "position", width / 2, height - 12, { size: 13, color: colors.position });
  }

  function cross(i, j, color) {
    const wide = s.before[j] - s.before[i], t = wide / (wide + s.after[i] - s.after[j]);
    const p = s.before[i] + t * (s.after[i] - s.before[i]);
    write(context, "×", x(p), above + t * (below - above), { size: 20, bold: true, color });
  }

  function token(cx, cy, i, radius, color, bold, colors) {
    const grown = radius + (bold ? 2 : 0);
    disk(context, cx, cy, grown, color);
    ring(context, cx, cy, grown, bold ? colors.query : colors.surface, bold ? 3 : 1);
    if (radius >= 8) write(context, i, cx, cy + 0.5, { size: 11, color: colors.surface });
    else if (bold) write(context, i, cx, cy - 14, { size: 12, bold: true, color: colors.text });
  }

  function at(px, py) {
    if (!s) return null;
    const places = py < (above + below) / 2 ? s.before : s.after;
    const away = places.map((p) => Math.abs(x(p) - px)), near = Math.min(...away);
    return near < 24 ? away.indexOf(near) : null;
  }
  const step = (key, item) => walk(key, item, 0, s.tokens - 1, 0);
  return { kind: "token", canvas, draw, at, step };
}
