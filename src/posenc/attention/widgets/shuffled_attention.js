// The widget of the chapter on attention: words to shuffle, heat maps before and after.
import { colorTable, drag, drawing, outline, polyline, write } from "../../kit/widgets/canvas.js";
import { cellGrid } from "../../kit/widgets/matrix.js";
import { element, KEYS } from "../../kit/widgets/controls.js";
import { passage } from "../../kit/widgets/motion.js";
import { createWidget, plain, sentencesOf, setAll } from "../../kit/widgets/widget.js";
import { cellIn, describe, facts, SIDES, textRows, TRAITS, words } from "./state.js";

// Heat map of attention weights, and of the outputs beside it, with words as heads.
const GAP = 14, MARK = 20, RIGHT = 2; // between weights and outputs, and beyond them
const LEAN = -Math.PI / 3; // of the words above

/** Font size, place of the cells and their size in whole pixels. */
function layout(context, names, width) {
  context.font = "12px system-ui, sans-serif";
  const widest = Math.max(...names.map((name) => context.measureText(name).width));
  const left = Math.ceil(widest) + 24, top = Math.ceil(widest * 0.87) + 34;
  const room = width - left - GAP - MARK - RIGHT;
  return { left, top, wide: Math.max(Math.floor(Math.min(room / (names.length + 4), 38)), 8) };
}

/** Items are cells [query, key] of one `side`; a key from L on is an output. */
const heatPair = (label, side, { shades, limit }) => cellGrid(label, side,
  (s, { width, colors, choice }, context) => {
    const names = side === "before" ? s.names : s.order.map((n) => s.names[n]);
    const { weights, outputs } = s[side], rows = s.length;
    const { left, top, wide } = layout(context, names, width);
    const beyond = left + rows * wide + GAP, height = top + rows * wide + 4;
    const same = { top, rows, wide, gap: 1, inset: 1, font: (text) => (wide < 17 ? 0
      : Math.min(0.5 * wide, 12, (wide - 5) / widthOf(context, text))) };
    const weight = (q, k) => ({ text: shortNumber(weights[q][k]), mark: q === k,
      ...(s.causal && k > q ? { fill: colors.raised, ink: colors.muted }
        : shades.weight(weights[q][k])) });
    const output = (q, c) => ({ text: shortNumber(outputs[q][c]),
      ...shades.output((outputs[q][c] / limit + 1) / 2) });
    const head = (color) => ({ words: (n) => names[n], plain: colors.text, color, away: 5, size: 12 });
    return {
      width, height, rows, columns: rows + 4, chosen: cellIn(s, side, choice),
      grids: [
        { ...same, left, columns: rows, cell: weight,
          heads: { rows: { ...head(colors.query), align: "right" },
            columns: { ...head(colors.key), align: "left", turn: LEAN } },
          names: { rows: ["← query", colors.query], columns: ["key →", colors.key] } },
        { ...same, left: beyond, columns: 4, cell: output, from: [0, rows] },
      ],
      over(context) {
        write(context, "output", beyond, top - 9, { size: 13, align: "left", color: colors.value });
        if (side === "after")
          s.kept.forEach((kept, q) => write(context, kept ? "✓" : "≠", beyond + 4 * wide + MARK / 2,
            top + (q + 0.5) * wide, { size: 14, bold: true, color: colors.text }));
      },
    };
  });

/** Width of a text in units of its font size. */
function widthOf(context, text) {
  context.font = "100px system-ui, sans-serif";
  return context.measureText(text).width / 100;
}

/** 0.98 as .98, -0.19 as −.2, 1.97 as 2.0, whole numbers as they are. */
function shortNumber(number) {
  const minus = number < 0 ? "−" : "", size = Math.abs(number);
  if (Math.abs(size - Math.round(size)) < 1e-9) return minus + Math.round(size);
  const digits = size < 0.05 || (number > 0 && size < 0.995) ? 2 : 1;
  return minus + size.toFixed(digits).replace(/^0\./, ".");
}

