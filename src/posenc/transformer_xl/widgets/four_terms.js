// Widget: the four terms of the scores as heat maps, their sum, and the weights.
import { signed } from "../../kit/widgets/controls.js";
import { colorTable, UP, write } from "../../kit/widgets/canvas.js";
import { cellGrid } from "../../kit/widgets/matrix.js";
import { softmax } from "../../kit/widgets/numbers.js";
import { createWidget, sentencesOf } from "../../kit/widgets/widget.js";

const TRAITS = ["use_a", "use_b", "use_u", "use_v"];

function describe(model) {
  const terms = model.get("terms"), memory = model.get("memory_len");
  const on = Object.fromEntries(TRAITS.map((key, i) => ["abcd"[i], model.get(key)]));
  const maps = Object.entries(terms).map(([key, rows]) => (
    { name: `(${key}) ${model.get("names")[key]}`, rows, share: on[key] ? 1 : 0 }));
  const words = model.get("words"), k_len = words.length, q_len = k_len - memory;
  const sum = terms.a.map((row, q) => row.map((_, k) =>
    maps.reduce((total, { rows, share }) => total + share * rows[q][k], 0)));
  const weights = sum.map((row, q) =>
    softmax(row.map((score, k) => (k <= q + memory ? score : -Infinity))));
  maps.push({ name: "sum", rows: sum }, { name: "weights (%)", rows: weights, weights: true });
  return { maps, words, memory, q_len, k_len, on, limit: model.get("limit"), shown: { weights } };
}

/** On the way: terms fly to the sum or back, and what follows from them passes over. */
function mix(from, to, t) {
  const maps = to.maps.map((map, i) => {
    const old = from.maps[i], pass = (a, b) => a + t * (b - a);
    if (i < 4) return { ...map, share: pass(old.share, map.share) };
    return { ...map, rows: map.rows.map((row, q) => row.map((value, k) => pass(old.rows[q][k], value))) };
  });
  return { ...to, maps };
}

const best = (row) => row.indexOf(Math.max(...row));

function facts(s) {
  const weights = s.maps[5].rows, cat = s.words.indexOf("cat", s.memory) - s.memory;
  const share = weights.map((row) => row.slice(0, s.memory).reduce((a, b) => a + b, 0));
  const mean = share.reduce((a, b) => a + b, 0) / share.length;
  return [
    ["c", s.on.c ? "Term c: every row is the same. Here u likes the word “cat”."
      : "u is off: term c is 0.", "key"],
    ["d", s.on.d ? "Term d: every diagonal is the same. Here v likes near keys."
      : "v is off: term d is 0. Term b alone tells of distances.", "position"],
    ["▦", `The query “cat” looks at “${s.words[best(weights[cat])]}” ` +
      `(key ${best(weights[cat])}) most. On average ${(100 * mean).toFixed(0)} % ` +
      "of a query’s attention goes to the memory."],
  ];
}

function words(s, choice) {
  if (!choice) return "Point at a cell of any map, or press arrow keys in the focused picture. " +
    "All terms are divided by √d.";
  const [q, k] = choice.item, distance = q + s.memory - k;
  const pair = `“${s.words[q + s.memory]}” looks at “${s.words[k]}” (key ${k}), `;
  if (distance < 0) return `${pair}which comes later: hidden by the causal mask`;
  const values = s.maps.slice(0, 4).map(({ rows, share }, i) =>
    `${"abcd"[i]} ${share ? signed(rows[q][k], 2) : "off"}`);
  return `${pair}distance ${distance}: ${values.join(", ")}; sum ` +
    `${signed(s.maps[4].rows[q][k], 2)}, weight ${(100 * s.maps[5].rows[q][k]).toFixed(1)} %`;
}

