// Widget: the table of the encoding as a heat map, with the value of every cell.
import { controls, element, speaker, textTable, watch, watchPage } from "./kit.js";
import { colorTable, drawing, explore, themeColors, tooltip, write } from "./canvas.js";
import {
  encodingTable, featureOf, frequency, plural, shown, tokens,
} from "./sinusoidal_math.js";

const TRAITS = ["seq_len", "d_model", "base", "order"];
const MARGIN = { left: 40, top: 36 };

/** All that is shown. */
function describe(model) {
  const [seq_len, d, base, order] = TRAITS.map((key) => model.get(key));
  const pairs = Array.from({ length: d / 2 }, (_, i) => {
    const theta = frequency(i, d, base), wavelength = (2 * Math.PI) / theta;
    return { theta, wavelength, turns: seq_len / wavelength };
  });
  return { seq_len, d, base, order, pairs, table: encodingTable(seq_len, d, base, order) };
}

function sentences(s) {
  const slow = s.pairs.filter(({ turns }) => turns < 1).length, last = s.pairs.at(-1);
  return [
    `${s.seq_len} positions × ${s.d} features = ${(s.seq_len * s.d).toLocaleString("en-US")} numbers.`,
    `The fastest pair turns once in ${tokens(s.pairs[0].wavelength)} tokens, ` +
      `the slowest once in ${tokens(last.wavelength)}.`,
    slow ? `${slow} of the ${plural(s.pairs.length, "pair")} ${slow === 1 ? "does" : "do"} ` +
      `not finish one turn within ${plural(s.seq_len, "position")}.`
      : `Every pair turns at least once within ${plural(s.seq_len, "position")}.`,
  ];
}

function describeCell(s, cell) {
  if (!cell) return "Point at a cell, tap it, or press arrow keys in the focused picture.";
  const { pair, sine } = featureOf(cell.f, s.d, s.order), { theta, wavelength } = s.pairs[pair];
  const value = shown(s.table[cell.m * s.d + cell.f], 4);
  return `position ${cell.m}, feature ${cell.f}: ${sine ? "sin" : "cos"}(${cell.m} × ` +
    `${theta.toPrecision(4)}) = ${value}; pair ${pair} turns once in ${tokens(wavelength)} tokens`;
}

/** Picture of the table; `at` and `step` find a cell as `explore` wants it. */
function heatMap(shade) {
  const { canvas, context, begin } = drawing(
    "Heat map of the encoding, positions down, features across. Arrow keys move from cell to cell.");
  const pixels = document.createElement("canvas").getContext("2d");
  let box = { width: 1, height: 1 }, size = { seq_len: 1, d: 1 };

  function paint(s) { // one pixel for each number
    pixels.canvas.width = s.d;
    pixels.canvas.height = s.seq_len;
    const image = pixels.createImageData(s.d, s.seq_len);
    const rgb = Array.from({ length: 256 }, (_, i) =>
      [1, 3, 5].map((at) => parseInt(shade(i / 256).fill.slice(at, at + 2), 16)));
    s.table.forEach((value, i) => {
      const color = rgb[Math.min(Math.floor(128 * (value + 1)), 255)];
      image.data.set([...color, 255], 4 * i);
    });
    pixels.putImageData(image, 0, 0);
  }

  function draw(s, width, colors, cell) {
    size = s;
    const whole = (room, count) => (room >= count ? Math.floor(room / count) * count : room);
    box = { width: whole(width - MARGIN.left - 2, s.d),
      height: whole(Math.max(Math.min(26 * s.seq_len, 400), 100), s.seq_len) };
    begin(width, MARGIN.top + box.height + 2);
    context.imageSmoothingEnabled = box.width < s.d || box.height < s.seq_len;
    context.drawImage(pixels.canvas, MARGIN.left, MARGIN.top, box.width, box.height);
    const tall = box.height / s.seq_len, wide = box.width / s.d;
    ticks(s.d, wide, 30, cell?.f, colors, (along) => [MARGIN.left + along, MARGIN.top - 9]);
    ticks(s.seq_len, tall, 17, cell?.m, colors, (along) => [MARGIN.left - 15, MARGIN.top + along]);
    write(context, "feature →", MARGIN.left, 9, { size: 13, align: "left", color: colors.text });
    context.save();
    context.translate(8, MARGIN.top);
    context.rotate(-Math.PI / 2);
    write(context, "← position", 0, 0, { size: 13, align: "right", color: colors.position });
    context.restore();
    if (cell) frame(cell, wide, tall, colors);
  }

  function ticks(count, pitch, room, chosen, colors, place) {
    const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((n) => n * pitch >= room) ?? 1000;
    for (let i = 0; i < count; i++) {
      const bold = i === chosen;
      if (!bold && (i % every || Math.abs(i - chosen) * pitch < room)) continue;
      const color = bold ? colors.text : colors.muted;
      write(context, i, ...place((i + 0.5) * pitch), { size: 11, bold, color });
    }
  }

  /** A frame that can be seen around the smallest of cells, and lines that lead to it. */
  function frame({ m, f }, wide, tall, colors) {
    const grow = Math.max(0, 4 - Math.min(wide, tall) / 2);
    const x = MARGIN.left + f * wide, y = MARGIN.top + m * tall;
    for (const [color, more, thick] of [[colors.surface, 2.5, 3], [colors.text, 1, 2]]) {
      context.strokeStyle = color;
      context.lineWidth = thick;
      const d = grow + more;
      context.strokeRect(x - d, y - d, wide + 2 * d, tall + 2 * d);
    }
  }

  function at(x, y) {
    const f = Math.floor(((x - MARGIN.left) / box.width) * size.d);
    const m = Math.floor(((y - MARGIN.top) / box.height) * size.seq_len);
    return f >= 0 && m >= 0 && f < size.d && m < size.seq_len ? { m, f } : null;
  }

  function step(key, cell) {
    if (!cell || key === "") return { m: cell?.m ?? 0, f: cell?.f ?? 0 };
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
      Home: [0, -size.d], End: [0, size.d], PageUp: [-10, 0], PageDown: [10, 0] };
    if (!moves[key]) return undefined;
    const keep = (value, count) => Math.max(0, Math.min(value, count - 1));
    const [down, right] = moves[key];
    return { m: keep(cell.m + down, size.seq_len), f: keep(cell.f + right, size.d) };
  }
  return { canvas, paint, draw, at, step };
}

