// The lifted plane: half a cone in three dimensions, turned by dragging or by keys.
import { drag, drawing, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { count, setAll } from "../../kit/widgets/shell.js";
import { arrow, dot, nearest } from "./shared.js";

const TURN = 2 * Math.PI, WIDE = 1.7; // circle of the plane that is the rim

/** As `posenc.linear_attention.figures.project`: right, up, away from the eye. */
export function project([a, b, c], azimuth, elevation) {
  const around = azimuth * Math.PI / 180, up = elevation * Math.PI / 180;
  const x = (a - c) / Math.SQRT2, height = (a + c) / Math.SQRT2;
  const right = x * Math.cos(around) - b * Math.sin(around);
  const away = x * Math.sin(around) + b * Math.cos(around);
  return [right, height * Math.cos(up) + away * Math.sin(up),
    away * Math.cos(up) - height * Math.sin(up)];
}

/** Point of the cone at the end of x = r (cos t, sin t). */
const onCone = (r, t) =>
  [(r * Math.cos(t)) ** 2, Math.SQRT2 * r * r * Math.cos(t) * Math.sin(t), (r * Math.sin(t)) ** 2];

/** Height of the middle of the cone on the screen: its rim is as wide as it is high. */
function middle(elevation) {
  const tilt = elevation * Math.PI / 180, rim = WIDE * WIDE / Math.SQRT2;
  const [top, low] = [1, -1].map((sign) => rim * (Math.cos(tilt) + sign * Math.sin(tilt)));
  return (top + Math.min(low, 0)) / 2;
}

export function coneView(model) {
  const { canvas, context, begin } = drawing("The lifted points on a cone, in three dimensions. " +
    "Drag to turn it, or press arrow keys.");
  let side = 300, now = null;
  const place = (point) => {
    const [right, up] = project(point, now.azimuth, now.elevation), unit = side / (WIDE * WIDE * Math.SQRT2 + 0.7);
    return [side / 2 + unit * right, 0.45 * side - unit * (up - middle(now.elevation))];
  };

  function draw(s, { width, colors, chosen }) {
    now = s;
    side = Math.min(width, 340);
    begin(side, 0.9 * side);
    drawMesh(colors);
    drawAxes(colors);
    const drawSide = (below) => s.lifted.forEach((point, i) => {
      if (i < 2 || (s.height[i] < 1) !== below) return;
      dot(context, place(point), below ? colors.value : colors.muted, 3.5, !below);
    });
    drawSide(true);
    if (s.cloud) drawPlane(s, colors);
    drawSide(false);
    [colors.query, colors.key].forEach((color, i) => {
      const end = place(s.lifted[i]);
      arrow(context, place([0, 0, 0]), end, color);
      dot(context, end, color, 6);
      const near = Math.hypot(end[0] - place(s.lifted[1 - i])[0], end[1] - place(s.lifted[1 - i])[1]);
      const left = near < 46 && i === 1;
      write(context, `φ(${"qk"[i]})`, Math.max(22, Math.min(end[0] + (left ? -24 : 24), side - 20)),
        Math.max(10, end[1] - (left ? -10 : 10)), { size: 15, bold: true, color });
    });
    if (chosen !== null) ring(context, ...place(s.lifted[chosen]), 9, colors.text);
  }

  /** Rings are circles |x| = r, twice around; the lines up are rays of the plane. */
  function drawMesh(colors) {
    context.globalAlpha = 0.55;
    for (const r of [0.5, 0.9, 1.3, WIDE])
      polyline(context, colors.line, count(0, 48).map((i) => place(onCone(r, i * TURN / 96))));
    for (const i of count(0, 23))
      polyline(context, colors.line, [[0, 0, 0], onCone(WIDE, i * TURN / 48)].map(place), { thick: 0.6 });
    context.globalAlpha = 1;
  }

  function drawAxes(colors) {
    const ends = { "x₁²": [3.1, 0, 0], "√2 x₁x₂": [0, 1.9, 0], "x₂²": [0, 0, 3.1] };
    for (const [words, end] of Object.entries(ends)) {
      arrow(context, place([0, 0, 0]), place(end), colors.muted, 1);
      const [x, y] = place(end.map((v) => v * (end[1] ? 1.4 : 1.09)));
      write(context, words, Math.max(28, Math.min(x, side - 28)), Math.max(8, Math.min(y, 0.9 * side - 8)),
        { size: 12.5, color: colors.text });
    }
  }

  /** The cut through the cone, and some of the plane around it. */
  function drawPlane(s, colors) {
    const cut = s.edge.map(([x, y]) => [x * x, Math.SQRT2 * x * y, y * y]);
    const [n1, n2, n3] = s.plane, mid = [n1 - n3, 0, n1 + n3].map((v) => v / Math.SQRT2);
    const flat = cut.map(([a, b, c]) => [(a - c) / Math.SQRT2, b]);
    const bounds = [0, 1].map((i) => [Math.min, Math.max].map((f) => f(...flat.map((p) => p[i]))));
    const grow = ([low, high]) => [low - 0.25, high + 0.25];
    const [xs, ys] = bounds.map(grow);
    const corner = ([x, y]) => {
      const height = (1 - mid[0] * x - n2 * y) / mid[2];
      return place([(height + x) / Math.SQRT2, y, (height - x) / Math.SQRT2]);
    };
    const quad = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([i, j]) => corner([xs[i], ys[j]]));
    context.fillStyle = colors.position;
    context.globalAlpha = 0.16;
    for (const shape of [quad, cut.map(place)]) {
      context.beginPath();
      shape.forEach((point) => context.lineTo(...point));
      context.fill();
    }
    context.globalAlpha = 1;
    polyline(context, colors.position, cut.map(place), { dash: [5, 4], thick: 2 });
  }

  /** Turns by steps of 5 degrees: around without end, up as far as the pole. */
  function turn(around, up) {
    setAll(model, { azimuth: ((model.get("azimuth") + 5 * around + 540) % 360) - 180,
      elevation: Math.max(0, Math.min(model.get("elevation") + 5 * up, 90)) });
    model.save_changes();
  }
  drag(canvas, { start: (x, y) => ({ x, y }), move: (grip, x, y) => {
    const [across, down] = [Math.trunc((x - grip.x) / 8), Math.trunc((y - grip.y) / 8)];
    if (!across && !down) return;
    grip.x += 8 * across;
    grip.y += 8 * down;
    turn(across, down);
  } });

  function step(key) {
    const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (key === "") return null;
    if (!turns[key]) return undefined;
    turn(...turns[key]);
    return null;
  }
  return { kind: "point", canvas, draw, step,
    at: (x, y) => nearest(now.lifted.map(place), x, y, 16) };
}
