// The three matrices of linear attention multiplied in both orders: shapes and work.
import { drawing, polyline, write } from "../../kit/widgets/canvas.js";
import { createWidget, grouped, moving, walk } from "../../kit/widgets/widget.js";
import { dot } from "./shared.js";

const TRAITS = ["seq_len", "head_dim"];
const NAMES = { Q: "Q", K: "Kᵀ", V: "V", A: "Q Kᵀ", S: "Kᵀ V" };

/** As `posenc.linear_attention.figures`: L and d, work and numbers of both orders. */
function orderState(model) {
  const [L, d] = TRAITS.map((key) => model.get(key));
  const work = [2 * L * L * d, 2 * L * d * d], between = [L * L, d * d];
  const shapes = { Q: [L, d], K: [d, L], V: [L, d], A: [L, L], S: [d, d] };
  return { L, d, work, between, shapes, shown: { work, between } };
}

/** Say how many times more the one needs than the other. */
function times(more, less) {
  const ratio = more / less;
  return `${ratio < 100 ? +ratio.toPrecision(3) : grouped(Math.round(ratio))} times`;
}

const BARS = [
  { what: "work", order: 0, words: "(Q Kᵀ) V: 2 L² d", say: "multiplications in the first order, 2 L² d" },
  { what: "work", order: 1, words: "Q (Kᵀ V): 2 L d²", say: "multiplications in the second order, 2 L d²" },
  { what: "between", order: 0, words: "Q Kᵀ: L²", say: "numbers in Q Kᵀ, the first order’s bracket" },
  { what: "between", order: 1, words: "Kᵀ V: d²", say: "numbers in Kᵀ V, the second order’s bracket" },
];
const SLOTS = ["Q", "K", "A", "V", "Q", "K", "V", "S"]; // both orders, row by row

function orderWords(s, choice) {
  if (choice?.kind === "bar") {
    const { what, order, say } = BARS[choice.item];
    return `${grouped(s[what][order])} ${say}.`;
  }
  if (choice) {
    const name = SLOTS[choice.item], [rows, columns] = s.shapes[name];
    const inside = { A: "; it grows with the square of the length", S: "; no length is in it" }[name] ?? "";
    return `${NAMES[name]} is ${grouped(rows)} × ${grouped(columns)}: ` +
      `${grouped(rows * columns)} numbers${inside}.`;
  }
  const { L, d } = s, start = `L = ${grouped(L)}, d = ${d}: `;
  if (L === d) return start + "both orders cost the same; this is the crossing.";
  return start + (L > d ? `the first order needs ${times(L, d)} the multiplications of the second.`
    : `the second order needs ${times(d, L)} the multiplications of the first.`);
}

function orderFacts(s) {
  const { L, d } = s, bytes = 4 * L * L;
  const size = bytes < 2 ** 20 ? `${+(bytes / 2 ** 10).toPrecision(3)} KiB`
    : bytes < 2 ** 30 ? `${+(bytes / 2 ** 20).toPrecision(3)} MiB` : `${+(bytes / 2 ** 30).toPrecision(3)} GiB`;
  return [
    ["×", `Both orders cost the same at L = d, here ${d} tokens: there 2 L² d and 2 L d² cross.`, "position"],
    ["2", "Twice as long: four times the work in the first order, two times in the second."],
    ["□", `The L × L weights of one head in float32 take ${size}; Kᵀ V keeps its ${grouped(d * d)} numbers ` +
      "at every length.", "key"],
    ["!", "With a softmax around Q Kᵀ there is no choice: it needs the L × L numbers first."],
  ];
}

/** Both products as rectangles, to scale: letters in the order of the formula. */
function matrices(keys = "move from matrix to matrix") {
  const { canvas, context, begin } = drawing(`The matrices of both orders, to scale. Arrow keys ${keys}.`);
  const GAP = 20, TOP = 44, TALL = 118, MIN = 3;
  let boxes = [];

  /** Pixels per number such that the widest row fits, with room for the words. */
  function unitFor(s, width) {
    const slot = width < 340 ? 48 : 56, tallest = Math.max(s.L, s.d);
    let [low, high] = [0, TALL / tallest];
    const wide = (unit) => Math.max(...[SLOTS.slice(0, 4), SLOTS.slice(4)].map((row) =>
      row.reduce((sum, name) => sum + Math.max(unit * s.shapes[name][1], slot), 3 * GAP)));
    for (let i = 0; i < 40; i++) {
      const unit = (low + high) / 2;
      if (wide(unit) <= width - 14) low = unit;
      else high = unit;
    }
    return { unit: low, slot };
  }

  function draw(s, { width, colors, chosen }) {
    const { unit, slot } = unitFor(s, width);
    const side = (n) => Math.max(unit * n, MIN), tall = side(Math.max(s.L, s.d));
    const row = TOP + tall + 44, thin = Math.min(s.L, s.d) * unit < MIN;
    begin(width, 2 * row + 16);
    boxes = [];
    const roles = { Q: "query", K: "key", V: "value", A: "position", S: "position" };
    ["(Q Kᵀ) V", "Q (Kᵀ V)"].forEach((title, r) => {
      const middle = r * row + TOP + tall / 2;
      write(context, `${["first", "second"][r]} order: ${title}`, 2, r * row + 10,
        { size: 14, align: "left", bold: true, color: colors.text });
      let x = 7;
      SLOTS.slice(4 * r, 4 * r + 4).forEach((name, i) => {
        const [rows, columns] = s.shapes[name], w = side(columns), h = side(rows);
        const room = Math.max(w, slot), [left, y] = [x + (room - w) / 2, middle - h / 2];
        if (i === r) bracket(x - 2, r, "(");
        const between = name === "A" || name === "S", item = 4 * r + i;
        context.fillStyle = colors[roles[name]];
        context.globalAlpha = between ? 0.75 : 0.4;
        context.fillRect(left, y, w, h);
        context.globalAlpha = 1;
        context.strokeStyle = chosen === item ? colors.text : colors[roles[name]];
        context.lineWidth = chosen === item ? 3 : 1;
        context.strokeRect(left, y, w, h);
        write(context, NAMES[name], x + room / 2, r * row + 32, { size: slot < 56 ? 12 : 13, bold: between, color: colors.text });
        write(context, `${short(rows)}×${short(columns)}`, x + room / 2, middle + tall / 2 + 14,
          { size: 11.5, color: colors.muted });
        boxes.push([x, r * row + 20, room, tall + 56]);
        x += room;
        if (i === r + 2) bracket(x + 2, r, ")");
        write(context, [["·", "=", "·", ""], ["·", "·", "=", ""]][r][i], x + GAP / 2, middle, { size: 16, color: colors.text });
        x += GAP;
      });
    });
    write(context, `to scale${thin ? ", thin sides widened" : ""}${s.L > 999 ? "; k = 1,024" : ""}`, 2, 2 * row + 4,
      { size: 12, align: "left", color: colors.muted });

    function bracket(x, r, sign) {
      const bend = sign === "(" ? 3 : -3, top = r * row + 24, low = r * row + TOP + tall + 24;
      polyline(context, colors.position, [[x + bend, top], [x, top], [x, low], [x + bend, low]], { thick: 1.5 });
    }
  }

  const short = (n) => (n >= 1000 ? `${Math.round(n / 1024)}k` : String(Math.round(n)));
  function at(x, y) {
    const i = boxes.findIndex(([left, top, w, h]) => x >= left && x < left + w && y >= top && y < top + h);
    return i < 0 ? null : i;
  }
  return { kind: "matrix", canvas, draw, at, step: (key, item) => walk(key, item, 0, 7, 0, 4) };
}

