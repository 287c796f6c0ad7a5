// The widget of the chapter on Swin: a window, the table of offsets, the way between.
import { element, signed } from "../../kit/widgets/controls.js";
import { colorTable, drag } from "../../kit/widgets/canvas.js";
import { cellGrid } from "../../kit/widgets/matrix.js";
import { count, createWidget, sentencesOf, setAll } from "../../kit/widgets/widget.js";
import { biasText, describe, facts, ladder, offsetRows, TRAITS, words } from "./state.js";

function settings(model) {
  const sides = () => count(1, model.get("strides").width.length);
  const swap = () => setAll(model, { query: model.get("key"), key: model.get("query") });
  return [
    { kind: "range", key: "height", label: "height", values: sides },
    { kind: "range", key: "width", label: "width", values: sides },
    { kind: "select", key: "rule", label: "rows times",
      options: Object.entries(model.get("rules")) },
    { kind: "select", key: "view", label: "show",
      options: [["rows", "rows of the table"], ["bias", "biases (made up)"]] },
    { kind: "select", key: "moves", label: "clicks move",
      options: [["key", "the key"], ["query", "the query"]] },
    { kind: "button", label: "swap query and key", press: swap },
    // In a 2 × 3 window without a factor: offsets (+1, 0) and (0, +1) meet in one row.
    { kind: "button", label: "a collision",
      set: { height: 2, width: 3, query: [1, 1], key: [0, 1], rule: "added", view: "rows" } },
    { kind: "button", label: "reset" },
  ];
}

/** Table of the steps from two cells to a row, by both sign rules. */
function ladderTable() {
  const head = element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "rows, columns"),
    ...["query − key (ours)", "key − query"].map((words) =>
      element("th", { scope: "colgroup", colspan: 2 }, words))));
  const body = element("tbody");
  const node = element("div", { class: "pe-text" }, element("table", {}, head, body));
  const row = (words, cells, options = {}) => element("tr", {},
    element("th", { scope: "row" }, words), ...cells.map((cell) => element("td", options, cell)));
  function refresh(s) {
    const sums = [s.row, s.opposite].map((n) => element("b", {}, String(n)));
    body.replaceChildren(...ladder(s).map(([words, ...cells]) => row(words, cells.map(String))),
      row("sum: row of table", sums, { colspan: 2 }));
  }
  return { node, refresh };
}

/** How one offset is shown, in the window and in the table. */
function look(s, shades, wide, place) {
  const row = s.rowOf(place), zero = place[0] === 0 && place[1] === 0;
  const bad = s.partners(place).length > 1 || row >= s.count;
  return { // a frame marks offset 0, a dashed one what is wrong
    ...(s.showsBias ? shades.bias(0.5 + (s.bias(place) ?? 0) / (2 * s.scale)) : shades.row(row / Math.max(s.top, 1))),
    text: s.showsBias ? biasText(s.bias(place), 1) : String(row), mark: zero || (bad && [3, 3]),
    inset: (zero ? 0.14 : 0.07) * wide,
  };
}

/** A grid of cells of a whole size, as large as `largest`. */
function layout(rows, columns, width, largest, left, top) {
  const wide = Math.max(Math.floor(Math.min((width - left - 4) / columns, largest)), 4);
  return { left, top, rows, columns, wide, gap: wide > 9 ? 1 : 0, line: 1.3,
    font(text) {
      const size = Math.min((1.5 * wide) / Math.max(text.length, 2), 0.5 * wide, 14);
      return size >= 9 ? size : 0;
    } };
}

const walks = {}; // a play compares what it has set with what there is

/** All cells of a window, row by row and back. */
function walkThrough(height, width) {
  return (walks[[height, width]] ??= count(0, height * width - 1).map((n) => {
    const row = Math.floor(n / width), column = n % width;
    return [row, row % 2 ? width - 1 - column : column];
  }));
}

/** On the way from cell to cell, the frames of the query are on theirs. */
function between(model) {
  const place = model.get("query"), query = place.map(Math.round);
  return { ...describe({ get: (key) => (key === "query" ? query : model.get(key)) }), place };
}

