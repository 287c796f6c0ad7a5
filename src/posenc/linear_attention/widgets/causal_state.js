// The causal state, token by token: a matrix that decays and grows, and the same by weights.
import { colorTable, drawing, outline, write } from "../../kit/widgets/canvas.js";
import { cellGrid, paintCells } from "../../kit/widgets/matrix.js";
import { count, createWidget, real, walk } from "../../kit/widgets/widget.js";

// Old state, new product and their sum as heat maps, one below the other, and the output.
const HEIGHT = 23, BLOCK = 4 * HEIGHT + 52, START = 18, MARGIN = 46;

/** A number as short as it can be: 6, 3.68, 12.1. */
const brief = (x) => (Math.abs(x - Math.round(x)) < 1e-9 ? real(x, 0) : real(x, x < 9.95 ? 2 : 1));

/** A share in percent, with a digit behind the point below 1. */
const percent = (share) => `${real(100 * share, share < 0.01 ? 1 : 0)}\u00a0%`;

/** Items are numbers of the three matrices, one below the other: [row of 12, column of 5]. */
function stateView(model) {
  const shade = colorTable(model.get("colors")), most = model.get("limit");
  return cellGrid("The old state, the product of the new token, and their sum. " +
    "Arrow keys move from number to number.", "cell", (s, { width, colors }) => {
    const wide = Math.min((width - MARGIN - 16) / 5, 58);
    const left = (j) => MARGIN + j * wide + (j === 4 ? 12 : 0);
    const top = (block) => START + block * BLOCK + 26;
    const font = () => 12.5, cell = (x, share) => ({ ...shade(Math.min(share, 0.999)), text: brief(x) });
    const size = { wide, high: HEIGHT, gap: 1, font };
    const matrices = [s.decayed, s.added, s.S];
    const grids = matrices.flatMap((matrix, block) => [[0, 4], [4, 1]].map(([from, columns]) => ({
      ...size, left: left(from), top: top(block), rows: 4, columns, from: [4 * block, from],
      cell: (i, j) => cell(matrix[i][from + j], matrix[i][from + j] / most) })));
    return { width, height: top(3) + 10, grids, rows: 12, columns: 5, start: [8, 0], over };

    function over(context) {
      const titles = [`λ S, the state from before${s.m ? `, times ${brief(s.decay)}` : ""}`,
        `+ φ(k)ᵀ v, “${s.words[s.t]}”`, "= S, the state now"];
      titles.forEach((title, block) => {
        write(context, title, 2, top(block) - 30,
          { size: 13.5, align: "left", bold: true, color: colors.text });
        write(context, "z", left(4) + wide / 2, top(block) - (block === 1 ? 30 : 10),
          { size: 13, color: colors.position });
      });
      s.v[s.t].concat(1).forEach((x, j) => write(context, brief(x), left(j) + wide / 2, top(1) - 10,
        { size: 12.5, color: j < 4 ? colors.value : colors.muted }));
      for (const [name, values, block, color] of [["φ(k)", s.k, 1, colors.key],
        ["φ(q)", s.q, 2, colors.query]]) {
        write(context, name, 2, top(block) - 10, { size: 13, align: "left", color });
        values.forEach((x, i) =>
          write(context, brief(x), 18, top(block) + (i + 0.5) * HEIGHT, { size: 12.5, color }));
      }
      drawOutput(context, top(2) + 4 * HEIGHT + 16);
    }

    function drawOutput(context, y) {
      const { output } = s, largest = Math.max(...output);
      write(context, "φ(q) S", 0, y, { size: 11.5, align: "left", color: colors.query });
      s.top.forEach((x, j) => write(context, brief(x), left(j) + wide / 2, y,
        { size: 12.5, color: j < 4 ? colors.text : colors.position }));
      write(context, "output", 0, y + 28, { size: 11.5, align: "left", color: colors.text });
      paintCells(context, { ...size, left: MARGIN, top: y + 28 - HEIGHT / 2, rows: 1, columns: 4,
        cell: (_, j) => cell(output[j], output[j] / largest) }, colors);
      write(context, "÷ z", left(4) + wide / 2, y + 28, { size: 12.5, color: colors.position });
    }
  });
}