// Words in a row that can be put in another order: by dragging, by arrow keys, by tapping.
const WORD_STYLE = `
.pe-words { display: flex; flex-wrap: wrap; gap: 0.4rem; margin: 0.3rem 0 0.5rem; }
.pe-words + .pe-row { margin-bottom: 1rem; }
.pe-widget .pe-word { min-height: 34px; padding: 0.1rem 0.7rem; cursor: grab; touch-action: none;
  user-select: none; -webkit-user-select: none; font-weight: 600; background: var(--pe-surface); }
.pe-widget .pe-word[data-twin] { border-bottom: 3px solid var(--pe-query); }
.pe-widget .pe-word[data-held] { border-color: var(--pe-query); background: var(--pe-raised);
  cursor: grabbing; }
.pe-hint { margin: 0; color: var(--pe-muted); font-size: 13px; }
`;

/** List with the item at `from` moved to `to`. */
function movedTo(items, from, to) {
  const rest = items.filter((_, i) => i !== from);
  return [...rest.slice(0, to), items[from], ...rest.slice(to)];
}

/** `put(order)` is told of every new order; `refresh(s)` shows what describe gave. */
function wordRow(put) {
  const row = element("div", {
    class: "pe-words", role: "group",
    "aria-label": "Words in their new order. Arrow keys move the word that has the focus.",
  });
  const actions = element("div", { class: "pe-row" });
  const hint = element("p", { class: "pe-hint" },
    "Drag a word, tap it, or focus it and press ← or →.");
  const node = element("div", {}, element("style", {}, WORD_STYLE), hint, row, actions);
  let state = null, chips = [], held = null;

  const move = (word, to) => {
    const from = state.order.indexOf(word), last = state.length - 1;
    const place = Math.max(0, Math.min(to, last));
    if (place !== from) put(movedTo(state.order, from, place));
  };
  const onward = (word) => {
    const place = state.order.indexOf(word) + 1;
    move(word, place === state.length ? 0 : place);
  };

  function makeChip(name, word) {
    const chip = element("button", { type: "button", class: "pe-word", ...KEYS }, name);
    if (state.twins?.includes(word)) chip.dataset.twin = "";
    chip.addEventListener("keydown", (event) => {
      const place = state.order.indexOf(word);
      const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0,
        End: state.length - 1 }[event.key];
      if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      move(word, to);
    });
    chip.addEventListener("click", (event) => { if (!event.detail) onward(word); });
    chip.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      held = { word, start: event.clientX, dragged: false };
      chip.dataset.held = "";
      row.setPointerCapture(event.pointerId); // the row stays, the word may move in it
    });
    return chip;
  }

  row.addEventListener("pointermove", (event) => {
    if (!held) return;
    held.dragged ||= Math.abs(event.clientX - held.start) > 4;
    const from = state.order.indexOf(held.word), { clientX: x, clientY: y } = event;
    const to = state.order.findIndex((word) => {
      const box = chips[word].getBoundingClientRect();
      return x >= box.left && x <= box.right && y >= box.top - 8 && y <= box.bottom + 8;
    });
    if (to < 0 || to === from) return;
    const box = chips[state.order[to]].getBoundingClientRect();
    const sameLine = Math.abs(box.top - chips[held.word].getBoundingClientRect().top) < 4;
    const middle = (box.left + box.right) / 2; // beyond it, or the two would change forever
    if (!sameLine || (to > from ? x > middle : x < middle)) move(held.word, to);
  });
  const release = (event) => {
    if (!held) return;
    const { word, dragged } = held;
    delete chips[word].dataset.held;
    held = null;
    if (event.type === "pointerup" && !dragged) onward(word);
  };
  row.addEventListener("pointerup", release);
  row.addEventListener("pointercancel", release);

  const act = (label, change) => {
    const button = element("button", { type: "button", ...KEYS }, label);
    button.addEventListener("click", () => put(change(state)));
    actions.append(button);
    return button;
  };
  act("reverse", (s) => [...s.order].reverse());
  const swap = act("swap the equal words", ({ order, twins: [a, b] }) =>
    order.map((n) => (n === a ? b : n === b ? a : n)));
  act("shuffle", (s) => {
    const ranks = s.order.map(() => Math.random());
    const next = [...s.order].sort((a, b) => ranks[a] - ranks[b]);
    return next.join() === s.order.join() ? movedTo(next, 0, s.length - 1) : next;
  });
  act("original order", (s) => [...s.order].sort((a, b) => a - b));

  function refresh(next) {
    const other = state?.words !== next.words && state?.words.join() !== next.words.join();
    state = next;
    if (other) chips = state.names.map(makeChip);
    const shown = state.order.map((word) => chips[word]);
    if (shown.some((chip, i) => row.children[i] !== chip) || row.children.length > shown.length) {
      const focused = row.contains(document.activeElement) ? document.activeElement : null;
      row.replaceChildren(...shown);
      if (focused?.isConnected) focused.focus({ preventScroll: true });
    }
    shown.forEach((chip, place) => chip.setAttribute(
      "aria-label", `${chip.textContent}, place ${place + 1} of ${state.length}`));
    swap.disabled = !state.twins;
  }

  return { node, refresh };
}