/** Pictures in which the query or the key is dragged as well. */
const dragged = (picture) => {
  const go = (x, y) => {
    const place = picture.at(x, y);
    if (place) picture.move(place, picture.seen);
    return place;
  };
  drag(picture.canvas, { hold: true, start: go, move: (_, x, y) => go(x, y) });
  return { ...picture, draw(s, frame) { picture.seen = s; return picture.draw(s, frame); } };
};

const openingWords = (s) => `Query (${s.query.join(", ")}) reads the framed part of the table; ` +
  `its key (${s.key.join(", ")}) has row ${s.row} of ${s.count}.`;

function render({ model, el }) {
  const { row, bias } = model.get("colors");
  const shades = { row: colorTable(row), bias: colorTable(bias) };
  const put = (values) => { setAll(model, values); model.save_changes(); };
  const grid = cellGrid("The window, seen from the query. Arrow keys move the key or the query.",
    "cell", (s, { width, colors }) => {
      const [qr, qc] = s.query, [kr, kc] = s.key;
      const cells = layout(s.h, s.w, width, model.get("simple") ? 48 : 72, 4, 4);
      const [row, column] = s.place ?? s.query, crowded = cells.wide < 44;
      const tagged = (r, c) => (r === row && c === column) || (r === kr && c === kc);
      cells.cell = (r, c) => ({ ...look(s, shades, cells.wide, [qr - r, qc - c]),
        ...(crowded && tagged(r, c) ? { text: "" } : {}) });
      cells.frames = [{ row, column, color: colors.query, tag: "q" },
        { row: kr, column: kc, color: colors.key, tag: "k", corner: "right" }];
      return { width: Math.max(8 + s.w * cells.wide, 60), height: 8 + s.h * cells.wide, grids: [cells] };
    });
  const offsets = cellGrid("Table of offsets, query minus key. Arrow keys move from offset to offset.",
    "offset", (s, { width, colors }) => {
      const cells = layout(s.high, s.wide, width, 44, 44, 40), [up, back] = [s.h - 1, s.w - 1];
      const head = (middle) => ({ words: (n) => signed(n - middle), middle, room: 20,
        plain: colors.position });
      cells.cell = (r, c) => look(s, shades, cells.wide, [r - up, c - back]);
      cells.heads = { rows: { ...head(up), align: "right", away: 6 }, columns: head(back) };
      cells.names = { rows: ["← row offset", colors.position],
        columns: ["column offset →", colors.position] };
      const [row, column] = s.place ?? s.query, seen = { row, column, rows: s.h, columns: s.w };
      cells.frames = [{ ...seen, color: colors.query, dash: [6, 4] }, ...s.partners(s.offset)
        .map(([r, c]) => ({ row: r + up, column: c + back, color: colors.position }))];
      return { width: Math.max(48 + s.wide * cells.wide, 130), height: 44 + s.high * cells.wide,
        grids: [cells] };
    });
  const parts = [
    { ...grid, title: "The window, seen from the query", now: (s) => s[s.moves],
      move: (place, s) => put({ [s.moves]: place }) },
    // An offset of the table: the first two cells that have it.
    { ...offsets, title: "The table, offset by offset",
      now: (s) => [s.offset[0] + s.h - 1, s.offset[1] + s.w - 1],
      move([r, c], s) {
        const place = [r - s.h + 1, c - s.w + 1];
        put({ query: place.map((n) => Math.max(n, 0)), key: place.map((n) => Math.max(-n, 0)) });
      } },
  ];
  const isCell = (cell) => cell.length === 2 &&
    cell.every((n) => count(0, model.get("strides").width.length - 1).includes(n));
  return createWidget({ model, el }, { links: { query: isCell, key: isCell },
    traits: TRAITS, specs: settings(model), pictures: parts, state: describe, words, facts,
    below: [ladderTable()],
    spoken: (s) => [words(s), ...sentencesOf(facts(s)).slice(2)].join(" "),
    tables: [{ title: "All offsets as text", rows: offsetRows, head: ["offset, query − key",
      "shifted", "row by query − key", "row by key − query", "bias (made up)"] }],
    simple: model.get("simple") && { pictures: parts.map(dragged), layout: "equal", words: openingWords,
      smooth: ["query"], state: between,
      specs: [{ kind: "play", key: "query", label: "walk through the window", ms: 900, way: 500,
        values: () => walkThrough(model.get("height"), model.get("width")) }] },
  });
}

export default { render };