const TRAITS = ["t", "slope"];
const inner = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0);

/** The recurrence up to token t. Each matrix has z as its last column, as if v ended in 1. */
function causalState(model) {
  const [t, m] = TRAITS.map((key) => model.get(key));
  const { phi_q, phi_k, v } = model.get("tokens"), words = model.get("words");
  const decay = Math.exp(-m), rows = v.map((row) => [...row, 1]);
  let S = phi_k[0].map(() => rows[0].map(() => 0)), before, decayed, added;
  for (let n = 0; n <= t; n++) {
    before = S;
    decayed = S.map((row) => row.map((x) => decay * x));
    added = phi_k[n].map((x) => rows[n].map((y) => x * y));
    S = decayed.map((row, i) => row.map((x, j) => x + added[i][j]));
  }
  const top = rows[0].map((_, j) => inner(phi_q[t], S.map((row) => row[j])));
  const output = top.slice(0, -1).map((x) => x / top.at(-1));
  // The other way: all weights of the query with the keys so far, then their mixture.
  const dots = phi_k.slice(0, t + 1).map((k) => inner(phi_q[t], k));
  const weights = dots.map((x, j) => Math.exp(-m * (t - j)) * x);
  const sum = weights.reduce((a, b) => a + b, 0);
  const mixed = v[0].map((_, c) => weights.reduce((a, w, j) => a + w * v[j][c], 0) / sum);
  return { t, m, decay, before, decayed, added, S, top, output, dots, weights, sum, mixed, words,
    q: phi_q[t], k: phi_k[t], v, shown: { decayed, added, state: S, output, weights, mixed } };
}

const tuple = (values) => `(${values.map(brief).join(", ")})`;

function stateWords(s, choice) {
  const word = s.words[s.t];
  if (choice?.kind === "cell") {
    const [row, j] = choice.item, block = Math.floor(row / 4), i = row % 4;
    const what = j === 4 ? `z, entry ${i + 1}` : `S, row ${i + 1}, column ${j + 1}`;
    const last = j === 4 ? "1" : brief(s.v[s.t][j]);
    return [
      `${what}, from before: ${brief(s.before[i][j])} × ${brief(s.decay)} = ${brief(s.decayed[i][j])}.`,
      `New for ${what}: ${brief(s.k[i])} × ${last} = ${brief(s.added[i][j])}.`,
      `${what}: ${brief(s.decayed[i][j])} + ${brief(s.added[i][j])} = ${brief(s.S[i][j])}.`][block];
  }
  if (choice) {
    const j = choice.item;
    if (j > s.t) return `“${s.words[j]}” at position ${j} is not read yet.`;
    return `Key “${s.words[j]}” at ${j}, ${s.t - j} back: e^(−${brief(s.m)}·${s.t - j}) × ${brief(s.dots[j])} = ` +
      `${brief(s.weights[j])}, which is ${percent(s.weights[j] / s.sum)} of the sum.`;
  }
  return `After “${word}” at position ${s.t}: output ${tuple(s.output)}, by the state and by the weights.`;
}

function stateFacts(s) {
  const first = percent(s.weights[0] / s.sum);
  return [
    ["λ", `λ = e^(−m) = ${brief(s.decay)}: ` + (s.m
      ? `each step keeps ${real(100 * s.decay, 0)}\u00a0% of the old state.` : "nothing is forgotten."), "position"],
    ["S", `The state holds 4 × 4 numbers and z has 4, after 1 token and after ${s.words.length}.`],
    ["▬", `The row of weights has ${s.t + 1} ${s.t ? "numbers" : "number"} now` +
      (s.t < s.words.length - 1 ? " and one more at each step. " : ". ") +
      `The first token has ${first} of the sum.`],
    ["=", `φ(q) S = ${tuple(s.top.slice(0, -1))}, φ(q) · z = ${brief(s.top.at(-1))}; their quotient is the ` +
      "output, and so is the mixture of the values by the weights.", "value"],
  ];
}

