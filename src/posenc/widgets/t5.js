// The widget of the chapter on T5: controls, table of buckets, staircase, and their link.
import { controls, element, signed, speaker, textTable, watch, watchPage } from "./kit.js";
import { colorTable, explore, themeColors, toeplitzMatrix, tooltip } from "./canvas.js";
import { describe, describeChoice, findings, textRows, TRAITS } from "./t5_buckets.js";
import { staircase } from "./t5_staircase.js";

/** Controls that offer possible settings alone. */
function settingControls(model) {
  const get = (key) => model.get(key), { num_buckets, max_distance, max_length } = get("choices");
  const set = (values) => Object.entries(values).forEach(([k, v]) => model.set(k, v));
  const initial = Object.fromEntries(TRAITS.map((key) => [key, get(key)]));
  const lengths = Array.from({ length: max_length }, (_, i) => i + 1);
  const possible = (both, num, max) => `${both ? num / 2 : num},${max}` in get("settings");
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
  const views = [["buckets", "bucket numbers"], ["bias", "biases (made up)"]];
  const own = { num_buckets: 32, max_distance: 128, bidirectional: true };
  const narrow = { num_buckets: 32, max_distance: 20, bidirectional: false };
  return controls(model, [
    { kind: "range", key: "q_len", label: "queries", values: () => lengths },
    { kind: "range", key: "k_len", label: "keys", values: () => lengths },
    { kind: "range", key: "num_buckets", label: "buckets", values: numbers },
    { kind: "range", key: "max_distance", label: "max distance",
      values: () => distances(get("bidirectional")) },
    { kind: "select", key: "bidirectional", label: "direction", options: directions, choose: turn },
    { kind: "select", key: "view", label: "show", options: views },
    { kind: "checkbox", key: "log_axis", label: "logarithmic axis" },
    { kind: "button", label: "T5’s own setting", press: () => set(own) },
    { kind: "button", label: "many empty buckets", press: () => set(narrow) },
    { kind: "button", label: "reset", press: () => set(initial) },
  ]);
}

function render({ model, el }) {
  const tables = model.get("colors");
  const shades = { bucket: colorTable(tables.bucket), bias: colorTable(tables.bias) };
  const panel = settingControls(model);
  const matrix = toeplitzMatrix(
    "Table of buckets, queries down, keys across. Arrow keys move from cell to cell.");
  const stairs = staircase(
    "Staircase of buckets by relative position. Arrow keys move from bucket to bucket.");
  const frames = [matrix, stairs].map(({ canvas }) => element("div", { class: "pe-panel" }, canvas));
  const readout = element("p", { class: "pe-readout", role: "status" });
  const facts = element("ul", { class: "pe-facts" });
  const head = ["bucket", "relative positions", "pairs in the table", "bias (made up)"];
  const table = textTable("The same as text", head, () => textRows(state));
  el.classList.add("pe-widget");
  el.append(panel.node, element("div", { class: "pe-panels" }, ...frames), readout, facts, table.node);
  const say = speaker(el), tips = frames.map(tooltip);
  let state = null, choice = null, colors = themeColors(el);

  const paint = (bucket) => state.showsBias
    ? shades.bias(0.5 + state.bias[bucket] / (2 * state.scale))
    : shades.bucket(bucket / (state.num - 1));

  function cell(r) {
    const bucket = state.cells[r + state.q_len - 1];
    const faint = choice !== null && choice.bucket !== bucket;
    const text = state.showsBias ? signed(state.bias[bucket], 1) : String(bucket);
    const color = state.hidden(r) ? { fill: colors.raised, ink: colors.muted } : paint(bucket);
    return { ...color, text, faint };
  }

  function draw() {
    const [wide, narrow] = frames.map((frame) => frame.clientWidth);
    if (!state || !wide) return; // not on the page yet: watchPage will call again
    const beside = frames[0].offsetTop === frames[1].offsetTop;
    const selected = choice?.q >= 0 ? choice : null;
    const tall = matrix.draw({ ...state, width: wide, height: 460, colors, cell, selected });
    const height = beside ? Math.max(tall, 320) : 280;
    stairs.draw(state, { width: narrow, height, colors, choice, paint });
    el.dataset.buckets = state.cells.join(" "); // what is drawn, for tests: diagonals
  }

  function update() {
    state = describe(model);
    if (!state) return;
    choice = null;
    tips.forEach((tip) => tip.hide());
    draw(); // first: it reads the layout, the others change it
    panel.refresh();
    facts.replaceChildren(...findings(state).map(([mark, sentence, color = "text"]) =>
      element("li", {}, element("span",
        { class: "pe-mark", "aria-hidden": "true", style: `color: var(--pe-${color})` },
        mark), sentence)));
    readout.textContent = describeChoice(state, null);
    table.refresh();
  }

  function choose(place, tip, x, y) {
    const next = place && { ...place, bucket: state.stepOf(place.r).bucket };
    if (next?.r === choice?.r && next?.q === choice?.q) return;
    choice = next;
    readout.textContent = describeChoice(state, choice);
    tips.forEach((other) => other.hide());
    if (choice && x !== undefined) tip.show(readout.textContent, x, y);
    draw();
  }

  const inTable = (found) => found && { ...found, r: found.k - found.q };
  explore(matrix.canvas, {
    at: (x, y) => inTable(matrix.at(x, y)),
    step: (key) => inTable(matrix.step(key, choice?.q >= 0 ? choice : null)),
    choose: (place, x, y) => choose(place, tips[0], x, y),
  });
  explore(stairs.canvas, {
    at(x) { const r = stairs.at(x); return r === null ? null : { r }; },
    step(key) {
      const now = state.steps.indexOf(state.stepOf(choice?.r ?? 0)), end = state.steps.length - 1;
      const to = { "": now, ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1,
        ArrowUp: now + 1, Home: 0, End: end }[key];
      if (to === undefined) return undefined;
      const { first, last } = state.steps[Math.max(0, Math.min(to, end))];
      return { r: last <= 0 ? last : first };
    },
    choose: (place, x, y) => choose(place, tips[1], x, y),
  });

  update();
  const changed = () => {
    update();
    if (state) say(findings(state).map(([, sentence]) => sentence).join(" "));
  };
  const moved = () => { colors = themeColors(el); draw(); };
  const stops = [watch(model, TRAITS, changed), watchPage(el, moved)];
  return () => stops.forEach((stop) => stop());
}

export default { render };
