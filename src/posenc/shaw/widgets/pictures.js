// The vectors of one query: words tied to rows of the table, or a graph with its edges.
import { disk, drawing, outline, write } from "../../kit/widgets/canvas.js";
import { walk } from "../../kit/widgets/widget.js";
import { pointed, shadeOf } from "./state.js";

const HIGH = 26; // of a word

/** Items are keys, { k }, and rows of the table, { row }. */
export function vectorsOfQuery(label, shades) {
  const { canvas, context, begin } = drawing(label);
  let spots = []; // [x, y, width, height, item] of all that can be pointed at

  function draw(s, { width, colors, choice }) {
    const { q: query = s.query, k, row } = pointed(s, choice);
    spots = [];
    const options = { width, colors, query, paint: (n) => shadeOf(s, shades, n),
      choice: choice && (k === undefined ? { row } : { k }) };
    return s.view === "sentence" ? drawSentence(s, options) : drawGraph(s, options);
  }

  function drawSentence(s, { width, colors, choice, paint, query }) {
    const tall = 30 + HIGH * Math.max(s.size, s.rows) + 4;
    begin(width, tall);
    const middle = (i, count) => 30 + (tall - 34) * (i + 0.5) / count;
    const right = width - 112, left = 92;
    write(context, `query: “${s.nodes[query]}”`, 0, 10,
      { align: "left", size: 13, color: colors.query });
    write(context, "table", right, 10, { align: "left", size: 13, color: colors.position });
    const lit = (k) => !choice || (choice.k === undefined ? s.cell(query, k) === choice.row : choice.k === k);
    for (let k = 0; k < s.size; k++) {
      const row = s.cell(query, k);
      tie([left, middle(k, s.size)], [right - 4, middle(row, s.rows)], paint(row).fill, lit(k));
    }
    s.nodes.forEach((word, k) => {
      const y = middle(k, s.size), own = k === query;
      if (own) box(1, y - 11, left - 6, 22, colors.surface, colors.query);
      const color = own ? colors.query : lit(k) ? colors.text : colors.muted;
      write(context, `${k}  ${word}`, 8, y, { align: "left", size: 13, bold: choice?.k === k, color });
      spots.push([0, y - HIGH / 2, left + 20, HIGH, { k }]);
    });
    const chosen = choice && (choice.row ?? s.cell(query, choice.k));
    for (let row = 0; row < s.rows; row++) {
      const y = middle(row, s.rows), { fill, ink } = paint(row);
      context.globalAlpha = choice && chosen !== row ? 0.3 : 1;
      box(right, y - 11, 34, 22, fill, chosen === row ? colors.text : fill);
      context.globalAlpha = 1;
      const faint = choice && chosen !== row;
      write(context, row, right + 17, y, { size: 13, color: faint ? colors.muted : ink });
      write(context, s.name(row), right + 42, y, { align: "left", size: 14, color: colors.position });
      spots.push([right - 10, y - HIGH / 2, width - right + 10, HIGH, { row }]);
    }
    return tall;
  }

  function tie([x, y], [u, v], color, lit) {
    context.strokeStyle = color;
    context.lineWidth = lit ? 4 : 1.5;
    context.globalAlpha = lit ? 1 : 0.3;
    context.beginPath();
    context.moveTo(x, y);
    context.bezierCurveTo((x + u) / 2, y, (x + u) / 2, v, u, v);
    context.stroke();
    context.globalAlpha = 1;
  }

  function box(x, y, wide, high, fill, edge) {
    context.fillStyle = fill;
    context.fillRect(x, y, wide, high);
    outline(context, x, y, wide, high, edge);
  }

  function drawGraph(s, { width, colors, choice, paint, query }) {
    const high = Math.min(width * 0.8, 300), tall = high + 24 * s.rows + 8;
    begin(width, tall);
    const wideOf = (node) => Math.max(26, 9 + 7.5 * s.nodes[node].length);
    const place = (node) => {
      const x = 30 + s.places[node][0] * (width - 60), edge = wideOf(node) / 2 + 2;
      return [Math.max(edge, Math.min(x, width - edge)), 22 + s.places[node][1] * (high - 44)];
    };
    const edges = [];
    for (let q = 0; q < s.size; q++)
      for (let k = 0; k < s.size; k++)
        if (q !== k && s.cell(q, k) >= 0) edges.push({ q, k, row: s.cell(q, k) });
    const shown = (e) => (choice && choice.k === undefined ? e.row === choice.row : e.q === query);
    const lit = (e) => shown(e) && (choice?.k === undefined || choice.k === e.k || choice.k === query);
    for (const e of edges) arrow(place(e.q), place(e.k), lit(e) ? colors.text : colors.line, lit(e));
    for (const e of edges.filter(shown)) number(bent(place(e.q), place(e.k)), e.row, paint(e.row));
    s.nodes.forEach((word, node) => {
      const [x, y] = place(node), wide = wideOf(node), own = node === query;
      box(x - wide / 2, y - 12, wide, 24, colors.surface, own ? colors.query : colors.line);
      write(context, word, x, y, { size: 13, bold: own || choice?.k === node,
        color: own ? colors.query : colors.text });
      spots.push([x - wide / 2 - 5, y - 17, wide + 10, 34, { k: node }]);
    });
    for (let row = 0; row < s.rows; row++) {
      const y = high + 14 + 24 * row;
      number([14, y], row, paint(row));
      write(context, s.name(row), 32, y,
        { align: "left", size: 13, bold: choice?.row === row, color: colors.text });
      spots.push([0, y - 12, width, 24, { row }]);
    }
    return tall;
  }

  const bent = ([x, y], [u, v]) => [(x + u) / 2 + 0.08 * (v - y), (y + v) / 2 - 0.08 * (u - x)];

  function number([x, y], row, { fill, ink }) {
    disk(context, x, y, 10, fill);
    write(context, row, x, y + 0.5, { size: 12, color: ink });
  }

  /** A curve that starts and ends short of the nodes, with a head. */
  function arrow([x, y], [u, v], color, thick) {
    const long = Math.hypot(u - x, v - y), cut = 24 / long;
    const [a, b] = [x + cut * (u - x), y + cut * (v - y)];
    const [c, d] = [u - cut * (u - x), v - cut * (v - y)];
    const [mx, my] = bent([x, y], [u, v]), control = [2 * mx - (a + c) / 2, 2 * my - (b + d) / 2];
    context.strokeStyle = context.fillStyle = color;
    context.lineWidth = thick ? 2 : 1;
    context.beginPath();
    context.moveTo(a, b);
    context.quadraticCurveTo(...control, c, d);
    context.stroke();
    const turn = Math.atan2(d - control[1], c - control[0]), side = thick ? 9 : 6;
    context.beginPath();
    context.moveTo(c, d);
    for (const by of [-0.4, 0.4])
      context.lineTo(c - side * Math.cos(turn + by), d - side * Math.sin(turn + by));
    context.fill();
  }

  function at(x, y) {
    const inside = ([left, top, wide, high]) => x >= left && x < left + wide && y >= top && y < top + high;
    return spots.find(inside)?.[4] ?? null;
  }

  /** From key to key. */
  function step(key, item, s) {
    const k = walk(key, item?.k ?? null, 0, s.size - 1, s.query);
    return k === undefined ? undefined : { k };
  }

  return { kind: "vector", canvas, draw, at, step };
}
