// Helpers of the widgets on linear attention: an arrow, a dot, the nearest point.
import { polyline } from "../../kit/widgets/canvas.js";

/** An arrow on a canvas. */
export function arrow(context, from, to, color, thick = 2.5) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]], length = Math.hypot(dx, dy);
  polyline(context, color, [from, to], { thick });
  if (length < 4) return;
  const [ux, uy] = [dx / length, dy / length], head = Math.min(10, length);
  context.fillStyle = color;
  context.beginPath();
  for (const side of [-0.5, 0.5])
    context.lineTo(to[0] - head * ux - side * head * uy, to[1] - head * uy + side * head * ux);
  context.lineTo(to[0] + 2 * ux, to[1] + 2 * uy);
  context.fill();
}

/** A dot, or an open square for what must differ in shape too. */
export function dot(context, [x, y], color, radius, square = false) {
  context.beginPath();
  if (square) context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
  else context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = context.strokeStyle = color;
  context.lineWidth = 1.5;
  if (square) context.stroke();
  else context.fill();
}

/** The nearest of some points to x, y, if one is within `reach` pixels; else null. */
export function nearest(points, x, y, reach) {
  let [best, far] = [null, reach];
  points.forEach((point, i) => {
    const distance = Math.hypot(point[0] - x, point[1] - y);
    if (distance <= far) [best, far] = [i, distance];
  });
  return best;
}
