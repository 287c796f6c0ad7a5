// The widget of the chapter on Shaw's vectors: a table, and the vectors of one query.
import { colorTable, drawing, outline, write } from "../../kit/widgets/canvas.js";
import { cellGrid } from "../../kit/widgets/matrix.js";
import { count, createWidget, moving, sentencesOf } from "../../kit/widgets/widget.js";
import { vectorsOfQuery } from "./pictures.js";
import { describe, facts, pointed, shadeOf, sizeOf, textRows, TRAITS, words } from "./state.js";

// The table of rows or labels: queries down, keys across, words at both sides.

const LEFT = 58, TOP = 58, RIGHT = 16; // room for the words

/** Items are cells, [query, key]. */
const labelMatrix = (label, shades) => cellGrid(label, "cell", (s, { width, colors, choice }) => {
  const wide = Math.min(Math.floor((width - LEFT - RIGHT) / s.size), 44);
  const { q, k, row: chosen } = pointed(s, choice);
  const empty = { fill: colors.raised, ink: colors.muted };
  const cell = (query, key) => {
    const row = s.cell(query, key), text = row < 0 ? "" : row;
    return { ...(row < 0 ? empty : shadeOf(s, shades, row)), text, mark: query === key,
      faint: chosen !== undefined && chosen !== row };
  };
  const head = { words: (i) => s.nodes[i], size: 12, away: 6, plain: colors.muted };
  const heads = {
    rows: { ...head, chosen: q ?? s.query, color: colors.query, align: "right" },
    columns: { ...head, chosen: k, color: colors.key, align: "left", turn: -Math.PI / 3 },
  };
  const grid = { left: LEFT, top: TOP, rows: s.size, columns: s.size, wide, gap: 1, cell, heads,
    font: () => Math.min(13, wide * 0.55),
    frames: [{ row: s.query, column: 0, columns: s.size, color: colors.query, thick: 2, halo: false }] };
  return {
    width: LEFT + s.size * wide + RIGHT, height: TOP + s.size * wide + 2, grids: [grid],
    chosen: q === undefined ? null : [q, k], start: [s.query, s.query],
    over(context) {
      write(context, "key →", 2, 10, { align: "left", size: 13, color: colors.key });
      write(context, "query ↓", 2, 28, { align: "left", size: 13, color: colors.query });
    },
  };
});

// The simple view: a sentence seen from one word, and the table of vectors that all words share.

const WORDS = [30, 64], TABLE = [182, 216], HEIGHT = 246, SIDE = 6;

/** On the way from one query to the next, ribbons are on theirs. */
function ribbonState(model) {
  const query = model.get("query"), whole = Math.floor(query), part = query - whole;
  const at = (n) => describe({ get: (key) => (key === "query" ? n : model.get(key)) });
  const [s, next] = [at(whole), at(Math.ceil(query))];
  const rows = s.nodes.map((_, k) =>
    s.cell(whole, k) + part * (next.cell(next.query, k) - s.cell(whole, k)));
  return { ...s, place: query, rowOf: (k) => rows[k] };
}

/** Sentence about the vectors that one query uses. */
function ribbonWords(s) {
  const used = new Set(s.nodes.map((_, k) => s.cell(s.query, k)));
  return `Seen from “${s.nodes[s.query]}”: ${used.size} of the same ${s.rows} vectors. ` +
    `On each side, words ${s.clip} or more away share one.`;
}

