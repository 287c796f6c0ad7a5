// The widget of the chapter on ALiBi: slopes, heat map, straight line and staircase, weights.
import {
  colorTable, disk, drawing, outline, polyline, ring, UP, write,
} from "../../kit/widgets/canvas.js";
import { cellGrid, pairPlan } from "../../kit/widgets/matrix.js";
import { linePlot } from "../../kit/widgets/plot.js";
import { count, createWidget, moving, real, setAll, walk } from "../../kit/widgets/widget.js";
import { describe, facts, slopeWords, textRows, TRAITS, words } from "./state.js";

// The simple view: one straight line that tilts, and what it leaves of each key's weight.
const TOP = 30, BOTTOM = 172, STRIP = [192, 232], FAN_HEIGHT = 256, SIDE = 12, DEPTH = 4, REACH = 24;

/** The line of a head, or of one between two heads while it tilts. */
function fanState(model) {
  const heads = model.get("num_heads"), head = Math.min(model.get("head"), heads);
  const slopes = model.get("slopes")[31 - Math.clz32(heads)].slice(0, heads);
  const [low, high] = [Math.floor(head), Math.ceil(head)].map((n) => slopes[n - 1]);
  const slope = low * (high / low) ** (head - Math.floor(head));
  const factors = count(0, REACH - 1).map((distance) => Math.exp(-slope * distance));
  return { head, heads, slopes, slope, factors, shown: { slope, factors } };
}

/** Say how much of its weight a key 8 tokens back keeps. */
const fanWords = ({ head, heads, slope, factors }) =>
  `Head ${head} of ${heads}, slope ${slopeWords(slope)}: a key 8 tokens back keeps ` +
  `${real(factors[8])} of its weight.`;

/** The query stands on the right; dragging up or down tilts the line. */
function fallingLine(model) {
  const { canvas, context, begin } = drawing("A line that falls to the left of the query, and " +
    "below it how much of each key is left. Drag it or press arrow keys to tilt it.");
  let s = null, unit = 1, right = 0;
  const x = (distance) => right - distance * unit;
  const y = (bias) => TOP - bias * (BOTTOM - TOP) / DEPTH;
  const end = (slope) => Math.min(REACH - 0.5, DEPTH / slope);

  function headAt(px, py) {
    const distance = Math.max((right - px) / unit, 0.5), bias = Math.max(py - TOP, 1) * DEPTH / (BOTTOM - TOP);
    const away = s.slopes.map((slope) => Math.abs(Math.log(slope * distance / bias)));
    return away.indexOf(Math.min(...away));
  }

  function draw(state, { width, colors }) {
    s = state;
    unit = (width - 2 * SIDE) / REACH;
    right = width - SIDE - unit / 2;
    begin(width, FAN_HEIGHT);
    polyline(context, colors.line, [[SIDE, TOP], [width - SIDE, TOP]]);
    for (const slope of s.slopes)
      polyline(context, colors.line, [[x(0), y(0)], [x(end(slope)), y(-slope * end(slope))]], { dash: [2, 4] });
    polyline(context, colors.position,
      [[x(0), y(0)], [x(end(s.slope)), y(-s.slope * end(s.slope))]], { thick: 4 });
    const grip = Math.min(end(s.slope), REACH / 2);
    disk(context, x(grip), y(-s.slope * grip), 9, colors.position);
    write(context, "↕", x(grip), y(-s.slope * grip), { size: 12, bold: true, color: colors.surface });
    write(context, "added to the score", SIDE, 12, { size: 13, align: "left", color: colors.text });
    write(context, "0", width - SIDE, 12, { size: 12, align: "right", color: colors.muted });
    s.factors.forEach((factor, distance) => {
      const left = x(distance) - unit / 2 + 0.5, high = STRIP[1] - STRIP[0];
      outline(context, left + 0.5, STRIP[0] + 0.5, unit - 2, high - 1, colors.line, { thick: 1 });
      context.globalAlpha = factor;
      context.fillStyle = distance ? colors.key : colors.query;
      context.fillRect(left, STRIP[0], unit - 1, high);
      context.globalAlpha = 1;
    });
    write(context, "what is left of each key", SIDE, FAN_HEIGHT - 11, { size: 13, align: "left", color: colors.key });
    write(context, "query", width - SIDE, FAN_HEIGHT - 11, { size: 13, align: "right", bold: true, color: colors.query });
  }
  return { canvas, draw, ...moving(model, canvas, "head",
    count(1, model.get("num_heads")), headAt) };
}

