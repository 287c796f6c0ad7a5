// A key on the ruler of relative positions: one box each near the query, wide ones far away.
import { signed } from "../../kit/widgets/controls.js";
import { colorTable, disk, drawing, outline, polyline, write } from "../../kit/widgets/canvas.js";
import { count, createWidget, moving } from "../../kit/widgets/widget.js";

const TABLE = [26, 54], RULER = [150, 172], HEIGHT = 226, SIDE = 18;

const reachOf = (model) => model.get("steps").at(-1)[2];

/** All that is shown: the buckets as runs of positions, and the one that holds the key. */
function describe(model) {
  const runs = model.get("steps").map(([bucket, first, last]) => ({ bucket, first, last }));
  const offset = model.get("offset"), reach = reachOf(model);
  const head = model.get("head"), bias = model.get("biases")[head];
  const run = runs.find(({ last }) => Math.round(offset) <= last);
  // Bucket 0, far below all others, is left out of the scale.
  return { reach, offset, runs, run, head, bias, scale: Math.max(...bias.slice(1).map(Math.abs)),
    shown: { bucket: run.bucket, head, bias: bias[run.bucket] } };
}

function words({ offset, run, head, bias, reach }) {
  const { bucket, first, last } = run, far = Math.max(-first, last) === reach;
  const shared = first === last ? "a number of its own" : far
    ? `one number for ${signed(first < 0 ? last : first)} and all beyond`
    : `one number for ${signed(first)} … ${signed(last)}`;
  return `Key at ${signed(offset)}: bucket ${bucket}, ${shared}: ${signed(bias[bucket], 2)} in head ${head} of MPNet.`;
}

function road(model, shade) {
  const { canvas, context, begin } = drawing(
    "Ruler of relative positions with a key that can be dragged. Arrow keys move it.");
  const reach = reachOf(model);
  let unit = 1, middle = 0;
  const x = (r) => middle + r * unit;

  function ribbon(top, bottom, fill, lit) {
    const [a, b] = [TABLE[1] + 2, RULER[0] - 2], bend = (a + b) / 2;
    context.beginPath();
    context.moveTo(top[0], a);
    context.bezierCurveTo(top[0], bend, bottom[0], bend, bottom[0], b);
    context.lineTo(bottom[1], b);
    context.bezierCurveTo(bottom[1], bend, top[1], bend, top[1], a);
    context.fillStyle = fill;
    context.globalAlpha = lit ? 1 : 0.3;
    context.fill();
    context.globalAlpha = 1;
  }

  function draw(s, { width, colors }) {
    [unit, middle] = [(width - 2 * SIDE) / (2 * reach + 1), width / 2];
    begin(width, HEIGHT);
    const wide = (width - 2 * SIDE) / s.runs.length, small = wide < 16;
    write(context, "one learned number for each bucket", SIDE, 10, { size: 13, align: "left", color: colors.text });
    s.runs.forEach((run, i) => {
      const { fill, ink } = shade(Math.max(0, 0.5 + s.bias[run.bucket] / (2 * s.scale))), lit = run === s.run;
      const box = [SIDE + i * wide + 1, SIDE + (i + 1) * wide - 1];
      const place = [x(run.first - 0.5), Math.max(x(run.last + 0.5), x(run.first - 0.5) + 1)];
      ribbon(box, place, fill, lit);
      context.fillStyle = fill;
      context.fillRect(box[0], TABLE[0], box[1] - box[0], TABLE[1] - TABLE[0]);
      context.fillRect(place[0], RULER[0], place[1] - place[0], RULER[1] - RULER[0]);
      polyline(context, colors.surface, [[place[1], RULER[0]], [place[1], RULER[1]]], { thick: 0.5 });
      if (!small) write(context, run.bucket, (box[0] + box[1]) / 2, (TABLE[0] + TABLE[1]) / 2 + 0.5,
        { size: 11, bold: lit, color: ink });
      if (!lit) return;
      outline(context, box[0], TABLE[0], box[1] - box[0], TABLE[1] - TABLE[0], colors.text);
      outline(context, place[0], RULER[0], place[1] - place[0], RULER[1] - RULER[0], colors.text);
    });
    const ends = unit * 32 < 44 ? [-128, -64, 0, 64, 128] : count(-4, 4).map((n) => 32 * n);
    for (const r of ends.filter((n) => Math.abs(x(n) - x(s.offset)) > 24))
      write(context, signed(r), x(r), RULER[1] + 11, { size: 11, color: colors.position });
    polyline(context, colors.query, [[x(0), RULER[0] - 6], [x(0), RULER[1] + 4]], { thick: 2 });
    write(context, "query", x(0), HEIGHT - 12, { size: 13, bold: true, color: colors.query });
    if (Math.abs(x(s.offset) - x(0)) > 40)
      write(context, "key", x(s.offset), HEIGHT - 12, { size: 13, bold: true, color: colors.key });
    disk(context, x(s.offset), RULER[1] + 11, 10, colors.key);
    write(context, "k", x(s.offset), RULER[1] + 11, { size: 12, bold: true, color: colors.surface });
  }
  return { canvas, draw, ...moving(model, canvas, "offset", count(-reach, reach),
    (px) => (px - middle) / unit + reach) };
}

function render({ model, el }) {
  const reach = reachOf(model);
  const specs = [
    { kind: "range", key: "offset", label: "key at", values: () => count(-reach, reach), text: signed },
    { kind: "select", key: "head", label: "head",
      options: model.get("biases").map((_, head) => [head, String(head)]) },
    { kind: "play", key: "offset", label: "let the key walk away", ms: 60,
      values: () => count(0, reach) },
  ];
  return createWidget({ model, el }, {
    traits: ["offset", "head"], specs, state: describe, words, spoken: words,
    smooth: ["offset"], pictures: [road(model, colorTable(model.get("colors")))],
    simple: { specs: specs.slice(1) } });
}

export default { render };
