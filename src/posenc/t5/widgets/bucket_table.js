// The widget of the chapter on T5: a table of buckets and a staircase, linked by the bucket.
import {
  colorTable, drawing, outline, polyline, ring, UP, write,
} from "../../kit/widgets/canvas.js";
import { cellGrid, pairPlan } from "../../kit/widgets/matrix.js";
import { signed } from "../../kit/widgets/controls.js";
import { count, createWidget, sentencesOf, walk } from "../../kit/widgets/widget.js";
import { bucketOf, describe, facts, positionOf, textRows, TRAITS, words } from "./state.js";

// Picture of the bucket (or the bias) against the relative position.

const STAIRS = { left: 36, right: 10, top: 12, bottom: 42 }; // margins

/** `paint(s, bucket)` colors a step. Items are relative positions. */
function staircase(label, paint) {
  const { canvas, context, begin } = drawing(label);
  const line = (color, points, dash, thick) => polyline(context, color, points, { dash, thick });
  let toPosition = () => null;

  function draw(s, { width, heights: [tall], beside, colors, choice: chosen }) {
    const height = beside ? Math.max(tall, 320) : 280;
    const choice = chosen && { r: positionOf(chosen), bucket: bucketOf(s, chosen) };
    begin(width, height);
    const axes = scales(s, width, height);
    toPosition = axes.toPosition;
    drawBackground(s, axes, colors);
    for (const step of s.steps) drawStep(s, axes, step, colors, choice);
    drawMarks(s, axes, colors);
    if (choice) {
      const top = axes.y(axes.value(choice.bucket));
      line(colors.text, [[axes.x(choice.r), top], [axes.x(choice.r), axes.bottom + 6]], [2, 3]);
    }
    drawPositions(s, axes, colors, choice);
    drawHeights(s, axes, colors, choice);
  }

  function drawBackground(s, { x, y, left, right, bottom }, colors) {
    const from = x(0.5 - s.exact), to = x(s.exact - 0.5);
    context.fillStyle = colors.raised;
    context.fillRect(from, STAIRS.top, to - from, bottom - STAIRS.top);
    for (const side of sides(s)) {
      const at = x(side * s.max);
      line(colors.muted, [[at, STAIRS.top], [at, bottom]], [4, 4]);
    }
    line(colors.line, [[left, bottom], [right, bottom]]);
    if (s.showsBias) line(colors.line, [[left, y(0)], [right, y(0)]]);
    const reach = [x(0.5 - s.q_len), x(s.both ? s.k_len - 0.5 : 0.5)];
    line(colors.position, reach.map((at) => [at, bottom + 3]), [], 5);
  }

  function drawStep(s, { x, y, value }, { bucket, first, last }, colors, choice) {
    const from = x(first - 0.5), wide = Math.max(x(last + 0.5) - from, 1);
    const tile = Math.max(0.92 * Math.abs(y(1) - y(0)), 2.5), at = y(value(bucket));
    const box = s.showsBias
      ? [from, Math.min(at, y(0)), wide, Math.max(Math.abs(at - y(0)), 2)]
      : [from, at - tile / 2, wide, tile];
    context.globalAlpha = choice && choice.bucket !== bucket ? 0.3 : 1;
    context.fillStyle = paint(s, bucket).fill;
    context.fillRect(...box);
    context.globalAlpha = 1;
    if (choice?.bucket === bucket) outline(context, ...box, colors.text);
  }

  /** Circles for buckets without a position, diamonds where the last bucket begins. */
  function drawMarks(s, { x, y, value }, colors) {
    for (const { bucket, edge } of s.empty)
      ring(context, x(edge), y(value(bucket)), 3.2, colors.text, 1.3);
    context.fillStyle = colors.text;
    for (const side of sides(s)) {
      const cx = x(side * (s.begins - 0.5));
      const cy = y(value(side < 0 ? s.half - 1 : s.num - 1));
      context.beginPath();
      for (const [dx, dy] of [[0, -5], [5, 0], [0, 5], [-5, 0]]) context.lineTo(cx + dx, cy + dy);
      context.fill();
    }
  }

  function drawPositions(s, { x, left, right, bottom }, colors, choice) {
    const wishes = [s.max, 1, 4, 16, 64, 256, 2, 8, 32, 128].filter((d) => d <= s.max);
    const ticks = [0, ...wishes.flatMap((d) => sides(s).map((side) => side * d))];
    const taken = [];
    for (const r of choice ? [choice.r, ...ticks] : ticks) {
      const words = signed(r), half = 3.6 * words.length + 4;
      const at = Math.max(left - 8 + half, Math.min(x(r), right + 10 - half));
      if (taken.some(([from, to]) => at + half > from && at - half < to)) continue;
      taken.push([at - half, at + half]);
      const bold = r === choice?.r, color = bold ? colors.position : colors.muted;
      write(context, words, at, bottom + 16, { size: 11, bold, color });
    }
    const name = "relative position (key − query)";
    write(context, name, (left + right) / 2, bottom + 33, { size: 13, color: colors.position });
  }

  function drawHeights(s, { y, left }, colors, choice) {
    const pitch = Math.abs(y(1) - y(0)), at = { size: 11, align: "right" };
    const every = s.showsBias ? 1 : [1, 2, 4, 8, 16, 32].find((n) => n * pitch >= 17);
    const [low, high] = s.showsBias ? [Math.ceil(s.low), s.scale] : [0, s.num - 1];
    const chosen = s.showsBias ? null : choice?.bucket ?? null;
    for (let v = low; v <= high; v += every) {
      if (chosen !== null && Math.abs(v - chosen) * pitch < 13) continue;
      write(context, s.showsBias ? signed(v) : v, left - 6, y(v), { ...at, color: colors.muted });
    }
    if (chosen !== null)
      write(context, chosen, left - 6, y(chosen), { ...at, bold: true, color: colors.text });
    const name = s.showsBias ? "bias (MPNet, head 7)" : "bucket";
    write(context, name, 8, STAIRS.top,
      { size: 13, align: "right", turn: UP, color: colors.text });
  }

  /** From bucket to bucket, to the relative position that is nearest to 0. */
  function step(key, r, s) {
    const now = s.steps.indexOf(s.stepOf(r ?? 0)), end = s.steps.length - 1;
    const to = walk(key, now, 0, end, now, -1);
    if (to === undefined) return undefined;
    const { first, last } = s.steps[to];
    return last <= 0 ? last : first;
  }

  return { kind: "step", canvas, draw, at: (x) => toPosition(x), step };
}