// Picture of all slopes on a logarithmic scale, and of the bias of one head as a heat map.
const MARGIN = { left: 54, right: 12, top: 14, bottom: 40 };
const HEIGHT = 230, LOW = -8.6, HIGH = 0.2; // logarithms of slopes

/** Dots for the slopes; `press(head)` is told of a click or Enter on one. */
function slopePicture(label, press) {
  const { canvas, context, begin } = drawing(label);
  let s = null, box = null;
  const x = (head) => box.left + ((head - 0.5) / s.num_heads) * (box.right - box.left);
  const y = (slope) => box.top + ((HIGH - Math.log2(slope)) / (HIGH - LOW)) * (box.bottom - box.top);

  function draw(state, { width, colors, chosen }) {
    s = state;
    begin(width, HEIGHT);
    box = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top,
      bottom: HEIGHT - MARGIN.bottom };
    for (const power of [0, 2, 4, 6, 8]) {
      const at = y(2 ** -power);
      polyline(context, colors.raised, [[box.left, at], [box.right, at]]);
      write(context, power ? `1/${2 ** power}` : "1", box.left - 6, at,
        { size: 11, align: "right", color: colors.muted });
    }
    polyline(context, colors.line, [[box.left, box.bottom], [box.right, box.bottom]]);
    const size = Math.max(2.2, Math.min(5, 0.32 * (box.right - box.left) / s.num_heads));
    s.slopes.forEach((slope, i) => mark(i + 1, slope, size, colors));
    for (const [head, radius] of [[s.head, size + 4], [chosen, size + 2]])
      if (head) ring(context, x(head), y(s.slopes[head - 1]), radius, colors.text,
        head === s.head ? 2.2 : 1.2);
    heads(colors, chosen ?? s.head);
  }

  /** A dot, or a diamond for a slope that was added. */
  function mark(head, slope, size, colors) {
    const [cx, cy] = [x(head), y(slope)];
    if (head <= s.power) return disk(context, cx, cy, size, colors.position);
    const far = 1.3 * size, corners = [[0, -far], [far, 0], [0, far], [-far, 0], [0, -far]];
    polyline(context, colors.key, corners.map(([dx, dy]) => [cx + dx, cy + dy]), { thick: 1.6 });
  }

  function heads(colors, bold) {
    const every = [1, 2, 4, 8, 16].find((n) => s.num_heads / n <= 12);
    for (let head = 1; head <= s.num_heads; head++) {
      const close = Math.abs(x(head) - x(bold)) < 17;
      if (head !== bold && ((head - 1) % every || close)) continue;
      write(context, head, x(head), box.bottom + 12, { size: 11, bold: head === bold,
        color: head === bold ? colors.text : colors.muted });
    }
    const middle = (box.left + box.right) / 2;
    write(context, `head (now ${s.head}, slope ${slopeWords(s.slope)})`, middle, box.bottom + 30,
      { size: 13, color: colors.text });
    write(context, "slope (log scale)", 8, box.top,
      { size: 13, align: "right", turn: UP, color: colors.position });
  }

  function at(px) {
    if (!box || px < box.left || px > box.right) return null;
    const head = Math.ceil(((px - box.left) / (box.right - box.left)) * s.num_heads);
    return Math.max(1, Math.min(head, s.num_heads));
  }
  const step = (key, item) => walk(key, item, 1, s.num_heads, s.head);
  return { kind: "head", canvas, draw, at, step, press };
}

const BAR = { high: 10, below: 12, words: 26 }; // the scale of colors under the heat map

/**
 * Heat map of the bias among the first tokens, and below it its scale: from `deepest`, and
 * all that is lower, to 0, the same for every slope.
 */
function biasPicture(label, hex, deepest) {
  const table = colorTable(hex), shade = (bias) => table(0.5 - Math.max(bias, deepest) / (2 * deepest));
  return cellGrid(label, "cell", (s, frame) => {
    const hidden = { fill: frame.colors.raised, ink: frame.colors.muted };
    const cell = (q, k) => (s.causal && k > q ? hidden : shade(-s.slope * Math.abs(k - q)));
    const plan = pairPlan({ q_len: s.size, k_len: s.size, cell }, frame, 198);
    const top = plan.height + BAR.below, { left } = plan.grids[0];
    const width = Math.max(plan.width, Math.min(frame.width, left + 200));
    return { ...plan, width, height: top + BAR.high + BAR.words,
      over: (context) => scale(context, { left, top, right: width - 7 }, frame.colors) };
  });

  function scale(context, { left, top, right }, colors) {
    for (let x = left; x < right; x++) {
      context.fillStyle = shade(deepest * (1 - (x - left) / (right - 1 - left))).fill;
      context.fillRect(x, top, Math.min(1, right - x), BAR.high);
    }
    for (const bias of [deepest, deepest / 2, 0]) {
      const low = bias === deepest, words = String(bias).replace("-", "−") + (low ? " or less" : "");
      write(context, words, left + (1 - bias / deepest) * (right - left), top + BAR.high + 11,
        { size: 11, align: low ? "left" : bias ? "center" : "right", color: colors.muted });
    }
    write(context, "bias", left - 6, top + BAR.high / 2, { size: 13, align: "right", color: colors.text });
  }
}

