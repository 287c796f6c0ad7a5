// The widget of the chapter on Swin: controls, window, table of offsets, the way between.
import { controls, element, signed, speaker, textTable, watch, watchPage } from "./kit.js";
import { colorTable, themeColors } from "./canvas.js";
import {
  describeWindow, ladder, offsetRows, sentence, SWIN_TRAITS, windowFindings,
} from "./swin_index.js";
import { cellGrid } from "./swin_grid.js";

function windowControls(model) {
  const set = (values) => Object.entries(values).forEach(([k, v]) => model.set(k, v));
  const initial = Object.fromEntries(SWIN_TRAITS.map((key) => [key, model.get(key)]));
  const sides = () => Array.from({ length: model.get("strides").width.length }, (_, i) => i + 1);
  const swap = () => set({ query: model.get("key"), key: model.get("query") });
  // In a 2 × 3 window without a factor: offsets (+1, 0) and (0, +1) meet in one row.
  const clash = { height: 2, width: 3, query: [1, 1], key: [0, 1], rule: "added", view: "rows" };
  return controls(model, [
    { kind: "range", key: "height", label: "height", values: sides },
    { kind: "range", key: "width", label: "width", values: sides },
    { kind: "select", key: "rule", label: "rows times",
      options: Object.entries(model.get("rules")) },
    { kind: "select", key: "view", label: "show",
      options: [["rows", "rows of the table"], ["bias", "biases (made up)"]] },
    { kind: "select", key: "moves", label: "clicks move",
      options: [["key", "the key"], ["query", "the query"]] },
    { kind: "button", label: "swap query and key", press: swap },
    { kind: "button", label: "a collision", press: () => set(clash) },
    { kind: "button", label: "reset", press: () => set(initial) },
  ]);
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
  function draw(s) {
    const last = element("tr", {}, element("th", { scope: "row" }, "sum: row of table"),
      ...[s.row, s.opposite].map((n) => element("td", { colspan: 2 }, element("b", {}, String(n)))));
    body.replaceChildren(...ladder(s).map(([words, ...cells]) => row(words, cells.map(String))), last);
  }
  return { node, draw };
}

function render({ model, el }) {
  const tables = model.get("colors");
  const shades = { row: colorTable(tables.row), bias: colorTable(tables.bias) };
  const panel = windowControls(model);
  const grid = cellGrid("The window, seen from the query. Arrow keys move the key or the query.");
  const offsets = cellGrid("Table of offsets, query minus key. Arrow keys move from offset to offset.");
  const parts = [["The window, seen from the query", grid], ["The table, offset by offset", offsets]];
  const frames = parts.map(([words, { canvas }]) =>
    element("div", { class: "pe-panel" }, element("div", { style: "margin-bottom: 4px" }, words), canvas));
  const readout = element("p", { class: "pe-readout" });
  const steps = ladderTable();
  const facts = element("ul", { class: "pe-facts", style: "margin-top: 0.8rem" });
  const table = textTable("All offsets as text", ["offset, query − key", "shifted",
    "row by query − key", "row by key − query", "pairs", "bias (made up)"], () => offsetRows(state));
  el.classList.add("pe-widget");
  el.append(panel.node, element("div", { class: "pe-panels" }, ...frames), readout, steps.node, facts, table.node);
  const say = speaker(el);
  let state = null, colors = themeColors(el);

  /** How the widget shows one offset, in the window and in the table. */
  function look(place) {
    const s = state, row = s.rowOf(place);
    const bad = s.partners(place).length > 1 || row >= s.count;
    const zero = place[0] === 0 && place[1] === 0;
    return {
      ...(s.showsBias ? shades.bias(0.5 + s.bias(place) / (2 * s.scale)) : shades.row(row / Math.max(s.top, 1))),
      text: s.showsBias ? signed(s.bias(place), 1) : String(row),
      mark: zero ? "zero" : bad ? "clash" : "",
    };
  }

  function draw() {
    const [room, wide] = frames.map((frame) => frame.clientWidth);
    if (!state || !room) return; // not on the page yet: watchPage will call again
    const s = state, [qr, qc] = s.query;
    grid.draw({ rows: s.h, columns: s.w, width: room, largest: 72, colors,
      cell: (r, c) => look([qr - r, qc - c]),
      frames: [[qr, qc, colors.query, "q"], [...s.key, colors.key, "k"]] });
    const twins = s.partners(s.offset).map(([r, c]) =>
      [r + s.h - 1, c + s.w - 1, colors.position]);
    offsets.draw({ rows: s.high, columns: s.wide, width: wide, largest: 44, colors,
      cell: (r, c) => look([r - s.h + 1, c - s.w + 1]),
      tick: (axis, n) => signed(n - (axis ? s.w : s.h) + 1),
      axes: ["← row offset", "column offset →"],
      frames: [[qr, qc, colors.query, "", s.h, s.w, [6, 4]], ...twins] });
    el.dataset.rows = s.rows.join(" "); // what is drawn, for tests: offset by offset
  }

  function update() {
    state = describeWindow(model);
    draw(); // first: it reads the layout, the others change it
    panel.refresh();
    readout.textContent = sentence(state);
    steps.draw(state);
    facts.replaceChildren(...windowFindings(state).map(([mark, words, color = "text"]) =>
      element("li", {}, element("span",
        { class: "pe-mark", "aria-hidden": "true", style: `color: var(--pe-${color})` }, mark), words)));
    table.refresh();
  }

  const put = (values) => {
    Object.entries(values).forEach(([key, value]) => model.set(key, value));
    model.save_changes();
  };
  grid.onChoose(() => state[state.moves], (place) => put({ [state.moves]: place }));
  // An offset of the table: the first two cells that have it.
  offsets.onChoose(() => [state.offset[0] + state.h - 1, state.offset[1] + state.w - 1], ([r, c]) => {
    const place = [r - state.h + 1, c - state.w + 1];
    put({ query: place.map((n) => Math.max(n, 0)), key: place.map((n) => Math.max(-n, 0)) });
  });

  update();
  const changed = () => {
    update();
    say([sentence(state), ...windowFindings(state).slice(2).map(([, words]) => words)].join(" "));
  };
  const moved = () => { colors = themeColors(el); draw(); };
  const stops = [watch(model, SWIN_TRAITS, changed), watchPage(el, moved)];
  return () => stops.forEach((stop) => stop());
}

export default { render };
