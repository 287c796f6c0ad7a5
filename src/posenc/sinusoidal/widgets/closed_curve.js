// Widget: three sines of the position as a curve in space that can be turned.
import { disk, drag, drawing, polyline, write } from "../../kit/widgets/canvas.js";
import { count, createWidget, plain, setAll } from "../../kit/widgets/widget.js";
import { curvePoint, project, shown } from "./math.js";

const TRAITS = ["curve", "last", "base", "azimuth", "elevation"];
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [0, 1, 2].map((axis) => ((n >> axis) & 1) * 2 - 1));
const BETWEEN = 32; // pieces of the curve from one position to the next

const distance = (p, q) => Math.hypot(...p.map((value, axis) => value - q[axis]));

/** All that is shown: points at whole positions, and what meets. */
function describe(model) {
  const [curve, last, base, azimuth, elevation] = TRAITS.map((key) => model.get(key));
  const points = Array.from({ length: last + 1 }, (_, m) => curvePoint(m, curve, base));
  const meeting = []; // groups of positions with one and the same point
  points.forEach((point, m) => {
    const group = meeting.find(([first]) => distance(points[first], point) < 1e-9);
    if (group) group.push(m);
    else meeting.push([m]);
  });
  const turned = [0, 1, 2].filter((j) => last >= 2 * Math.PI * base ** (j / 3)).length;
  return { curve, last, base, azimuth, elevation, points, meeting, turned,
    gap: distance(points[0], points[last]), shown: { points } };
}

function facts(s) {
  const same = s.meeting.filter((group) => group.length > 1);
  const some = same.slice(0, 3).map((group) => group.join(" = ")).join("; ");
  const laps = s.last / 8;
  return [
    same.length ? `Positions that cannot be told apart: ${some}${same.length > 3 ? "; …" : ""}.`
      : "All positions drawn have points of their own.",
    s.curve === "binary"
      ? laps < 1 ? "The curve closes at position 8."
        : "The curve has closed: from position 8 on it runs over itself again."
      : `${s.turned} of the 3 features ${s.turned === 1 ? "has" : "have"} turned once by position ${s.last}; ` +
        "the curve is still open.",
  ];
}

const words = (s) =>
  `from position 0 to ${s.last}: the ends are ${s.gap < 1e-9 ? "the same point" : `${s.gap.toFixed(3)} apart`}`;

/**
 * Cube, curve and whole positions, seen from azimuth and elevation. `turn(around, up)` turns
 * it by degrees, and Home turns it back to `home`, [azimuth, elevation].
 */
