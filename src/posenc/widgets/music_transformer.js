// The widget of the chapter on the skew: one step at a time, before and after.
import { controls, element, speaker, textTable, watch, watchPage } from "./kit.js";
import { colorTable, explore, themeColors } from "./canvas.js";
import { cellGrid, GRID } from "./music_grid.js";
import { describeSkew, findCell, SKEW_TRAITS, skewFindings, skewHeads, skewLabel, skewRows,
  skewStory, skewTitle } from "./music_skew.js";

function skewControls(model) {
  const initial = Object.fromEntries(SKEW_TRAITS.map((key) => [key, model.get(key)]));
  const reset = () => Object.entries(initial).forEach(([k, v]) => model.set(k, v));
  const versions = [[true, "causal"], [false, "both sides"]];
  const move = (by) => () => model.set("step", (model.get("step") + by + 3) % 3);
  return controls(model, [
    { kind: "range", key: "step", label: "step", values: () => [0, 1, 2],
      text: (step) => `${step + 1}/3` },
    { kind: "range", key: "seq_len", label: "queries L", values: () => [2, 3, 4, 5, 6] },
    { kind: "select", key: "masked", label: "version", options: versions },
    { kind: "button", label: "step back", press: move(2) },
    { kind: "button", label: "next step", press: move(1) },
    { kind: "button", label: "reset", press: reset },
  ]);
}

function render({ model, el }) {
  const shade = colorTable(model.get("colors"));
  const panel = skewControls(model);
  const grids = ["before", "after"].map((when) =>
    cellGrid(`Matrix ${when} the step. Arrow keys choose the cell that is followed.`));
  const frames = grids.map(({ canvas }) => element("div", { class: "pe-panel" }, canvas));
  const readout = element("p", { class: "pe-readout", role: "status" });
  const facts = element("ul", { class: "pe-facts" });
  const head = ["product", "query", "offset", "ends at", "which is"];
  const table = textTable("The same as text", head, () => skewRows(state));
  el.classList.add("pe-widget");
  el.append(panel.node, element("div", { class: "pe-panels" }, ...frames), readout, facts, table.node);
  const say = speaker(el);
  let state = null, choice = null, hovered = null, colors = themeColors(el);

  function look(which) {
    const matrix = state.matrices[which];
    return (row, column) => {
      const n = matrix[row][column], kind = state.kind(n), text = skewLabel(state, n);
      if (kind !== "wanted") return { text, kind, fill: colors.raised, ink: colors.muted };
      const t = (n % state.columns) / (state.columns - 1);
      return { text, kind, ...shade(t), framed: state.offset(n) === 0 };
    };
  }

  function draw() {
    const widths = frames.map((frame) => frame.clientWidth);
    if (!state || !widths[0]) return; // not on the page yet: watchPage will call again
    const most = state.columns + 1, room = Math.min(...widths) - GRID.left - 3;
    const size = Math.floor(Math.min(room / most, 44));
    const rows = Math.max(state.before.length, state.after.length);
    grids.forEach((grid, side) => {
      const which = state.step + side, matrix = state.matrices[which];
      grid.draw({
        rows: matrix.length, columns: matrix[0].length, size, width: widths[side],
        height: GRID.top + rows * size + 4, title: skewTitle(state, which), colors,
        heads: skewHeads(state, which, colors), cell: look(which),
        chosen: findCell(matrix, hovered ?? choice),
      });
    });
    const words = state.after.map((row) => row.map((n) => skewLabel(state, n)).join(" "));
    el.dataset.cells = words.join(" / "); // what is drawn on the right, for tests
  }

  function tell() {
    const words = skewStory(state, hovered ?? choice);
    if (words !== readout.textContent) readout.textContent = words;
  }

  function update() {
    state = describeSkew(model);
    hovered = null;
    if (choice === null || choice >= 0 || !findCell(state.before, choice)) choice = state.followed;
    draw(); // first: it reads the layout, the others change it
    panel.refresh();
    tell();
    facts.replaceChildren(...skewFindings(state).map(([mark, sentence, color = "text"]) =>
      element("li", {}, element("span",
        { class: "pe-mark", "aria-hidden": "true", style: `color: var(--pe-${color})` },
        mark), sentence)));
    table.refresh();
  }

  function follow(n) {
    choice = n;
    hovered = null;
    if (n >= 0) {
      model.set("query", state.row(n));
      model.set("offset", state.offset(n));
      model.save_changes();
    }
  }

  grids.forEach((grid, side) => {
    const number = (cell) => cell && state.matrices[state.step + side][cell.row][cell.column];
    const chosen = () => findCell(state.matrices[state.step + side], choice);
    explore(grid.canvas, {
      at: (x, y) => number(grid.at(x, y)),
      step: (key) => {
        const cell = grid.step(key, chosen());
        return cell === undefined ? undefined : number(cell);
      },
      choose(n, x) { // without a place it comes from a key; a pointer only looks
        if (n !== null && x === undefined) follow(n);
        else hovered = n;
        draw();
        tell();
      },
    });
    grid.canvas.addEventListener("pointerdown", (event) => {
      const n = number(grid.at(event.offsetX, event.offsetY));
      if (n === null) return;
      follow(n);
      draw();
      tell();
    });
  });

  update();
  const changed = () => {
    update();
    say(skewTitle(state, state.step + 1) + ". " + skewFindings(state).at(-1)[1]);
  };
  const moved = () => { colors = themeColors(el); draw(); };
  const stops = [watch(model, SKEW_TRAITS, changed), watchPage(el, moved)];
  return () => stops.forEach((stop) => stop());
}

export default { render };
