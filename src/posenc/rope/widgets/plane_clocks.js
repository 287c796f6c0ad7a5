// All planes of a head as clocks, for each scaling: what training has shown of each dial, and
// where the hand points at a distance; below them the wavelengths.
import { disk, drawing, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { createWidget, grouped, real } from "../../kit/widgets/widget.js";
import { stepCell } from "../../kit/widgets/matrix.js";
import { plural } from "../../kit/widgets/numbers.js";
import { linePlot } from "../../kit/widgets/plot.js";

const TRAITS = ["head_dim", "base", "trained_len", "method", "scale", "distance"];
const ROUND = 2 * Math.PI;

/** Radians per token of every plane, as `posenc.rope.scaled_frequencies` has them. */
function speeds({ head_dim: d, base, trained_len, method, scale: s }) {
  const stretched = method === "ntk" ? base * s ** (d / (d - 2)) : base;
  return Array.from({ length: d / 2 }, (_, i) => {
    const theta = stretched ** (-2 * i / d);
    if (method === "interpolation") return theta / s;
    if (method !== "yarn") return theta;
    const turns = trained_len * theta / ROUND;
    const keep = Math.max(0, Math.min((turns - 1) / 31, 1)); // from 1 turn to 32
    return (1 - keep) * theta / s + keep * theta;
  });
}

function clockState(model) {
  const s = Object.fromEntries(TRAITS.map((key) => [key, model.get(key)]));
  const trained = speeds({ ...s, method: "none" });
  const rows = model.get("choices").method.map(([method, words]) => {
    const planes = speeds({ ...s, method }).map((speed, i) => {
      const seen = Math.min(s.trained_len * trained[i], ROUND), angle = s.distance * speed;
      return { i, speed, angle, seen, fresh: angle % ROUND > seen + 1e-9 };
    });
    return { method, words, planes, fresh: planes.filter((p) => p.fresh) };
  });
  const { planes, fresh } = rows.find(({ method }) => method === s.method);
  const waves = (all) => all.map((speed) => ROUND / speed);
  return { ...s, rows, planes, fresh, waves: waves(planes.map((p) => p.speed)), before: waves(trained),
    shown: { theta: planes.map((p) => p.speed), angle: planes.map((p) => p.angle),
      seen: planes.map((p) => p.seen), fresh: planes.map((p) => p.fresh),
      beyond: rows.map((row) => row.fresh.length) } };
}

const tokens = (n) => (n < 100 ? real(n, 1) : Math.round(n).toLocaleString("en-US"));

const rounds = (angle) => (angle > 0 && angle < 0.005 * ROUND ? "less than 0.01" : (angle / ROUND).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
const percent = (angle) =>
  (angle < 0.01 * ROUND ? "less than 1 %" : `${Math.round(100 * angle / ROUND)} %`);

const rowOf = (s) => s.rows.findIndex(({ method }) => method === s.method);

/** Row and plane of a choice: a clock is [row, plane], a point of the curve the plane alone. */
function placeOf(s, choice) {
  if (!choice) return null;
  const place = choice.kind === "clock" ? choice.item : [rowOf(s), choice.item];
  return place[1] < s.planes.length ? place : null;
}

/** A clock follows the scaling to its row. */
function keepPlane(choice, before, now) {
  if (choice.kind !== "clock" || before.method === now.method) return choice;
  return { ...choice, item: [rowOf(now), choice.item[1]] };
}

function clockWords(s, choice) {
  const place = placeOf(s, choice);
  if (!place) return "Point at a clock or a curve, tap it, or press arrow keys in a focused picture.";
  const { words, planes } = s.rows[place[0]], { i, speed, angle, seen, fresh } = planes[place[1]];
  return `Plane ${i}, ${words}: one round takes ${tokens(ROUND / speed)} tokens; at distance ` +
    `${grouped(s.distance)} it makes ${rounds(angle)} rounds. Training showed ` +
    (seen >= ROUND ? "the whole dial." : `${percent(seen)} of the dial` +
      (fresh ? "; the hand points beyond." : "."));
}

function clockFacts(s) {
  const slow = s.planes.filter((p) => p.seen < ROUND).length, far = s.distance > s.trained_len;
  const slower = 1 / s.planes[0].speed;
  const at = grouped(s.distance), length = grouped(s.trained_len);
  return [
    ["◔", `${slow} of ${plural(s.planes.length, "plane")} did not finish a round ` +
      `within the trained distance of ${length} tokens ` +
      `(in the chart: where the ${s.method === "none" ? "curve" : "dashed curve"} is above that line).`, "position"],
    ["!", s.fresh.length
      ? `At distance ${at}, ${plural(s.fresh.length, "hand")} ${s.fresh.length > 1 ? "point where they" : "points where it"} ` +
        "never did in training."
      : `At distance ${at}, every hand points where it has pointed in training` +
        (far ? ", although no training text was that long." : "."), "key"],
    ["→", slower > 1.001
      ? `Plane 0, the fastest, turns ${real(slower, 0)} times more slowly than in training.`
      : "Plane 0, the fastest, turns as in training."],
  ];
}

/** A row of clocks for each scaling, one below the other. */
function dials() {
  const { canvas, context, begin } = drawing("A row of clocks for each scaling, a clock for each plane. " +
    "Arrow keys move from plane to plane, and from scaling to scaling.");
  const TITLE = 22, LEAST = 20; // a narrower clock goes to a second line
  let grid = { cell: 1, count: 0, columns: 1, high: 1, rows: 0, start: [0, 0] };

  function draw(s, { width, colors, choice }) {
    const count = s.planes.length, lines = Math.ceil(count * LEAST / Math.max(width, count));
    const columns = Math.ceil(count / lines), cell = Math.min(width / columns, lines > 1 ? 32 : 46);
    const place = placeOf(s, choice), start = place ?? [rowOf(s), 0];
    grid = { cell, count, columns, high: TITLE + lines * cell, rows: s.rows.length, start };
    begin(width, s.rows.length * grid.high);
    s.rows.forEach(({ method, words, planes, fresh }, row) => {
      const top = row * grid.high, bold = method === s.method;
      const many = fresh.length ? `${plural(fresh.length, "hand")} outside` : "no hand outside";
      write(context, `${words}: ${many}`, 2, top + 12, { size: 13, bold, align: "left",
        color: fresh.length ? colors.key : colors.text });
      for (const plane of planes)
        drawDial(plane, top + TITLE, colors, place?.[1], place?.[0] === row);
    });
  }

  /** A clock; those of the `chosen` plane stay bright, and the one `here` has a thick ring. */
  function drawDial({ i, angle, seen, fresh }, top, colors, chosen, here) {
    const { cell, columns } = grid, radius = cell / 2 - Math.min(2, cell / 8);
    const x = (i % columns + 0.5) * cell, y = top + (Math.floor(i / columns) + 0.5) * cell;
    const isChosen = chosen === i;
    context.globalAlpha = chosen === undefined || isChosen ? 1 : 0.4;
    disk(context, x, y, radius, colors.raised);
    ring(context, x, y, radius, isChosen ? colors.text : colors.line, isChosen && here ? 2.5 : 1);
    const alpha = context.globalAlpha, noon = -Math.PI / 2;
    context.globalAlpha = 0.3 * alpha;
    disk(context, x, y, 0.78 * radius, colors.position, noon, noon + seen);
    context.globalAlpha = alpha;
    const tip = [x + 0.93 * radius * Math.sin(angle), y - 0.93 * radius * Math.cos(angle)];
    polyline(context, fresh ? colors.key : colors.position, [[x, y], tip],
      { thick: fresh ? Math.max(2, radius / 6) : Math.max(1.5, radius / 12) });
    context.globalAlpha = 1;
  }

  function at(x, y) {
    const row = Math.floor(y / grid.high), column = Math.floor(x / grid.cell);
    const line = Math.floor((y - row * grid.high - TITLE) / grid.cell);
    const i = line * grid.columns + column, inside = line >= 0 && column >= 0 && column < grid.columns;
    return inside && row >= 0 && row < grid.rows && i < grid.count ? [row, i] : null;
  }
  const step = (key, item) => stepCell(key, item ?? grid.start, grid.rows, grid.count);
  return { kind: "clock", canvas, draw, at, step };
}

function render({ model, el }) {
  const choices = model.get("choices"), words = grouped;
  const plain = (values) => values.map((n) => [n, words(n)]);
  const specs = [
    { kind: "range", key: "distance", label: "distance", values: () => choices.distance, text: words },
    { kind: "select", key: "head_dim", label: "head size d", options: plain(choices.head_dim) },
    { kind: "select", key: "base", label: "base", options: plain(choices.base) },
    { kind: "select", key: "trained_len", label: "trained to distance", options: plain(choices.trained_len) },
    { kind: "select", key: "method", label: "scaling", options: choices.method },
    { kind: "range", key: "scale", label: "factor s", values: () => choices.scale },
    { kind: "play", key: "distance", label: "sweep the distance", ms: 240 },
    { kind: "button", label: "reset" },
  ];
  const plot = linePlot("Tokens per round of each plane. Arrow keys move from plane to plane.",
    "plane", (s) => ({ first: 0, last: s.planes.length - 1, low: 4, high: 6e7 ** (s.base > 1e5 ? 1 : 0.8),
      log: true, x: "plane i", y: "tokens per round",
      series: [{ values: s.waves, role: "text", words: "now" },
        ...(s.method === "none" ? []
          : [{ values: s.before, role: "query", dash: [5, 4], words: "as trained" }])],
      lines: [{ at: s.trained_len, words: "trained distance", below: true },
        ...(s.scale > 1 && s.method !== "none"
          ? [{ at: s.trained_len * s.scale, words: "trained distance · s" }] : [])] }), 240);
  let plane = null; // of the choice, a clock or a point of the curve
  function draw(s, frame) {
    plane = placeOf(s, frame.choice)?.[1] ?? null;
    return plot.draw(s, { ...frame, chosen: plane });
  }
  const curve = { ...plot, draw, step: (key, item, s) => plot.step(key, item ?? plane, s) };
  const rows = (s) => s.planes.map((p) => [p.i, tokens(s.before[p.i]), tokens(s.waves[p.i]),
    percent(p.seen), rounds(p.angle), p.fresh ? "new" : "seen"]);
  return createWidget({ model, el }, {
    traits: TRAITS, smooth: ["distance"], specs, pictures: [dials(), curve], layout: "stack", state: clockState,
    words: clockWords, facts: clockFacts, keep: keepPlane, tips: false, between: true, buttonsFirst: true,
    tables: [{ head: ["plane", "tokens per round, trained", "now", "dial seen", "rounds", "angle"], rows }],
  });
}

export default { render };