function space(turn, home) {
  const { canvas, context, begin } = drawing(
    "Curve of three features in space. Arrow keys turn it; Home brings it back.");

  canvas.style.margin = "auto";
  canvas.style.cursor = "grab";

  function draw(s, { width, colors }) {
    const side = Math.min(width, 420);
    begin(side, side);
    const scale = side / 3.75;
    const see = (point) => {
      const [right, up, near] = project(point, s.azimuth, s.elevation);
      return [side / 2 + scale * right, side / 2 - scale * up, near];
    };
    for (const [n, corner] of CORNERS.entries())
      for (const axis of [1, 2, 4])
        if (!(n & axis)) line(colors.line, see(corner), see(CORNERS[n | axis]), 1, 0.8);
    ["feature 0", "feature 1", "feature 2"].forEach((name, axis) => {
      const end = [-1, -1, -1];
      end[axis] = 1.3;
      const [x, y] = see(end), keep = Math.max(30, Math.min(x, side - 30));
      write(context, name, keep, Math.max(8, Math.min(y, side - 8)), { size: 12, color: colors.muted });
    });
    const pieces = [];
    let before = see(curvePoint(0, s.curve, s.base));
    for (let n = 1; n <= s.last * BETWEEN; n++) {
      const here = see(curvePoint(n / BETWEEN, s.curve, s.base));
      pieces.push([before, here]);
      before = here;
    }
    pieces.sort(([a], [b]) => a[2] - b[2]); // near ones last, and stronger
    for (const [from, to] of pieces)
      line(colors.position, from, to, 2.2 + 0.6 * from[2], 0.75 + 0.14 * from[2]);
    context.globalAlpha = 1;
    drawPositions(s, see, colors);
  }

  function drawPositions(s, see, colors) {
    const named = []; // points whose names would cover one another share a line
    const wide = ({ words }) => 8 * words.join(", ").length + 4;
    const start = (one) => Math.min(one.x + 7, canvas.clientWidth - wide(one));
    const meet = (a, b) => Math.abs(a.y - b.y) < 17 && start(a) < start(b) + wide(b) &&
      start(b) < start(a) + wide(a);
    for (const group of s.meeting) {
      const [x, y] = see(s.points[group[0]]);
      disk(context, x, y, 3.5, colors.text);
      if (s.last > 16 && group[0] !== 0 && !group.includes(s.last)) continue;
      const words = group.length > 3 ? `${group.slice(0, 3).join(" = ")} …` : group.join(" = ");
      let spot = { x, y, words: [words] }, other;
      while ((other = named.find((one) => meet(one, spot)))) {
        named.splice(named.indexOf(other), 1);
        spot = { ...other, words: [...other.words, ...spot.words] };
      }
      named.push(spot);
    }
    for (const one of named)
      write(context, one.words.join(", "), start(one), Math.max(one.y - 9, 8),
        { size: 13, bold: true, align: "left", color: colors.text });
  }

  function line(color, [x1, y1], [x2, y2], thick, alpha) {
    context.globalAlpha = alpha;
    polyline(context, color, [[x1, y1], [x2, y2]], { thick });
    context.globalAlpha = 1;
  }

  drag(canvas, {
    start: (x, y) => [x, y],
    move(grip, x, y) { // two pixels are a degree; what is left over waits for the next move
      const [across, down] = [Math.round((x - grip[0]) / 2), Math.round((y - grip[1]) / 2)];
      if (!across && !down) return;
      grip[0] += 2 * across;
      grip[1] += 2 * down;
      turn(-across, down);
    },
  });
  const step = (key, [azimuth, elevation]) => ({ ArrowLeft: [5, 0], ArrowRight: [-5, 0],
    ArrowUp: [0, -5], ArrowDown: [0, 5], Home: [home[0] - azimuth, home[1] - elevation] })[key];
  return { canvas, draw, step, move: ([around, up]) => turn(around, up),
    now: (s) => [s.azimuth, s.elevation] };
}

function render({ model, el }) {
  const { base, last } = model.get("choices");
  const degrees = (n) => `${n}°`.replace("-", "−");
  const specs = [
    { kind: "select", key: "curve", label: "periods", options: [["binary", "2, 4, 8: as the digits"],
      ["slow", "slower and slower"]] },
    { kind: "select", key: "base", label: "slower base", options: plain(base) },
    { kind: "range", key: "last", label: "last position", values: () => count(1, last) },
    { kind: "range", key: "azimuth", label: "turn", values: () => count(-180, 180), text: degrees },
    { kind: "range", key: "elevation", label: "tilt", values: () => count(-90, 90), text: degrees },
    { kind: "button", label: "the closed curve", set: { curve: "binary", last: 8 } },
    { kind: "button", label: "slower waves", set: { curve: "slow", last: 40 } },
    { kind: "button", label: "reset" },
  ];
  /** Turns by degrees: around without end, up and down as far as the poles. */
  function turn(around, up) {
    const azimuth = ((model.get("azimuth") + around + 540) % 360) - 180;
    const elevation = Math.max(-90, Math.min(model.get("elevation") + up, 90));
    setAll(model, { azimuth, elevation });
    model.save_changes();
  }
  return createWidget({ model, el }, {
    traits: TRAITS, specs, state: describe, words, facts,
    pictures: [space(turn, [model.get("azimuth"), model.get("elevation")])],
    spoken: (s) => `${words(s)}. ${facts(s).join(" ")}`,
    tables: [{ head: ["position", "feature 0", "feature 1", "feature 2"],
      rows: (s) => s.points.map((point, m) => [m, ...point.map((value) => shown(value, 3))]) }],
  });
}

export default { render };