const sides = (s) => (s.both ? [-1, 1] : [-1]);

/** Where relative positions and heights lie on the canvas. */
function scales(s, width, height) {
  const left = STAIRS.left, right = width - STAIRS.right, bottom = height - STAIRS.bottom;
  const limit = Math.max(1.6 * s.max, s.q_len, s.both ? s.k_len : 0);
  const bend = (r) => (s.log ? Math.sign(r) * Math.log2(1 + Math.abs(r)) : r);
  const unbend = (t) => (s.log ? Math.sign(t) * (2 ** Math.abs(t) - 1) : t);
  const ends = [-limit, s.both ? limit : 0.5], [low, high] = ends.map(bend);
  const across = (right - left) / (high - low);
  const heights = s.showsBias ? [1.1 * s.low, 1.1 * s.scale] : [-0.8, s.num - 0.2];
  const up = (bottom - STAIRS.top) / (heights[1] - heights[0]);
  return {
    left, right, bottom,
    x: (r) => left + (bend(Math.max(ends[0], Math.min(r, ends[1]))) - low) * across,
    y: (v) => bottom - (v - heights[0]) * up,
    value: (bucket) => (s.showsBias ? s.bias[bucket] : bucket),
    toPosition(x) {
      if (x < left || x > right) return null;
      return Math.round(unbend(low + (x - left) / across)) + 0; // no −0
    },
  };
}

/** Controls that offer possible settings alone. */
function settingControls(model) {
  const get = (key) => model.get(key), { num_buckets, max_distance, max_length } = get("choices");
  const lengths = count(1, max_length);
  const possible = (both, num, max) => `${num},${max},${both}` in get("settings");
  const numbers = () =>
    num_buckets.filter((num) => possible(get("bidirectional"), num, get("max_distance")));
  const distances = (both) =>
    max_distance.filter((max) => possible(both, get("num_buckets"), max));
  function turn(both) { // more buckets per direction may need a larger max distance
    const allowed = distances(both);
    if (!allowed.includes(get("max_distance"))) model.set("max_distance", allowed[0]);
    model.set("bidirectional", both);
  }
  const directions = [[true, "both (encoder)"], [false, "past only (decoder)"]];
  const views = [["buckets", "bucket numbers"], ["bias", "biases (MPNet)"]];
  return [
    { kind: "range", key: "q_len", label: "queries", values: () => lengths },
    { kind: "range", key: "k_len", label: "keys", values: () => lengths },
    { kind: "range", key: "num_buckets", label: "buckets", values: numbers },
    { kind: "range", key: "max_distance", label: "max distance",
      values: () => distances(get("bidirectional")) },
    { kind: "select", key: "bidirectional", label: "direction", options: directions, choose: turn },
    { kind: "select", key: "view", label: "show", options: views },
    { kind: "checkbox", key: "log_axis", label: "logarithmic axis" },
    { kind: "button", label: "T5’s own setting",
      set: { num_buckets: 32, max_distance: 128, bidirectional: true } },
    { kind: "button", label: "many empty buckets",
      set: { num_buckets: 32, max_distance: 20, bidirectional: false } },
    { kind: "button", label: "reset" },
  ];
}

function render({ model, el }) {
  const { bucket, bias } = model.get("colors");
  const shades = { bucket: colorTable(bucket), bias: colorTable(bias) };
  const paint = (s, bucket) => s.showsBias
    ? shades.bias(Math.max(0, 0.5 + s.bias[bucket] / (2 * s.scale)))
    : shades.bucket(bucket / (s.num - 1));
  const matrix = cellGrid(
    "Table of buckets, queries down, keys across. Arrow keys move from cell to cell.", "cell",
    (s, frame) => {
      const { choice, colors } = frame, chosen = bucketOf(s, choice);
      const cell = (q, k) => {
        const bucket = s.cells[k - q + s.q_len - 1], hidden = s.hidden(k - q);
        const color = hidden ? { fill: colors.raised, ink: colors.muted } : paint(s, bucket);
        const text = s.showsBias ? signed(s.bias[bucket], 1) : String(bucket);
        return { ...color, text, faint: chosen !== null && chosen !== bucket };
      };
      return pairPlan({ ...s, cell }, frame, 460);
    });
  const stairs = staircase(
    "Staircase of buckets by relative position. Arrow keys move from bucket to bucket.", paint);
  return createWidget({ model, el }, {
    traits: TRAITS, specs: settingControls(model), pictures: [matrix, stairs], state: describe,
    words, facts, spoken: (s) => sentencesOf(facts(s)).join(" "),
    tables: [{ head: ["bucket", "relative positions", "pairs in the table", "bias (MPNet, head 7)"],
      rows: textRows }],
  });
}

export default { render };
