// The widget of the chapter on rotation: controls, clocks, block matrix, similarity.
import { controls, element, signed, speaker, textTable, watch, watchPage } from "./kit.js";
import { colorTable, explore, themeColors, toeplitzMatrix, tooltip } from "./canvas.js";
import {
  clockRows, describeTurn, distanceRows, turnFindings, turnState, TURN_TRAITS,
} from "./rotation_state.js";
import { clockRow } from "./rotation_clocks.js";
import { blockMatrix } from "./rotation_blocks.js";
import { similarityCurve } from "./rotation_curve.js";

function turnControls(model) {
  const { last_position, largest_shift, d_model, base } = model.get("choices");
  const initial = Object.fromEntries(TURN_TRAITS.map((key) => [key, model.get(key)]));
  const numbers = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const positions = numbers(0, last_position), shifts = numbers(-largest_shift, largest_shift);
  const options = (values) => values.map((n) => [n, n.toLocaleString("en-US")]);
  const set = (values) => Object.entries(values).forEach(([k, v]) => model.set(k, v));
  return controls(model, [
    { kind: "range", key: "t", label: "position t", values: () => positions },
    { kind: "range", key: "offset", label: "shift k", values: () => shifts, text: (k) => signed(k) },
    { kind: "select", key: "d_model", label: "features d", options: options(d_model) },
    { kind: "select", key: "base", label: "base", options: options(base) },
    { kind: "button", label: "turn back: k → −k", press: () => set({ offset: 0 - model.get("offset") }) },
    { kind: "button", label: "reset", press: () => set(initial) },
  ]);
}

function render({ model, el }) {
  const tables = model.get("colors");
  const turns = colorTable(tables.turn), likeness = colorTable(tables.similarity);
  const panel = turnControls(model);
  const keys = "Arrow keys move from";
  const clocks = clockRow(`Clocks, one for each frequency. ${keys} clock to clock.`);
  const blocks = blockMatrix(`Matrix of the shift, a block for each clock. ${keys} entry to entry.`);
  const matrix = toeplitzMatrix(
    `Similarity of all positions, queries down, keys across. ${keys} cell to cell.`);
  const curve = similarityCurve(`Similarity against distance. ${keys} distance to distance.`);
  const pictures = [clocks, blocks, matrix, curve];
  const frames = pictures.map(({ canvas }) => element("div", { class: "pe-panel" }, canvas));
  const readout = element("p", { class: "pe-readout", role: "status" });
  const facts = element("ul", { class: "pe-facts" });
  const angles = textTable("The clocks as text",
    ["clock", "rad per token", "tokens per round", "at t", "turn", "at t + k", "cos θk", "sin θk"],
    () => clockRows(state));
  const list = textTable("The similarities as text", ["distance", "similarity"],
    () => distanceRows(state));
  el.classList.add("pe-widget");
  el.append(panel.node, element("div", { class: "pe-panels" }, ...frames), readout, facts,
    angles.node, list.node);
  const say = speaker(el), tips = frames.map(tooltip);
  let state = null, choice = null, colors = themeColors(el);

  const shadeOf = (value) => turns((value + 1) / 2);
  function cell(r) {
    const value = state.similarity[Math.abs(r)];
    return { ...likeness((value - state.lowest) / (1 - state.lowest)), text: "", faint: false };
  }

  function draw() {
    const widths = frames.map((frame) => frame.clientWidth);
    if (!state || !widths[0]) return; // not on the page yet: watchPage will call again
    const is = (kind) => choice?.kind === kind, height = 340;
    const clock = is("clock") ? choice.clock
      : is("entry") && choice.row >> 1 === choice.column >> 1 ? choice.row >> 1 : null;
    clocks.draw(state, { width: widths[0], height, colors, chosen: clock });
    const chosen = is("entry") ? choice : null;
    blocks.draw(state, { width: widths[1], height, colors, shade: shadeOf, chosen, block: clock });
    const pair = state.inside ? { q: state.t, k: state.to } : null;
    matrix.draw({ q_len: state.count, k_len: state.count, width: widths[2], height, colors, cell,
      selected: is("pair") ? choice : pair });
    const distance = choice?.distance === undefined ? null : Math.abs(choice.distance);
    curve.draw(state, { width: widths[3], height: 300, colors, chosen: distance });
    el.dataset.clocks = JSON.stringify(state.clocks); // what is drawn, for tests
  }

  function update() {
    state = turnState(model);
    choice = null;
    tips.forEach((tip) => tip.hide());
    draw(); // first: it reads the layout, the others change it
    panel.refresh();
    facts.replaceChildren(...turnFindings(state).map(([mark, sentence, color = "text"]) =>
      element("li", {}, element("span",
        { class: "pe-mark", "aria-hidden": "true", style: `color: var(--pe-${color})` },
        mark), sentence)));
    readout.textContent = describeTurn(state, null);
    angles.refresh();
    list.refresh();
  }

  function choose(next, tip, x, y) {
    if (JSON.stringify(next) === JSON.stringify(choice)) return;
    choice = next;
    readout.textContent = describeTurn(state, choice);
    tips.forEach((other) => other.hide());
    if (choice && x !== undefined) tip.show(readout.textContent, x, y);
    draw();
  }

  /** Lets a picture choose: `wrap` makes a choice of its item, `item` finds it again. */
  function connect(index, wrap, item) {
    const { canvas, at, step } = pictures[index];
    const wrapped = (found) => (found === null || found === undefined ? found : wrap(found));
    explore(canvas, {
      at: (x, y) => wrapped(at(x, y)),
      step: (key) => wrapped(step(key, item())),
      choose: (next, x, y) => choose(next, tips[index], x, y),
    });
  }
  const now = (kind, value) => (choice?.kind === kind ? value(choice) : null);
  connect(0, (clock) => ({ kind: "clock", clock }), () => now("clock", (c) => c.clock));
  connect(1, (place) => ({ kind: "entry", ...place }),
    () => now("entry", ({ row, column }) => ({ row, column })));
  connect(2, ({ q, k }) => ({ kind: "pair", q, k, distance: k - q }),
    () => now("pair", ({ q, k }) => ({ q, k })) ?? (state.inside ? { q: state.t, k: state.to } : null));
  connect(3, (distance) => ({ kind: "distance", distance }),
    () => now("distance", (c) => c.distance) ?? Math.abs(state.offset));

  update();
  const changed = () => {
    update();
    say(turnFindings(state).map(([, sentence]) => sentence).join(" "));
  };
  const moved = () => { colors = themeColors(el); draw(); };
  const stops = [watch(model, TURN_TRAITS, changed), watchPage(el, moved)];
  return () => stops.forEach((stop) => stop());
}

export default { render };
