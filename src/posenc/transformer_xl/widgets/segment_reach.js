// Widget: hidden states that an output can know about, by segment, memory and layers.
import { disk, drawing, outline, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { stepCell } from "../../kit/widgets/matrix.js";
import { count, createWidget, sentencesOf } from "../../kit/widgets/widget.js";

const TRAITS = ["segment_len", "memory_len", "num_layers", "position"];

/** First token that a state at `position` reads from, one layer below. */
function below({ segment, memory }, position) {
  return Math.max(Math.floor(position / segment) * segment - memory, 0);
}

function describe(model) {
  const [segment, memory, layers, position] = TRAITS.map((key) => model.get(key));
  const s = { segment, memory, layers, position, tokens: model.get("choices").num_tokens };
  s.own = Math.floor(position / segment) * segment;
  s.first = [position]; // reached at the top layer, then at each one below
  for (let n = 0; n < layers; n++) s.first.push(below(s, s.first[n]));
  s.shown = { first: s.first };
  return s;
}

/** Whether the state of token x at `layer` is reached: "own" segment, "memory" or "". */
function kind(s, layer, x) {
  if (x > s.position || x < s.first[s.layers - layer]) return "";
  return x < s.own ? "memory" : "own";
}

const span = (a, b) => (a === b ? `token ${a}` : `tokens ${a} to ${b}`);

function words(s, choice) {
  if (!choice) return "Point at a state, tap it, or press arrow keys in the focused picture.";
  const [down, x] = choice.item, layer = s.layers - down;
  const where = layer ? `layer ${layer}, token ${x}` : `token ${x}`;
  const tells = {
    "": "out of reach", own: "reached in its own segment: gradients flow",
    memory: "reached through a memory: no gradient",
  };
  const reads = layer ? `; it reads ${span(below(s, x), x)} of the layer below` : "";
  return `${where}: ${tells[kind(s, layer, x)]}${reads}`;
}

function facts(s) {
  const start = s.first.at(-1), count = s.position - start + 1;
  const far = s.own - start;
  return [
    ["●", `The output at token ${s.position} can know about ${span(start, s.position)}: ` +
      `${count} in all.`, "query"],
    far
      ? ["○", `Of these, ${span(start, s.own - 1)} came through memories: their values count, ` +
        "but no gradient reaches them.", "key"]
      : ["○", "No token before the segment is reached.", "key"],
    start
      ? ["·", `Nothing before token ${start} can change this output.`]
      : ["·", "The reach goes back to the beginning of the text."],
  ];
}

function rows(s) {
  return s.first.map((first, down) => {
    const layer = s.layers - down;
    return [layer ? `layer ${layer}` : "tokens", span(first, s.position),
      s.position - first + 1];
  });
}

/** Items are states, [layers below the top, token]. */
function map() {
  const { canvas, context, begin } = drawing(
    "Hidden states, layers up and tokens across. Arrow keys move from state to state.");
  let grid = { left: 0, size: 1, up: 1, tokens: 0, rows: 0 };
  const x = (n) => grid.left + (n + 0.5) * grid.size, y = (down) => 14 + (down + 0.3) * grid.up;

  function draw(s, { width, colors, chosen }) {
    const left = width < 500 ? 16 : 52, size = Math.min((width - left) / s.tokens, 30);
    grid = { left, size, up: Math.max(1.7 * size, 34), tokens: s.tokens, rows: s.layers + 1 };
    const tall = y(s.layers) + 38;
    begin(width, tall);
    drawSegments(s, colors, tall);
    for (let down = 0; down < s.layers; down++)
      for (const n of new Set([s.first[down], s.position])) drawReads(s, n, down, colors);
    for (let down = 0; down <= s.layers; down++) {
      const layer = s.layers - down, name = layer ? `layer ${layer}` : "tokens";
      write(context, left < 50 ? (layer || "t") : name, left - 6, y(down),
        { align: "right", color: colors.text });
      for (let n = 0; n < s.tokens; n++) drawState(s, n, down, colors);
    }
    if (chosen) {
      const [down, n] = chosen, radius = Math.min(0.3 * size, 8);
      ring(context, x(n), y(down), Math.max(radius + 3, 1), colors.text);
    }
  }

  function drawSegments(s, colors, tall) {
    for (let n = 0; n < s.tokens; n += s.segment) {
      const wide = Math.min(s.segment, s.tokens - n) * grid.size;
      outline(context, grid.left + n * grid.size + 1.5, 2.5, wide - 3, tall - 28, colors.line,
        { thick: 1 });
      if (s.segment * grid.size > 16)
        write(context, n, x(n), tall - 12, { size: 11, color: colors.muted });
    }
  }

  function drawReads(s, n, down, colors) {
    const own = Math.floor(n / s.segment) * s.segment;
    context.globalAlpha = 0.6;
    for (let k = below(s, n); k <= n; k++)
      polyline(context, k < own ? colors.key : colors.query,
        [[x(n), y(down)], [x(k), y(down + 1)]], { dash: k < own ? [3, 3] : [] });
    context.globalAlpha = 1;
  }

  function drawState(s, n, down, colors) {
    const what = kind(s, s.layers - down, n), radius = Math.min(0.3 * grid.size, 8);
    disk(context, x(n), y(down), what ? radius : Math.max(0.25 * radius, 1.2),
      what === "own" ? colors.query : what ? colors.surface : colors.line);
    if (what === "memory") ring(context, x(n), y(down), Math.max(radius - 0.5, 1), colors.key);
  }

  function at(px, py) {
    const n = Math.floor((px - grid.left) / grid.size);
    const down = Math.floor((py - 14) / grid.up + 0.2);
    return n >= 0 && n < grid.tokens && down >= 0 && down < grid.rows ? [down, n] : null;
  }

  const step = (key, item, s) => stepCell(key, item, grid.rows, grid.tokens, [0, s.position]);
  return { kind: "state", canvas, draw, at, step };
}

function render({ model, el }) {
  const most = model.get("choices");
  return createWidget({ model, el }, {
    traits: TRAITS, state: describe, pictures: [map()], words, facts,
    specs: [
      { kind: "range", key: "segment_len", label: "segment", values: () => count(1, most.segment_len) },
      { kind: "range", key: "memory_len", label: "memory", values: () => count(0, most.memory_len) },
      { kind: "range", key: "num_layers", label: "layers", values: () => count(1, most.num_layers) },
      { kind: "range", key: "position", label: "query", values: () => count(0, most.num_tokens - 1) },
      { kind: "button", label: "no memory", set: { memory_len: 0 } },
      { kind: "button", label: "reset" },
    ],
    spoken: (s) => sentencesOf(facts(s)).join(" "),
    tables: [{ head: ["row", "in reach", "tokens"], rows }],
  });
}

export default { render };
