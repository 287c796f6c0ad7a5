// Two vectors in the plane and their lift to three dimensions: one product, computed twice.
import { drag, drawing, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { count, createWidget, real, setAll } from "../../kit/widgets/widget.js";
import { arrow, dot, nearest } from "./shared.js";

// The lifted plane: half a cone in three dimensions, turned by dragging or by keys.
const TURN = 2 * Math.PI, WIDE = 1.7; // circle of the plane that is the rim

/** As `posenc.linear_attention.figures.project`: right, up, away from the eye. */
function project([a, b, c], azimuth, elevation) {
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

function coneView(model) {
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

const TRAITS = ["q1", "q2", "k1", "k2", "azimuth", "elevation", "cloud"];
const REACH = 1.5, MOST = 12, ROOT = Math.SQRT2;

const lift = ([x, y]) => [x * x, ROOT * x * y, y * y];
const inner = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0);

function liftState(model) {
  const [q1, q2, k1, k2, azimuth, elevation, cloud] = TRAITS.map((key) => model.get(key));
  const points = [[q1, q2], [k1, k2], ...(cloud ? model.get("points") : [])];
  const lifted = points.map(lift), plane = model.get("plane");
  const product = inner(points[0], points[1]), square = product ** 2;
  const dotted = inner(lifted[0], lifted[1]);
  const height = lifted.map((p) => inner(plane, p)); // above 1: beyond the plane
  const edge = count(0, 72).map((i) => {
    const x = [Math.cos(i * Math.PI / 36), Math.sin(i * Math.PI / 36)];
    const far = 1 / Math.sqrt(inner(plane, lift(x)));
    return [far * x[0], far * x[1]];
  });
  return { points, lifted, product, square, dotted, height, edge, azimuth, elevation, cloud, plane,
    shown: { lifted, square, dotted, below: height.map((v) => v < 1),
      seen: lifted.map((p) => project(p, azimuth, elevation)) } };
}

const tuple = (values, digits) => `(${values.map((v) => real(v, digits)).join(", ")})`;

function liftWords(s, choice) {
  if (choice) {
    const i = choice.item, name = i < 2 ? "qk"[i] : "The point";
    const side = s.height[i] < 1 ? "inside the ellipse, and below the plane"
      : "outside the ellipse, and above the plane";
    return `${name} = ${tuple(s.points[i], i < 2 ? 1 : 2)} is lifted to ` +
      `${tuple(s.lifted[i], 2)}${s.cloud ? `: ${side}` : ""}.`.replace("The point =", "The point");
  }
  return `In the plane: (q · k)² = (${real(s.product)})² = ${real(s.square, 4)}. ` +
    `In three dimensions: φ(q) · φ(k) = ${real(s.dotted, 4)}.`;
}

function liftFacts(s) {
  const inside = s.height.slice(2).filter((v) => v < 1).length, all = s.height.length - 2;
  const parts = s.lifted[0].map((v, i) => v * s.lifted[1][i]);
  return [
    ["q", `q = ${tuple(s.points[0], 1)}, φ(q) = ${tuple(s.lifted[0], 2)}`, "query"],
    ["k", `k = ${tuple(s.points[1], 1)}, φ(k) = ${tuple(s.lifted[1], 2)}`, "key"],
    ["=", `φ(q) · φ(k) = ${parts.map((v) => real(v, 4).replace(/^−.*/, "($&)")).join(" + ")} = ` +
      `${real(s.dotted, 4)}: the same number as the square, for every q and k.`],
    ["±", s.product < 0
      ? "q · k is negative, its square is not: k and −k are lifted to one point."
      : "A kernel never sees more than φ: k and −k are lifted to one point."],
    ...(s.cloud ? [["◯", `${inside} of ${all} points (dots) lie inside the ellipse; no straight ` +
      `line cuts them out. Lifted, exactly these ${inside} lie below one plane.`, "value"]] : []),
  ];
}

/** The plane before the lift. Points are dragged; arrow keys move one, Enter takes the other. */
function flatView(model) {
  const { canvas, context, begin } = drawing("The plane with q and k. Drag them, or press arrow " +
    "keys to move one of them; Enter takes the other one.");
  let side = 300, active = 0, now = null, look = null;
  const place = ([x, y]) => [side / 2 + x * scale(), side / 2 - y * scale()];
  const scale = () => (side / 2 - 20) / REACH;
  const snap = (v) => Math.max(-MOST, Math.min(Math.round(10 * v), MOST)) / 10 + 0;

  function move(i, x, y) {
    setAll(model, { ["qk"[i] + 1]: snap(x), ["qk"[i] + 2]: snap(y) });
    model.save_changes();
  }

  function draw(s, options) {
    const { width, colors, chosen } = options;
    [now, look] = [s, options];
    side = Math.min(width, 340);
    begin(side, side);
    for (const v of [-1, 0, 1]) {
      const color = v ? colors.raised : colors.line;
      polyline(context, color, [place([v, -REACH]), place([v, REACH])]);
      polyline(context, color, [place([-REACH, v]), place([REACH, v])]);
      const small = { size: 11, color: colors.muted };
      if (v) write(context, real(v, 0), place([v, 0])[0], side / 2 + 10, small);
      if (v) write(context, real(v, 0), side / 2 - 10, place([0, v])[1], small);
    }
    write(context, "x₁", side - 9, side / 2 - 1, { color: colors.text });
    write(context, "x₂", side / 2, 9, { color: colors.text });
    if (s.cloud) {
      polyline(context, colors.position, s.edge.map(place), { dash: [5, 4], thick: 2 });
      s.points.slice(2).forEach((point, i) => dot(context, place(point),
        s.height[i + 2] < 1 ? colors.value : colors.muted, 3.5, s.height[i + 2] >= 1));
    }
    [colors.query, colors.key].forEach((color, i) => {
      const end = place(s.points[i]);
      arrow(context, place([0, 0]), end, color);
      const length = Math.hypot(...s.points[i]) || 1;
      const [x, y] = s.points[i].map((v) => v / length);
      write(context, "qk"[i], Math.max(8, Math.min(end[0] + 15 * x, side - 8)), end[1] - 15 * y,
        { size: 16, bold: true, color });
      dot(context, end, color, 6);
    });
    const held = chosen ?? (document.activeElement === canvas ? active : null);
    if (held !== null) ring(context, ...place(s.points[held]), 9, colors.text);
  }

  const grip = (x, y) => nearest(now.points.slice(0, 2).map(place), x, y, 30);
  drag(canvas, { hold: true, start: grip, move: (i, x, y) => {
    active = i;
    move(i, (x - side / 2) / scale(), (side / 2 - y) / scale());
  } });

  canvas.addEventListener("blur", () => draw(now, { ...look, chosen: null }));

  function step(key) {
    const moves = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
    if (key === "Enter" || key === " ") active = 1 - active;
    else if (moves[key]) move(active, ...now.points[active].map((v, i) => v + moves[key][i]));
    else if (key !== "") return undefined;
    return active;
  }
  return { kind: "point", canvas, draw, at: (x, y) => nearest(now.points.map(place), x, y, 16), step };
}

function render({ model, el }) {
  const places = count(-MOST, MOST).map((i) => i / 10), digit = (v) => real(v, 1);
  const slider = (key, label) => ({ kind: "range", key, label, values: () => places, text: digit });
  const angle = (key, label, from, to) => ({ kind: "range", key, label, text: (v) => `${v}°`.replace("-", "−"),
    values: () => count(from / 5, to / 5).map((i) => 5 * i) });
  const specs = [
    slider("q1", "q, x₁"), slider("q2", "q, x₂"),
    slider("k1", "k, x₁"), slider("k2", "k, x₂"),
    angle("azimuth", "turn the cone", -180, 175), angle("elevation", "tilt the cone", 0, 90),
    { kind: "checkbox", key: "cloud", label: "points, an ellipse, and a plane" },
    { kind: "button", label: "reset" },
  ];
  const rows = (s) => s.points.map((p, i) => [i < 2 ? "qk"[i] : `point ${i - 1}`,
    tuple(p, 2), tuple(s.lifted[i], 2), s.height[i] < 1 ? "inside, below" : "outside, above"]);
  return createWidget({ model, el }, {
    traits: TRAITS, specs, pictures: [flatView(model), coneView(model)], state: liftState,
    words: liftWords, facts: liftFacts,
    tables: [{ head: ["vector", "in the plane", "lifted", "ellipse, plane"], rows }],
  });
}

export default { render };
