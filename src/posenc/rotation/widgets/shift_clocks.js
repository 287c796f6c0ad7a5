// The widget of the chapter on rotation: clocks, block matrix, similarity of two kinds.
import { colorTable, disk, drawing, polyline, ring, UP, write } from "../../kit/widgets/canvas.js";
import { cellGrid, pairPlan, tileAt, tiling } from "../../kit/widgets/matrix.js";
import { signed } from "../../kit/widgets/controls.js";
import {
  count, createWidget, moving, plain, sentencesOf, setAll, walk,
} from "../../kit/widgets/widget.js";
import {
  clockOf, clockRows, describe, distanceOf, distanceRows, entry, facts, TRAITS, words,
} from "./state.js";

// Clocks in rows: a pale hand at t, a strong one at t + k, and the sector between them.

/** Items are clocks, by their number. */
function clockRow(label) {
  const { canvas, context, begin } = drawing(label);
  let grid = { across: 1, cell: 1, count: 0 };

  function draw(s, { width, colors, choice }) {
    grid = tiling(s.clocks.length, width, 240, 130);
    begin(grid.across * grid.cell, Math.ceil(grid.count / grid.across) * grid.cell);
    for (const clock of s.clocks) drawClock(clock, colors, clockOf(choice));
  }

  function drawClock({ index, before, after, turn }, colors, chosen) {
    const { across, cell } = grid, named = cell >= 56;
    const x = (index % across + 0.5) * cell;
    const y = (Math.floor(index / across) + 0.5) * cell + (named ? 7 : 0);
    const radius = cell / 2 - (named ? 11 : 3);
    context.globalAlpha = chosen !== null && chosen !== index ? 0.35 : 1;
    disk(context, x, y, radius, colors.raised);
    ring(context, x, y, radius, chosen === index ? colors.text : colors.line,
      chosen === index ? 2.5 : 1);
    const alpha = context.globalAlpha;
    context.globalAlpha = 0.3 * alpha;
    const sweep = turn % (2 * Math.PI), from = after - sweep - Math.PI / 2;
    disk(context, x, y, 0.78 * radius, colors.position, Math.min(from, from + sweep),
      Math.max(from, from + sweep));
    context.globalAlpha = alpha;
    hand(x, y, radius, before, colors.muted, [4, 3]);
    hand(x, y, radius, after, colors.position, []);
    disk(context, x, y, Math.min(3, radius / 6), colors.text);
    if (named)
      write(context, `clock ${index}`, x, y - radius - 8, { size: 11, color: colors.muted });
    context.globalAlpha = 1;
  }

  function hand(x, y, radius, angle, color, dash) {
    const tip = [x + 0.93 * radius * Math.sin(angle), y - 0.93 * radius * Math.cos(angle)];
    polyline(context, color, [[x, y], tip],
      { dash, thick: Math.max(1.5, Math.min(3, radius / 14)) });
  }

  const at = (x, y) => tileAt(grid, x, y);
  const step = (key, item) => walk(key, item, 0, grid.count - 1, 0, grid.across);
  return { kind: "clock", canvas, draw, at, step };
}

// The matrix of a shift as colored cells, one block of two by two for each clock.

const MATRIX = { left: 40, top: 34 }; // margins

/** `shade` colors a number from 0 to 1. */
const blockMatrix = (label, shade) => cellGrid(label, "entry", (s, frame) => {
  const { colors, choice, width } = frame, { left, top } = MATRIX, chosen = clockOf(choice);
  const wide = Math.min((width - left) / s.d, (250 - top) / s.d, 52), side = s.d * wide;
  const head = { color: colors.muted, plain: colors.muted, room: 18 };
  const cell = (row, column) => {
    const value = entry(s, row, column), block = row >> 1;
    if (block !== column >> 1) return { fill: "transparent" };
    return { ...shade((value + 1) / 2), text: value.toFixed(wide < 36 ? 1 : 2).replace("-", "−"),
      faint: chosen !== null && chosen !== block };
  };
  const grid = { left, top, rows: s.d, columns: s.d, wide, cell, gap: wide >= 8 ? 1 : 0,
    font: () => (wide < 26 ? 0 : Math.min(14, 0.36 * wide)),
    heads: { rows: { ...head, away: 12 }, columns: head },
    names: { rows: ["← after", colors.text], columns: ["feature before →", colors.text] },
    frames: s.clocks.map(({ index }) => ({ row: 2 * index, column: 2 * index, rows: 2, columns: 2,
      color: chosen === index ? colors.text : colors.muted, thick: chosen === index ? 2.5 : 1,
      halo: false })) };
  return { width: Math.max(left + side, 150), height: top + side + 2, grids: [grid],
    under(context) {
      context.fillStyle = colors.raised;
      context.fillRect(left, top, side, side);
    } };
});

// Similarity against distance.

const CURVE = { left: 44, right: 10, top: 12, bottom: 40 }; // margins