// Words that take their outputs along: the sentence as it is written, and in another order.
const HIGH = 30, CELL = 26, ABOVE = 12, BELOW = 190, HEIGHT = 270, SIDE = 8;

/** Say whether the words have kept their outputs. */
function carryWords(s) {
  const order = s.order.map((n) => s.names[n]).join(" ");
  if (!s.moved) return `“${order}”: each word with its output, four numbers shown as colors.`;
  return s.kept.every(Boolean) ? `“${order}”: other places, but each word keeps its four numbers (the colors).`
    : `“${order}”: some outputs have changed.`;
}

/** Above the words as written, below in their order; those below can be dragged. */
function carried(model, shade, limit) {
  const { canvas, context, begin } = drawing("The sentence twice, with the output of each word. " +
    "Words below can be dragged. Left and right arrow keys move a word, up and down choose it.");
  let now = null, frame = null, places = [], held = 0;
  const way = passage(canvas, (values) => { places = values; paint(); });
  const wide = () => (frame.width - 2 * SIDE) / now.length;
  const center = (place) => SIDE + (place + 0.5) * wide();
  const put = (order) => { model.set("order", order); model.save_changes(); };

  function card(n, x, top, output, look) {
    const { colors } = frame, half = Math.min(0.42 * wide(), 66), cell = 2 * half / output.length;
    context.fillStyle = colors.raised;
    context.fillRect(x - half, top, 2 * half, HIGH);
    outline(context, x - half, top, 2 * half, HIGH, look, { thick: look === colors.line ? 1 : 2 });
    write(context, now.names[n], x, top + HIGH / 2, { size: 15, bold: true, color: colors.text });
    output.forEach((value, c) => {
      const { fill, ink } = shade((value / limit + 1) / 2), left = x - half + c * cell;
      context.fillStyle = fill;
      context.fillRect(left, top + HIGH + 3, cell - 1, CELL);
      if (cell >= 24) write(context, value.toFixed(1).replace("-", "−"), left + cell / 2 - 0.5, top + HIGH + 3 + CELL / 2,
        { size: 11, color: ink });
    });
  }

  function paint() {
    const { width, colors } = frame, low = ABOVE + HIGH + CELL + 8;
    begin(width, HEIGHT);
    now.names.forEach((_, n) => {
      const kept = now.kept[now.placeOf(n)];
      polyline(context, colors.value, [[center(n), low], [center(places[n]), BELOW - 5]],
        { thick: kept ? 3 : 1.5, dash: kept ? [] : [4, 4] });
    });
    now.names.forEach((_, n) => card(n, center(n), ABOVE, now.before.outputs[n], colors.line));
    for (const n of [...now.order.filter((word) => word !== held), held])
      card(n, center(places[n]), BELOW, now.after.outputs[now.placeOf(n)],
        n === held ? colors.query : colors.line);
  }

  function draw(s, given) {
    [now, frame] = [s, given];
    held = Math.min(held, s.length - 1);
    if (places.length !== s.length) places = s.names.map((_, n) => n);
    way.to(s.names.map((_, n) => s.placeOf(n)), 450);
    paint();
    return HEIGHT;
  }

  const wordAt = (x, y) => (y < BELOW - 12 ? null
    : now.order[Math.max(0, Math.min(Math.floor((x - SIDE) / wide()), now.length - 1))]);
  drag(canvas, {
    start(x, y) { const word = wordAt(x, y); if (word !== null) { held = word; paint(); } return word; },
    move(word, x) {
      const from = now.placeOf(word), place = (x - SIDE) / wide() - 0.5;
      const to = Math.max(0, Math.min(Math.round(place), now.length - 1));
      if (to !== from && Math.abs(place - from) > 0.6) put(movedTo(now.order, from, to));
    },
  });
  function step(key) {
    const from = now.placeOf(held), by = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const other = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (other) { held = (held + other + now.length) % now.length; paint(); return null; }
    if (!by) return undefined;
    const to = Math.max(0, Math.min(from + by, now.length - 1));
    return to === from ? null : movedTo(now.order, from, to);
  }
  return { canvas, draw, step, move: put, now: () => null };
}