/** On the way, lines and curves of one head become those of another. */
function mix(from, to, t) {
  if (from.length !== to.length || from.causal !== to.causal) return to;
  const pass = (a, b) => a + t * (b - a), all = (a, b) => b.map((value, i) => pass(a[i], value));
  const line = Object.fromEntries(["bias", "weights", "within"].map((key) =>
    [key, all(from.line[key], to.line[key])]));
  return { ...to, slope: pass(from.slope, to.slope), line };
}

function render({ model, el }) {
  const { max_heads, length, shares, deepest } = model.get("choices");
  const numHeads = (n) => // keep a head that there is
    setAll(model, { num_heads: n, head: Math.min(model.get("head"), n) });
  const directions = [[true, "past only (decoder)"], [false, "both, −m·|i − j|"]];
  const views = [["weights", "each weight"], ["within", "share within a distance"]];
  const specs = [
    { kind: "range", key: "num_heads", label: "heads", values: () => count(1, max_heads),
      choose: numHeads },
    { kind: "range", key: "head", label: "this head",
      values: () => count(1, model.get("num_heads")) },
    { kind: "range", key: "length", label: "tokens", values: () => length },
    { kind: "select", key: "causal", label: "direction", options: directions },
    { kind: "select", key: "view", label: "weights as", options: views },
    { kind: "button", label: "12 heads", set: { num_heads: 12, head: 9 } },
    { kind: "button", label: "16 heads", set: { num_heads: 16, head: 1 } },
    { kind: "button", label: "reset" },
  ];
  const x = "relative position (key − query)";
  const common = (s) => ({ first: s.first, last: s.last, start: 0, x });
  const visible = (values) => values.map((v) => (v < deepest ? NaN : v));
  const pair = (line, stairs, steps = true) => [
    { values: line, role: "position", words: "ALiBi" },
    { values: stairs, role: "text", dash: [5, 3], words: "MPNet", steps }];
  const slopes = slopePicture("Slope of each head. Arrow keys move from head to head, Enter " +
    "chooses one.", (head) => { model.set("head", head); model.save_changes(); });
  const matrix = biasPicture("Bias of the first tokens, queries down, keys across. Arrow keys " +
    "move from cell to cell.", model.get("bias_colors"), deepest);
  const lines = linePlot("Bias against relative position. Arrow keys move along it.", "offset",
    (s) => ({ ...common(s), y: "bias", high: 0.4 + Math.max(0, ...s.steps.bias),
      low: Math.max(deepest, 1.05 * Math.min(...s.line.bias, ...s.steps.bias)),
      series: pair(visible(s.line.bias), visible(s.steps.bias)) }), 240);
  const weights = linePlot("Weights with equal scores. Arrow keys move along them.", "offset",
    (s) => (s.view === "weights"
      ? { ...common(s), y: "weight, equal scores", low: 0,
        high: 1.08 * Math.max(...s.line.weights, ...s.steps.weights),
        series: pair(s.line.weights, s.steps.weights) }
      : { ...common(s), y: "share within the distance", low: 0, high: 1.04,
        series: pair(s.line.within, s.steps.within, false),
        lines: shares.map((share) => ({ at: share, words: `${100 * share} %` })) }), 240);
  const head = ["head", "slope", "factor per token", "bias at 1", "at 10", "at 100"];
  return createWidget({ model, el }, {
    traits: TRAITS, specs, pictures: [slopes, matrix, lines, weights], state: describe, mix, words,
    facts, tables: [{ head, rows: textRows }],
    simple: { pictures: [fallingLine(model)], state: fanState, words: fanWords, smooth: ["head"], mix: null,
      specs: [{ kind: "play", key: "head", label: "from head to head", ms: 1200, way: 700,
        values: () => count(1, model.get("num_heads")) }] },
  });
}

export default { render };