const heatMaps = (shades) => cellGrid("Six heat maps, queries down, keys across: the four " +
  "terms, and large their sum and the weights. Arrow keys move from cell to cell in all of them.", "pair",
(s, { width, colors }) => {
  const left = 36, between = 12, isWide = width > 560;
  /** Cells of the maps in a row of so many, each as wide as there is room for. */
  const sizeOf = (across) =>
    Math.floor((width - left - between * (across - 1)) / (across * s.k_len));
  const across = isWide ? [4, 2] : [2, 1], top = [24, 60];
  const [term, whole] = across.map(sizeOf), rowsOfTerms = 4 / across[0];
  const begin = rowsOfTerms * (top[0] + s.q_len * term) + 8;
  const shade = (map, value) => (map.weights ? shades.weight(value)
    : shades.term(0.5 + value / (2 * s.limit)));
  const look = (map, i) => (q, k) => {
    if (k > q + s.memory) return { fill: colors.raised, ink: colors.muted };
    const value = map.rows[q][k];
    return { mark: i > 3 && k === q + s.memory, faint: i < 4 && map.share < 0.5,
      text: map.weights ? (100 * value).toFixed(0) : signed(value, 1), ...shade(map, value) };
  };
  const heads = (size) => ({
    columns: { words: (k) => s.words[k], color: colors.key, plain: colors.key, away: 4,
      align: "left", size: Math.min(11, size), turn: UP },
    rows: { words: (q) => s.words[q + s.memory], color: colors.query, plain: colors.query,
      away: 4, align: "right", size: Math.min(11, size) } });
  const grids = s.maps.map((map, i) => {
    const large = i > 3, n = large ? i - 4 : i, wide = large ? whole : term;
    const [column, row] = [n % across[+large], Math.floor(n / across[+large])];
    const { columns, rows } = heads(wide);
    return {
      left: left + column * (s.k_len * wide + between),
      top: (large ? begin : 0) + top[+large] + row * (s.q_len * wide + top[+large]),
      rows: s.q_len, columns: s.k_len, wide, gap: wide > 8 ? 1 : 0, inset: 1.5, cell: look(map, i),
      font: () => (!large || wide < 24 ? 0 : 0.34 * wide),
      heads: { ...(large ? { columns } : {}), ...(column || wide < 10 ? {} : { rows }) },
    };
  });
  function over(context) {
    grids.forEach((grid, i) => {
      const { name, share } = s.maps[i], away = i > 3 ? 46 : 12, size = i > 3 ? 13 : 12;
      write(context, share < 0.5 ? `${name.slice(0, 3)} off` : name, grid.left, grid.top - away,
        { align: "left", size: Math.min(size, s.k_len * grid.wide / 10.5), bold: true, color: colors.text });
      context.fillStyle = colors.text;
      context.fillRect(grid.left + s.memory * grid.wide - 1.5, grid.top - 3, 2, s.q_len * grid.wide + 5);
    });
    s.maps.forEach((map, i) => { // on its way between its place and the sum
      if (i > 3 || !(map.share > 0 && map.share < 1)) return;
      const [from, to] = [grids[i], grids[4]], pass = (key) => from[key] + map.share * (to[key] - from[key]);
      const [x, y, wide] = ["left", "top", "wide"].map(pass);
      context.globalAlpha = 0.7;
      map.rows.forEach((row, q) => row.slice(0, q + s.memory + 1).forEach((value, k) => {
        context.fillStyle = shade(map, value).fill;
        context.fillRect(x + k * wide, y + q * wide, wide - 1, wide - 1);
      }));
      context.globalAlpha = 1;
    });
  }
  const last = grids.at(-1);
  return { width, height: last.top + s.q_len * whole + 2, grids, over };
});

function render({ model, el }) {
  const tables = model.get("colors");
  const shades = { term: colorTable(tables.term), weight: colorTable(tables.weight) };
  return createWidget({ model, el }, {
    traits: TRAITS, state: describe, mix, pictures: [heatMaps(shades)], words, facts,
    specs: [
      { kind: "checkbox", key: "use_a", label: "query · key (a)" },
      { kind: "checkbox", key: "use_b", label: "query · distance (b)" },
      { kind: "checkbox", key: "use_u", label: "u, for contents (c)" },
      { kind: "checkbox", key: "use_v", label: "v, for distances (d)" },
    ],
    spoken: (s) => sentencesOf(facts(s)).join(" "),
    tables: [{ head: ["query", "key", "a", "b", "c", "d", "sum", "weight"],
      rows: (s) => s.maps[0].rows.flatMap((row, q) => row.flatMap((_, k) => k > q + s.memory ? []
        : [[s.words[q + s.memory], s.words[k],
          ...s.maps.slice(0, 5).map(({ rows }) => signed(rows[q][k], 2)),
          (100 * s.maps[5].rows[q][k]).toFixed(1) + " %"]])) }],
  });
}

export default { render };
