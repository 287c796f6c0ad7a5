// Widget: the four terms of the scores as heat maps, their sum, and the weights.
import { signed } from "../../kit/widgets/kit.js";
import { colorTable, UP, write } from "../../kit/widgets/canvas.js";
import { cellGrid } from "../../kit/widgets/cells.js";
import { sentencesOf, shell } from "../../kit/widgets/shell.js";

const TRAITS = ["use_u", "use_v"];

function describe(model) {
  const terms = model.get("terms"), memory = model.get("memory_len");
  const on = { a: true, b: true, c: model.get("use_u"), d: model.get("use_v") };
  const maps = Object.entries(terms).map(([key, rows]) => ({
    name: `(${key}) ${model.get("names")[key]}`, off: !on[key],
    rows: rows.map((row) => row.map((value) => (on[key] ? value : 0))),
  }));
  const words = model.get("words"), k_len = words.length, q_len = k_len - memory;
  const sum = terms.a.map((row, q) => row.map((_, k) =>
    maps.reduce((total, map) => total + map.rows[q][k], 0)));
  const weights = sum.map((row, q) => {
    const kept = row.map((score, k) => (k <= q + memory ? Math.exp(score) : 0));
    const total = kept.reduce((a, b) => a + b, 0);
    return kept.map((value) => value / total);
  });
  maps.push({ name: "sum", rows: sum }, { name: "weights (%)", rows: weights, weights: true });
  return { maps, words, memory, q_len, k_len, on, limit: model.get("limit"), shown: { weights } };
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
  const values = s.maps.slice(0, 4).map(({ rows }, i) => `${"abcd"[i]} ${signed(rows[q][k], 2)}`);
  return `${pair}distance ${distance}: ${values.join(", ")}; sum ` +
    `${signed(s.maps[4].rows[q][k], 2)}, weight ${(100 * s.maps[5].rows[q][k]).toFixed(1)} %`;
}

const heatMaps = (shades) => cellGrid("Six heat maps, queries down, keys across: " +
  "four terms, their sum, the weights. Arrow keys move from cell to cell in all of them.", "pair",
(s, { width, colors }) => {
  const left = 36, between = 12, top = 60, across = width > 1000 ? 3 : 2;
  const size = Math.floor((width - left - between * (across - 1)) / (across * s.k_len));
  const wide = s.k_len * size, tall = s.q_len * size, small = Math.min(11, size);
  const look = (map) => (q, k) => {
    if (k > q + s.memory) return { fill: colors.raised, ink: colors.muted };
    const value = map.rows[q][k];
    return { mark: k === q + s.memory,
      text: map.weights ? (100 * value).toFixed(0) : signed(value, 1),
      ...(map.weights ? shades.weight(value) : shades.term(0.5 + value / (2 * s.limit))) };
  };
  const columns = { words: (k) => s.words[k], color: colors.key, plain: colors.key, away: 4,
    align: "left", size: small, turn: UP };
  const rows = { words: (q) => s.words[q + s.memory], color: colors.query, plain: colors.query,
    away: 4, align: "right", size: small };
  const grids = s.maps.map((map, i) => ({
    left: left + (i % across) * (wide + between),
    top: top + Math.floor(i / across) * (tall + top),
    rows: s.q_len, columns: s.k_len, wide: size, gap: size > 8 ? 1 : 0, inset: 1.5,
    font: () => (size < 24 ? 0 : 0.34 * size), cell: look(map),
    heads: i % across ? { columns } : { columns, rows },
  }));
  function over(context) {
    grids.forEach((grid, i) => {
      const { name, off } = s.maps[i];
      write(context, off ? `${name}: off` : name, grid.left, grid.top - 46,
        { align: "left", size: Math.min(13, wide / 10.5), bold: true, color: colors.text });
      context.fillRect(grid.left + s.memory * size - 1.5, grid.top - 3, 2, tall + 5);
    });
  }
  return { width, height: (6 / across) * (tall + top) + 2, grids, over };
});

function render({ model, el }) {
  const tables = model.get("colors");
  const shades = { term: colorTable(tables.term), weight: colorTable(tables.weight) };
  return shell({ model, el }, {
    traits: TRAITS, state: describe, pictures: [heatMaps(shades)], words, facts,
    specs: [
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
