// The plane of TurnedPair: two arrows that turn, and the shadow of one on the other.
import { drag, drawing, write } from "../../kit/widgets/canvas.js";
import { keys } from "./ruler.js";

/** An angle in degrees from 0 on, below 360. */
export const turned = (angle) => ((angle % 360) + 360) % 360;

/** The plane as a picture: arrows are dragged, keys move the positions. */
export function arrows(model) {
  const { canvas, context, begin } = drawing("Plane with a query and a key, which can be dragged. Left " +
    "and right arrow keys move both positions, up and down the key alone.");
  let now = null, center = 0, size = 0;

  function tipOf(length, degrees) {
    const angle = degrees * Math.PI / 180;
    return [center + length * size * Math.cos(angle), center - length * size * Math.sin(angle)];
  }

  /** The arrow whose tip is near: "q", "k" or null. */
  function grip(x, y) {
    const far = ([a, b]) => Math.hypot(x - a, y - b);
    const [q, k] = [far(tipOf(now.long, now.at.q)), far(tipOf(now.short, now.at.k))];
    return Math.min(q, k) > 28 ? null : q < k ? "q" : "k";
  }

  drag(canvas, { hold: true, start: grip, move: (arrow, x, y) => {
    const degrees = Math.atan2(center - y, x - center) * 180 / Math.PI;
    const start = degrees - (now.at[arrow] - now[arrow]); // before it was turned
    model.set(`${arrow}_angle`, turned(15 * Math.round(start / 15)));
    model.save_changes();
  } });

  function hand(length, degrees, color, dash = []) {
    const angle = degrees * Math.PI / 180, end = tipOf(length, degrees);
    context.strokeStyle = context.fillStyle = color;
    context.lineWidth = dash.length ? 1.5 : 3;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(center, center);
    context.lineTo(...end);
    context.stroke();
    context.setLineDash([]);
    if (dash.length) return end;
    context.beginPath();
    for (const [forth, side] of [[6, 0], [-9, 6], [-9, -6]])
      context.lineTo(end[0] + forth * Math.cos(angle) + side * Math.sin(angle),
        end[1] - forth * Math.sin(angle) + side * Math.cos(angle));
    context.fill();
    return end;
  }

  function letter(words, length, degrees, color) {
    const angle = degrees * Math.PI / 180, far = length * size + 17;
    write(context, words, center + far * Math.cos(angle), center - far * Math.sin(angle),
      { size: 15, bold: true, color });
  }

  function draw(s, { width, colors }) {
    now = s;
    const side = Math.min(width, model.get("simple") ? 270 : 330);
    [center, size] = [side / 2, side / 2 - 26];
    begin(side, side);
    context.fillStyle = colors.raised;
    context.strokeStyle = colors.line;
    context.lineWidth = 1;
    context.beginPath();
    context.arc(center, center, size, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
    context.beginPath();
    for (const [a, b] of [[[8, center], [side - 8, center]], [[center, 8], [center, side - 8]]]) {
      context.moveTo(...a);
      context.lineTo(...b);
    }
    context.stroke();
    drawShadow(s, colors);
    if (s.m) hand(s.long, s.q, colors.muted, [4, 3]);
    if (s.n) hand(s.short, s.k, colors.muted, [4, 3]);
    hand(s.long, s.at.q, colors.query);
    hand(s.short, s.at.k, colors.key);
    letter("q", s.long, s.at.q, colors.query);
    letter("k", s.short, s.at.k, colors.key);
  }

  function drawShadow(s, colors) {
    const foot = tipOf(s.score(s.r) / s.long, s.at.q);
    context.strokeStyle = colors.muted;
    context.lineWidth = 1.2;
    context.setLineDash([2, 3]);
    context.beginPath();
    context.moveTo(...tipOf(s.short, s.at.k));
    context.lineTo(...foot);
    context.stroke();
    context.setLineDash([]);
    context.strokeStyle = colors.position;
    context.lineWidth = 9;
    context.globalAlpha = 0.55;
    context.beginPath();
    context.moveTo(center, center);
    context.lineTo(...foot);
    context.stroke();
    context.globalAlpha = 1;
  }

  return { kind: "plane", canvas, draw, at: () => null, step: keys(model) };
}