const orders = {}; // a play compares what it has set with what there is

/** The orders in which the first words go to the end, until the sentence is turned around. */
function turns(model) {
  const { length } = model.get("order");
  return (orders[length] ??= [...Array(length).keys()].map((n) => {
    const words = [...Array(length).keys()], last = length - 1 - n;
    return [...words.slice(last + 1).reverse(), ...words.slice(0, last + 1)];
  }));
}

function render({ model, el }) {
  const { weight, output, limit } = model.get("colors");
  const look = { shades: { weight: colorTable(weight), output: colorTable(output) }, limit };
  const choose = (sentence) => setAll(model, { sentence,
    order: sentence.split(" ").map((_, n) => n) });
  const maps = SIDES.map((side) => ({
    ...heatPair(`Attention weights and outputs ${side} the ` +
      "shuffle, queries down, keys across. Arrow keys move from cell to cell.", side, look),
    title: element("span", { style: "font-weight: 600" }, side),
  }));
  return createWidget({ model, el }, {
    traits: TRAITS, state: describe, pictures: maps, words, facts, layout: "equal",
    specs: [
      { kind: "select", key: "sentence", label: "sentence", choose,
        options: plain(Object.keys(model.get("names")), String) },
      { kind: "checkbox", key: "encoding", label: "add a position encoding" },
      { kind: "checkbox", key: "causal", label: "causal mask" },
    ],
    links: { order: (order) => {
      const places = model.get("sentence").split(" ").map((_, n) => n);
      return order.length === places.length && places.every((n) => order.includes(n));
    } },
    above: [wordRow((order) => { model.set("order", order); model.save_changes(); })],
    spoken: (s) => [s.order.map((n) => s.names[n]).join(" ") + ".", ...sentencesOf(facts(s))]
      .join(" "),
    tables: [{ rows: textRows, head: ["word", "place before", "place after", "output before",
      "output after", "output is"] }],
    simple: { pictures: [carried(model, look.shades.output, limit)], words: carryWords,
      specs: [{ kind: "play", key: "order", label: "turn the sentence around", ms: 900,
        values: () => turns(model) }] },
  });
}

export default { render };