function similarityCurve(label) {
  const { canvas, context, begin } = drawing(label);
  const line = (color, points, thick, dash) => polyline(context, color, points, { dash, thick });
  let width = 1, last = 1;
  const x = (n) => CURVE.left + n / last * (width - CURVE.left - CURVE.right);

  function draw(s, { width: wide, colors, choice }) {
    const height = 250, chosen = distanceOf(choice);
    [width, last] = [wide, s.count - 1];
    begin(width, height);
    const low = Math.min(s.lowest, 0) - 0.08, bottom = height - CURVE.bottom;
    const y = (v) => bottom - (v - low) / (1.08 - low) * (bottom - CURVE.top);
    for (const v of [-1, -0.5, 0, 0.5, 1]) {
      if (v < low) continue;
      line(v ? colors.raised : colors.line, [[CURVE.left, y(v)], [width - CURVE.right, y(v)]], 1);
      const words = String(v).replace("-", "−");
      write(context, words, CURVE.left - 6, y(v), { size: 11, align: "right", color: colors.muted });
    }
    line(colors.position, s.similarity.map((v, n) => [x(n), y(v)]), 2);
    const mark = chosen ?? Math.abs(s.offset), value = s.similarity[mark];
    line(colors.muted, [[x(mark), y(value)], [x(mark), bottom]], 1, [3, 3]);
    const color = chosen === null ? colors.position : colors.text;
    disk(context, x(mark), y(value), 5, color);
    for (let n = 0; n <= last; n += 10) {
      if (Math.abs(n - mark) >= 3)
        write(context, n, x(n), bottom + 13, { size: 11, color: colors.muted });
    }
    write(context, mark, x(mark), bottom + 13, { size: 11, bold: true, color });
    const middle = (CURVE.left + width - CURVE.right) / 2;
    write(context, "distance (tokens)", middle, height - 9, { size: 13, color: colors.text });
    write(context, "similarity", 9, CURVE.top,
      { size: 13, align: "right", turn: UP, color: colors.text });
  }

  function at(px) {
    const n = Math.round((px - CURVE.left) / (width - CURVE.left - CURVE.right) * last);
    return n >= 0 && n <= last ? n : null;
  }

  /** Distance that a key leads to; undefined for a key that leads nowhere. */
  function step(key, chosen, s) {
    const distance = chosen ?? Math.abs(s.offset);
    const to = { "": distance, ArrowLeft: distance - 1, ArrowRight: distance + 1,
      Home: 0, End: last, PageUp: distance + 10, PageDown: distance - 10 }[key];
    return to === undefined ? undefined : Math.max(0, Math.min(to, last));
  }

  return { kind: "distance", canvas, draw, at, step };
}

/** The clocks alone; dragging them to the side moves t. */
function openingClocks(model) {
  const clocks = clockRow("Clocks with a hand at position t and one two tokens later. " +
    "Drag to the side or press arrow keys to move t.");
  const last = model.get("choices").last_position;
  return { ...clocks, at: undefined, ...moving(model, clocks.canvas, "t",
    count(0, last), (x) => x / clocks.canvas.clientWidth * last) };
}

const openingWords = (s) => `From position ${s.t} to ${s.to}: wherever you start, the clocks ` +
  `turn by ${s.clocks.map(({ turn }) => `${Math.round(turn * 180 / Math.PI)}°`).join(", ")}.`;

function render({ model, el }) {
  const { last_position, largest_shift, d_model, base } = model.get("choices");
  const { turn, similarity } = model.get("colors");
  const likeness = colorTable(similarity), keys = "Arrow keys move from";
  const back = () => setAll(model, { offset: 0 - model.get("offset") });
  const play = { kind: "play", key: "t", label: "move along the text", ms: 600,
    values: () => count(0, last_position) };
  const specs = [
    { kind: "range", key: "t", label: "position t", values: () => count(0, last_position) },
    { kind: "range", key: "offset", label: "shift k", text: (k) => signed(k),
      values: () => count(-largest_shift, largest_shift) },
    { kind: "select", key: "d_model", label: "features d", options: plain(d_model) },
    { kind: "select", key: "base", label: "base", options: plain(base) },
    play,
    { kind: "button", label: "turn back: k → −k", press: back },
    { kind: "button", label: "reset" },
  ];
  const matrix = cellGrid(
    `Similarity of all positions, queries down, keys across. ${keys} cell to cell.`, "pair",
    (s, frame) => {
      const cell = (q, k) =>
        likeness((s.similarity[Math.abs(k - q)] - s.lowest) / (1 - s.lowest));
      const pair = s.inside ? [s.t, s.to] : null;
      return { ...pairPlan({ q_len: s.count, k_len: s.count, cell }, frame, 250,
        frame.chosen ?? pair), start: pair ?? [0, 0] };
    });
  const pictures = [
    clockRow(`Clocks, one for each frequency. ${keys} clock to clock.`),
    blockMatrix(`Matrix of the shift, a block for each clock. ${keys} entry to entry.`,
      colorTable(turn)),
    matrix,
    similarityCurve(`Similarity against distance. ${keys} distance to distance.`),
  ];
  return createWidget({ model, el }, {
    traits: TRAITS, smooth: ["t"], specs, pictures, state: describe, words, facts,
    spoken: (s) => sentencesOf(facts(s)).join(" "),
    tables: [
      { title: "The clocks as text", rows: clockRows, head: ["clock", "rad per token",
        "tokens per round", "at t", "turn", "at t + k", "cos θk", "sin θk"] },
      { title: "The similarities as text", rows: distanceRows, head: ["distance", "similarity"] },
    ],
    simple: { pictures: [openingClocks(model)], words: openingWords,
      specs: [play] },
  });
}

export default { render };
