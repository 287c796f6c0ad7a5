// All planes of a head as clocks, for each scaling: what training has shown of each dial, and
// where the hand points at a distance; below them the wavelengths.
import { disk, drawing, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { createWidget, grouped, real, walk } from "../../kit/widgets/widget.js";
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

function clockWords(s, choice) {
  if (!choice) return "Point at a clock or a curve, tap it, or press arrow keys in a focused picture.";
  const { i, angle, seen, fresh } = s.planes[choice.item];
  return `Plane ${i}: one round takes ${tokens(s.waves[i])} tokens; at distance ` +
    `${grouped(s.distance)} it makes ${real(angle / ROUND)} rounds. Training showed ` +
    (seen >= ROUND ? "the whole dial." : `${Math.round(100 * seen / ROUND)} % of the dial` +
      (fresh ? "; the hand points beyond." : "."));
}

function clockFacts(s) {
  const slow = s.planes.filter((p) => p.seen < ROUND).length, far = s.distance > s.trained_len;
  const slower = 1 / s.planes[0].speed;
  const at = grouped(s.distance), length = grouped(s.trained_len);
  return [
    ["◔", `${slow} of ${plural(s.planes.length, "plane")} did not finish a round ` +
      `within the trained distance of ${length} tokens ` +
      `(in the chart${s.method === "none" ? "" : ", as trained"}: above that line).`, "position"],
    ["!", s.fresh.length
      ? `At distance ${at}, ${plural(s.fresh.length, "hand")} ${s.fresh.length > 1 ? "point" : "points"} ` +
        "where none pointed in training."
      : `At distance ${at}, every hand points where it has pointed in training` +
        (far ? ", although that is beyond the trained distance." : "."), "key"],
    ["→", slower > 1.001
      ? `Plane 0, the fastest, turns ${real(slower, 0)} times more slowly than in training.`
      : "Plane 0, the fastest, turns as in training."],
  ];
}

/** A row of clocks for each scaling, one below the other. */
function dials() {
  const { canvas, context, begin } = drawing("A row of clocks for each scaling, a clock for each plane. " +
    "Arrow keys move from plane to plane.");
  const TITLE = 22;
  let grid = { cell: 1, count: 0 };

  function draw(s, { width, colors, chosen }) {
    const count = s.planes.length, cell = Math.min(width / count, 46);
    grid = { cell, count };
    begin(width, s.rows.length * (TITLE + cell));
    s.rows.forEach(({ method, words, planes, fresh }, row) => {
      const top = row * (TITLE + cell), bold = method === s.method;
      const many = fresh.length ? `${plural(fresh.length, "hand")} outside` : "no hand outside";
      write(context, `${words}: ${many}`, 2, top + 12, { size: 13, bold, align: "left",
        color: fresh.length ? colors.key : colors.text });
      for (const plane of planes) drawDial(plane, top + TITLE + cell / 2, colors, chosen);
    });
  }

  function drawDial({ i, angle, seen, fresh }, y, colors, chosen) {
    const { cell } = grid, x = (i + 0.5) * cell, radius = cell / 2 - Math.min(2, cell / 8);
    context.globalAlpha = chosen !== null && chosen !== i ? 0.4 : 1;
    disk(context, x, y, radius, colors.raised);
    ring(context, x, y, radius, chosen === i ? colors.text : colors.line, chosen === i ? 2.5 : 1);
    const alpha = context.globalAlpha, top = -Math.PI / 2;
    context.globalAlpha = 0.3 * alpha;
    disk(context, x, y, 0.78 * radius, colors.position, top, top + seen);
    context.globalAlpha = alpha;
    const tip = [x + 0.93 * radius * Math.sin(angle), y - 0.93 * radius * Math.cos(angle)];
    polyline(context, fresh ? colors.key : colors.position, [[x, y], tip],
      { thick: fresh ? Math.max(2, radius / 6) : Math.max(1, radius / 12) });
    context.globalAlpha = 1;
  }

  function at(x) {
    const i = Math.floor(x / grid.cell);
    return i >= 0 && i < grid.count ? i : null;
  }
  const step = (key, item) => walk(key, item, 0, grid.count - 1, 0);
  return { kind: "plane", canvas, draw, at, step };
}

function render({ model, el }) {
  const choices = model.get("choices"), words = grouped;
  const plain = (values) => values.map((n) => [n, words(n)]);
  const specs = [
    { kind: "select", key: "head_dim", label: "head size d", options: plain(choices.head_dim) },
    { kind: "select", key: "base", label: "base", options: plain(choices.base) },
    { kind: "select", key: "trained_len", label: "trained to distance", options: plain(choices.trained_len) },
    { kind: "select", key: "method", label: "scaling", options: choices.method },
    { kind: "range", key: "scale", label: "factor s", values: () => choices.scale },
    { kind: "range", key: "distance", label: "distance", values: () => choices.distance, text: words },
    { kind: "play", key: "distance", label: "sweep the distance", ms: 240 },
    { kind: "button", label: "reset" },
  ];
  const curve = linePlot("Tokens per round of each plane. Arrow keys move from plane to plane.",
    "plane", (s) => ({ first: 0, last: s.planes.length - 1, low: 4, high: 6e7 ** (s.base > 1e5 ? 1 : 0.8),
      log: true, x: "plane i", y: "tokens per round",
      series: [{ values: s.waves, role: "text", words: "now" },
        ...(s.method === "none" ? []
          : [{ values: s.before, role: "query", dash: [5, 4], words: "as trained" }])],
      lines: [{ at: s.trained_len, words: "trained distance", below: true },
        ...(s.scale > 1 && s.method !== "none"
          ? [{ at: s.trained_len * s.scale, words: "distance wanted" }] : [])] }), 240);
  const rows = (s) => s.planes.map((p) => [p.i, tokens(s.before[p.i]), tokens(s.waves[p.i]),
    `${Math.round(100 * p.seen / ROUND)} %`, real(p.angle / ROUND), p.fresh ? "new" : "seen"]);
  return createWidget({ model, el }, {
    traits: TRAITS, smooth: ["distance"], specs, pictures: [dials(), curve], layout: "stack", state: clockState,
    words: clockWords, facts: clockFacts,
    tables: [{ head: ["plane", "tokens per round, trained", "now", "dial seen", "rounds", "angle"], rows }],
  });
}

export default { render };