/** Weights of the query with each key, and the output that they mix. */
function weightsView(model) {
  const { canvas, context, begin } = drawing("Weights of the query with every key so far. " +
    "Arrow keys move from key to key.");
  const shade = colorTable(model.get("colors")), TOP = 52, ROW = 44;
  let total = 0;

  function draw(s, { width, colors, chosen }) {
    total = s.words.length;
    const most = Math.max(...s.weights), tall = TOP + ROW * total;
    begin(width, tall + 96);
    let end = 2;
    for (const [words, y, size] of [["λ", 10, 14], ["t−j", 5, 10.5], [" φ(q) · φ(k), and v", 10, 14]]) {
      write(context, words, end, y, { size, align: "left", bold: true, color: colors.text });
      end += context.measureText(words).width; // in the font of these words
    }
    write(context, `query: “${s.words[s.t]}” at t = ${s.t}`, 2, 32,
      { size: 13, align: "left", color: colors.query });
    const right = width - 112;
    s.words.forEach((word, j) => drawKey(s, j, word, { colors, right, most, chosen, width }));
    write(context, "mixture: Σ weight · v / Σ weight", 2, tall + 16,
      { size: 13, align: "left", color: colors.text });
    cells(s.mixed, Math.max(width - 4 * 52, 0) / 2, tall + 32, 52, 30, colors, Math.max(...s.mixed));
    write(context, "the same output, from a growing row", width / 2, tall + 80,
      { size: 12.5, color: colors.muted });
  }

  function drawKey(s, j, word, { colors, right, most, chosen, width }) {
    const y = TOP + ROW * j, read = j <= s.t, weight = s.weights[j];
    context.globalAlpha = read ? 1 : 0.6;
    if (chosen === j) outline(context, 1, y - 2, width - 2, ROW - 3, colors.text);
    write(context, `${j}  ${word}`, 6, y + 9, { size: 13, align: "left", bold: j === s.t, color: colors.key });
    write(context, read ? brief(weight) : "not yet", right - 6, y + 9,
      { size: 13, align: "right", color: read ? colors.text : colors.muted });
    context.fillStyle = colors.position;
    if (read) context.fillRect(6, y + 20, Math.max((right - 12) * weight / most, 1), 13);
    cells(s.v[j], right + 4, y + 5, 26, 26, colors, 2);
    context.globalAlpha = 1;
  }

  const cells = (values, left, top, wide, high, colors, most) => paintCells(context,
    { left, top, wide, high, gap: 1, rows: 1, columns: values.length, font: () => 12.5,
      cell: (_, i) => ({ ...shade(Math.min(values[i] / most, 0.999)), text: brief(values[i]) }) },
    colors);

  function at(x, y) {
    const j = Math.floor((y - TOP) / ROW);
    return j >= 0 && j < total ? j : null;
  }
  return { kind: "token", canvas, draw, at, step: (key, item) => walk(key, item, 0, total - 1, 0) };
}

function render({ model, el }) {
  const slopes = model.get("slopes"), last = model.get("words").length - 1;
  const go = (by) => () => model.set("t", Math.max(0, Math.min(model.get("t") + by, last)));
  const specs = [
    { kind: "range", key: "t", label: "token t", values: () => count(0, last) },
    { kind: "range", key: "slope", label: "ALiBi slope m", values: () => slopes.map(([m]) => m),
      text: (m) => slopes.find(([value]) => value === m)[1] },
    { kind: "button", label: "◀ back", press: go(-1) },
    { kind: "button", label: "step ▶", press: go(1) },
    { kind: "play", key: "t", label: "play", ms: 1000 },
    { kind: "button", label: "reset" },
  ];
  const rows = (s) => s.words.map((word, j) => [`${j} ${word}`, `(${s.v[j].join(", ")})`,
    j <= s.t ? brief(s.dots[j]) : "not yet", j <= s.t ? brief(s.weights[j]) : "not yet"]);
  return createWidget({ model, el }, {
    traits: TRAITS, specs, pictures: [stateView(model), weightsView(model)], state: causalState,
    words: stateWords, facts: stateFacts,
    tables: [{ head: ["key", "v", "φ(q) · φ(k)", "weight"], rows }],
  });
}

export default { render };