/** Work and memory of both orders, each pair to the scale of its longer bar. */
function bars() {
  const { canvas, context, begin } = drawing("Multiplications, and numbers kept in between, of both " +
    "orders. Arrow keys move from bar to bar.");
  const y = (i) => 34 + 48 * i + (i > 1 ? 42 : 0);

  function draw(s, { width, colors, chosen }) {
    begin(width, y(3) + 52);
    const head = { size: 14, align: "left", bold: true, color: colors.text };
    write(context, "multiplications", 2, 10, head);
    write(context, "numbers in the bracket", 2, y(2) - 24, head);
    BARS.forEach(({ what, order, words }, i) => {
      const length = (width - 4) * s[what][order] / Math.max(...s[what]);
      const color = colors[order ? "value" : "key"];
      write(context, words, 12, y(i), { size: 12.5, align: "left", color: colors.text });
      write(context, grouped(s[what][order]), width - 3, y(i),
        { size: 12.5, align: "right", bold: chosen === i, color: colors.text });
      dot(context, [5, y(i)], color, 3.5, order === 1);
      context.fillStyle = color;
      context.globalAlpha = chosen === null || chosen === i ? 1 : 0.4;
      context.fillRect(2, y(i) + 10, Math.max(length, 1), 16);
      context.globalAlpha = 1;
      if (chosen !== i) return;
      context.strokeStyle = colors.text;
      context.lineWidth = 2;
      context.strokeRect(2, y(i) + 10, Math.max(length, 2), 16);
    });
  }

  function at(x, py) {
    const i = BARS.findIndex((_, n) => py >= y(n) - 9 && py < y(n) + 30);
    return i < 0 ? null : i;
  }
  const step = (key, item) => walk(key, item, 0, 3, 0);
  return { kind: "bar", canvas, draw, at, step };
}

const OPENING_LAST = 128;

const openingWords = ({ L, d, between: [wide, small] }) => `${grouped(L)} tokens of ${d} numbers: ` +
  `${grouped(wide)} numbers in the bracket above, ${grouped(small)} in the one below.`;

/** The matrices alone; dragging to the side changes the length of the text. */
function growing(model, lengths) {
  const both = matrices("change the length");
  return { ...both, at: undefined, ...moving(model, both.canvas, "seq_len", lengths,
    (x) => (x / both.canvas.clientWidth) * (lengths.length - 1)) };
}

function render({ model, el }) {
  const choices = model.get("choices");
  const lengths = choices.seq_len.filter((L) => L <= OPENING_LAST);
  const meet = () => model.set("seq_len", model.get("head_dim"));
  const specs = [
    { kind: "range", key: "seq_len", label: "length L", values: () => choices.seq_len, text: grouped },
    { kind: "range", key: "head_dim", label: "head size d", values: () => choices.head_dim },
    { kind: "button", label: "to the crossing", press: () => meet() },
    { kind: "button", label: "reset" },
  ];
  const rows = (s) => choices.seq_len.filter((n) => Number.isInteger(Math.log2(n))).map((L) =>
    [grouped(L), grouped(2 * L * L * s.d), grouped(2 * L * s.d ** 2), grouped(L * L), grouped(s.d ** 2)]);
  return createWidget({ model, el }, {
    traits: TRAITS, specs, pictures: [matrices(), bars()], state: orderState,
    words: orderWords, facts: orderFacts,
    tables: [{ head: ["length L", "2 L² d", "2 L d²", "L²", "d²"], rows }],
    simple: { smooth: ["seq_len"], words: openingWords, pictures: [growing(model, lengths)],
      specs: [{ kind: "play", key: "seq_len", label: "let the text grow", ms: 1200, way: 800,
        values: () => lengths }] },
  });
}

export default { render };
