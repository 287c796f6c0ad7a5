// Widget: the four terms of the scores as heat maps, their sum, and the weights.
import { controls, signed } from "./kit.js";
import { colorTable, drawing, write } from "./canvas.js";
import { frame, gridStep } from "./transformer_xl.js";

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
  return { maps, words, memory, q_len, k_len, on, limit: model.get("limit") };
}

const best = (row) => row.indexOf(Math.max(...row));

function facts(s) {
  const weights = s.maps[5].rows, cat = s.words.indexOf("cat", s.memory) - s.memory;
  const share = weights.map((row) => row.slice(0, s.memory).reduce((a, b) => a + b, 0));
  const mean = share.reduce((a, b) => a + b, 0) / share.length;
  return [
    ["c", s.on.c ? "Term c: every row is the same. Here u likes the word “cat”."
      : "u is off: no key is liked for its content alone.", "key"],
    ["d", s.on.d ? "Term d: every diagonal is the same. Here v likes near keys."
      : "v is off: no distance is liked by all queries.", "position"],
    ["▦", `The query “cat” looks at “${s.words[best(weights[cat])]}” ` +
      `(key ${best(weights[cat])}) most. On average ${(100 * mean).toFixed(0)} % ` +
      "of a query’s attention goes to the memory."],
  ];
}

function words(s, choice) {
  if (!choice) return "Point at a cell of any map, or press arrow keys in the focused picture.";
  const { x: k, y: q } = choice, distance = q + s.memory - k;
  const pair = `“${s.words[q + s.memory]}” looks at “${s.words[k]}” (key ${k}), `;
  if (distance < 0) return `${pair}which comes later: hidden by the causal mask`;
  const values = s.maps.slice(0, 4).map(({ rows }, i) => `${"abcd"[i]} ${signed(rows[q][k], 2)}`);
  return `${pair}distance ${distance}: ${values.join(", ")}; sum ` +
    `${signed(s.maps[4].rows[q][k], 2)}, weight ${(100 * s.maps[5].rows[q][k]).toFixed(1)} %`;
}

function heatMaps(shades) {
  const { canvas, context, begin } = drawing("Six heat maps, queries down, keys across: " +
    "four terms, their sum, the weights. Arrow keys move from cell to cell in all of them.");
  let layout = null;

  function draw(s, { width, colors, choice }) {
    const left = 36, gap = 12, top = 60, size = Math.floor((width - left - gap) / (2 * s.k_len));
    const wide = s.k_len * size, tall = s.q_len * size;
    layout = { left, gap, top, size, wide, tall };
    begin(width, 3 * (tall + top) + 2);
    s.maps.forEach((map, i) => drawMap(s, map, ...corner(i), { colors, choice, first: i % 2 === 0 }));
    return s.maps[5].rows.map((row) => row.map((w) => w.toFixed(6)).join(" ")).join(" ");
  }

  const corner = (i) => [layout.left + (i % 2) * (layout.wide + layout.gap),
    layout.top + Math.floor(i / 2) * (layout.tall + layout.top)];

  function drawMap(s, map, x0, y0, { colors, choice, first }) {
    const { size } = layout, title = map.off ? `${map.name}: off` : map.name;
    write(context, title, x0, y0 - 46,
      { align: "left", size: Math.min(13, layout.wide / 10.5), bold: true, color: colors.text });
    map.rows.forEach((row, q) => row.forEach((value, k) => {
      const hidden = k > q + s.memory;
      const paint = map.weights ? shades.weight(value)
        : shades.term(0.5 + value / (2 * s.limit));
      const { fill, ink } = hidden ? { fill: colors.raised, ink: colors.muted } : paint;
      const [x, y] = [x0 + k * size, y0 + q * size], gap = size > 8 ? 1 : 0;
      context.fillStyle = fill;
      context.fillRect(x, y, size - gap, size - gap);
      if (k === q + s.memory) outline(x + 1.5, y + 1.5, size - gap - 3, ink, 1);
      if (size < 24 || hidden) return;
      const text = map.weights ? (100 * value).toFixed(0) : signed(value, 1);
      write(context, text, x + size / 2, y + size / 2 + 0.5, { color: ink, size: 0.34 * size });
    }));
    heads(s, x0, y0, { colors, choice, first });
    context.fillStyle = colors.text; // where the memory ends
    context.fillRect(x0 + s.memory * size - 1.5, y0 - 3, 2, layout.tall + 5);
    if (choice) outline(x0 + choice.x * size - 1, y0 + choice.y * size - 1, size + 1, colors.text, 2.5);
  }

  function heads(s, x0, y0, { colors, choice, first }) {
    const { size } = layout, small = Math.min(11, size);
    s.words.forEach((word, k) => {
      context.save();
      context.translate(x0 + (k + 0.5) * size, y0 - 4);
      context.rotate(-Math.PI / 2);
      write(context, word, 0, 0,
        { align: "left", size: small, color: colors.key, bold: choice?.x === k });
      context.restore();
      if (first && k >= s.memory) write(context, word, x0 - 4, y0 + (k - s.memory + 0.5) * size,
        { align: "right", size: small, color: colors.query, bold: choice?.y === k - s.memory });
    });
  }

  function outline(x, y, side, color, thick) {
    context.strokeStyle = color;
    context.lineWidth = thick;
    context.strokeRect(x, y, side, side);
  }

  function at(s, px, py) {
    if (!layout) return null;
    for (let i = 0; i < 6; i++) {
      const [x0, y0] = corner(i);
      const place = { x: Math.floor((px - x0) / layout.size), y: Math.floor((py - y0) / layout.size) };
      if (place.x >= 0 && place.y >= 0 && place.x < s.k_len && place.y < s.q_len) return place;
    }
    return null;
  }
  return { canvas, draw, at };
}

function render({ model, el }) {
  const tables = model.get("colors");
  const shades = { term: colorTable(tables.term), weight: colorTable(tables.weight) };
  const panel = controls(model, [
    { kind: "checkbox", key: "use_u", label: "u, for contents (c)" },
    { kind: "checkbox", key: "use_v", label: "v, for distances (d)" },
  ]);
  return frame(model, el, {
    traits: TRAITS, panel, ...heatMaps(shades), describe, words, facts,
    head: ["query", "key", "a", "b", "c", "d", "sum", "weight"],
    rows: (s) => s.maps[0].rows.flatMap((row, q) => row.flatMap((_, k) => k > q + s.memory ? []
      : [[s.words[q + s.memory], s.words[k],
        ...s.maps.slice(0, 5).map(({ rows }) => signed(rows[q][k], 2)),
        (100 * s.maps[5].rows[q][k]).toFixed(1) + " %"]])),
    step: (s, key, choice) => gridStep(key, choice, s.k_len, s.q_len),
  });
}

export default { render };