function render({ model, el }) {
  const { seq_len, d_model, base } = model.get("choices");
  const initial = Object.fromEntries(TRAITS.map((key) => [key, model.get(key)]));
  const set = (values) => Object.entries(values).forEach(([k, v]) => model.set(k, v));
  const panel = controls(model, [
    { kind: "range", key: "seq_len", label: "positions", values: () => seq_len },
    { kind: "range", key: "d_model", label: "features", values: () => d_model },
    { kind: "select", key: "base", label: "base", options: base.map((b) => [b, b.toLocaleString("en-US")]) },
    { kind: "select", key: "order", label: "order",
      options: [["interleaved", "sine, cosine, sine, …"], ["half", "all sines, all cosines"]] },
    { kind: "button", label: "10 × 64", press: () => set({ seq_len: 10, d_model: 64 }) },
    { kind: "button", label: "500 × 768", press: () => set({ seq_len: 500, d_model: 768 }) },
    { kind: "button", label: "reset", press: () => set(initial) },
  ]);
  const map = heatMap(colorTable(model.get("colors")));
  const frame = element("div", { class: "pe-panel" }, map.canvas);
  const readout = element("p", { class: "pe-readout", role: "status" });
  const facts = element("ul", { class: "pe-facts" });
  const features = (i) => state.order === "half" ? `${i}, ${i + state.d / 2}` : `${2 * i}, ${2 * i + 1}`;
  const table = textTable("The pairs as text", ["pair", "features", "radians per token", "turns once in", "turns here"],
    () => state.pairs.map(({ theta, wavelength, turns }, i) =>
      [i, features(i), theta.toPrecision(4), `${tokens(wavelength)} tokens`, turns.toPrecision(3)]));
  el.classList.add("pe-widget");
  el.append(panel.node, frame, readout, facts, table.node);
  const say = speaker(el), tip = tooltip(frame);
  let state = null, cell = null, colors = themeColors(el);

  const draw = () => { if (frame.clientWidth) map.draw(state, frame.clientWidth, colors, cell); };
  function update() {
    state = describe(model);
    cell = null;
    tip.hide();
    map.paint(state);
    draw();
    panel.refresh();
    facts.replaceChildren(...sentences(state).map((words) => element("li", {}, words)));
    readout.textContent = describeCell(state, null);
    table.refresh();
  }
  explore(map.canvas, {
    at: map.at,
    step: (key) => map.step(key, cell),
    choose(next, x, y) {
      if (next?.m === cell?.m && next?.f === cell?.f) return;
      cell = next;
      readout.textContent = describeCell(state, cell);
      tip.hide();
      if (cell && x !== undefined) tip.show(readout.textContent, x, y);
      draw();
    },
  });
  update();
  const changed = () => { update(); say(sentences(state).join(" ")); };
  const moved = () => { colors = themeColors(el); draw(); };
  const stops = [watch(model, TRAITS, changed), watchPage(el, moved)];
  return () => stops.forEach((stop) => stop());
}

export default { render };