function ribbons(model, shades) {
  const { canvas, context, begin } = drawing("A sentence and a table of vectors, with ribbons " +
    "from each word to its vector. Drag the query along the sentence, or press arrow keys.");
  const length = model.get("length");
  let wide = 1;

  function draw(s, { width, colors }) {
    wide = (width - 2 * SIDE) / s.size;
    begin(width, HEIGHT);
    const word = (k) => SIDE + (k + 0.5) * wide, pitch = (width - 2 * SIDE) / s.rows;
    const vector = (row) => SIDE + (row + 0.5) * pitch, [a, b] = [WORDS[1], TABLE[0]];
    s.nodes.forEach((_, k) => {
      const [from, to, mid] = [word(k), vector(s.rowOf(k)), (a + b) / 2], half = Math.min(wide, pitch) / 5;
      context.beginPath();
      context.moveTo(from - half, a);
      context.bezierCurveTo(from - half, mid, to - half, mid, to - half, b);
      context.lineTo(to + half, b);
      context.bezierCurveTo(to + half, mid, from + half, mid, from + half, a);
      context.fillStyle = shadeOf(s, shades, Math.round(s.rowOf(k))).fill;
      context.globalAlpha = 0.55;
      context.fill();
      context.globalAlpha = 1;
    });
    const box = (x, [top, bottom], room, { fill, ink }, words, size, color = ink) => {
      context.fillStyle = fill;
      context.fillRect(x - room / 2 + 2, top, room - 4, bottom - top);
      write(context, words, x, (top + bottom) / 2, { size, color, bold: true });
    };
    s.nodes.forEach((name, k) => box(word(k), WORDS, wide, shadeOf(s, shades, Math.round(s.rowOf(k))), name,
      wide < 62 ? 10.5 : 14));
    count(0, s.rows - 1).forEach((row) =>
      box(vector(row), TABLE, pitch, shadeOf(s, shades, row), s.name(row), 15));
    outline(context, word(s.place) - wide / 2 + 1, WORDS[0] - 1, wide - 2, WORDS[1] - WORDS[0] + 2, colors.query, { thick: 3 });
    write(context, "query", word(s.place), 14, { size: 13, bold: true, color: colors.query });
    write(context, "one table of learned vectors", width / 2, HEIGHT - 12, { size: 13, color: colors.position });
  }
  return { canvas, draw, ...moving(model, canvas, "query", count(0, length - 1),
    (x) => (x - SIDE) / wide - 0.5) };
}

function settings(model) {
  const get = (key) => model.get(key);
  const change = (key) => (value) => { // and keep a query that there is
    model.set(key, value);
    model.set("query", Math.min(get("query"), sizeOf(model) - 1));
  };
  const views = [["sentence", "a sentence"], ["tree", "a syntax tree"], ["molecule", "a molecule"]];
  return [
    { kind: "select", key: "view", label: "input", options: views, choose: change("view") },
    { kind: "range", key: "query", label: "query", values: () => count(0, sizeOf(model) - 1) },
    { kind: "range", key: "length", label: "words", values: () => count(1, get("words").length),
      choose: change("length") },
    { kind: "range", key: "max_distance", label: "clip k",
      values: () => count(0, Object.keys(get("indices")).length - 1) },
    { kind: "button", label: "five words, nothing clipped",
      set: { view: "sentence", length: 5, max_distance: 4, query: 3 } },
    { kind: "button", label: "ten words, k = 3",
      set: { view: "sentence", length: 10, max_distance: 3, query: 5 } },
    { kind: "button", label: "reset" },
  ];
}

function render({ model, el }) {
  const { index, label } = model.get("colors");
  const shades = { index: colorTable(index), label: colorTable(label) };
  const pictures = [
    labelMatrix("Table of rows or labels, queries down, keys across. Arrow keys move from cell " +
      "to cell.", shades),
    vectorsOfQuery("Vectors of one query. Arrow keys move from key to key.", shades),
  ];
  return createWidget({ model, el }, {
    traits: TRAITS, specs: settings(model), pictures, state: describe, words, facts,
    spoken: (s) => sentencesOf(facts(s)).join(" "),
    tables: [{ title: "The vectors of this query as text", rows: textRows,
      head: ["key", "relative position", "row or label", "vector or meaning"] }],
    simple: { smooth: ["query"], state: ribbonState, words: ribbonWords,
      pictures: [ribbons(model, shades)],
      specs: [{ kind: "play", key: "query", label: "from word to word", ms: 1300, way: 800,
        values: () => count(0, model.get("length") - 1) }] },
  });
}

export default { render };
