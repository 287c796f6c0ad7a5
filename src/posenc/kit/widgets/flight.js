// Cells that fly from matrix to matrix: the same numbers, written down in other ways.
import { drawing, UP, write } from "./canvas.js";
import { paintCells } from "./matrix.js";
import { count, createWidget, moving } from "./widget.js";

const TOP = 62, SIDE = 34;

/** Where each number stands in a matrix: { number: [row, column] }. */
const placesOf = (matrix) => Object.fromEntries(matrix.flatMap((row, i) =>
  row.map((number, j) => [number, [i, j]])));

/** What is shown at a step, or on the way from one to the next. */
function describe(model) {
  const { matrices, names } = model.get("frames");
  const step = model.get("step"), whole = Math.floor(step);
  const from = placesOf(matrices[whole]);
  const to = placesOf(matrices[Math.min(whole + 1, matrices.length - 1)]);
  const part = step - whole, cells = [];
  for (const number of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [a, b] = [from[number] ?? to[number], to[number] ?? from[number]];
    cells.push({ number, row: a[0] + part * (b[0] - a[0]), column: a[1] + part * (b[1] - a[1]),
      alpha: (number in from ? 1 - part : 0) + (number in to ? part : 0) });
  }
  return { step, cells, last: matrices.length - 1, name: names[Math.round(step)],
    rows: Math.max(...matrices.map((matrix) => matrix.length)),
    columns: Math.max(...matrices.map((matrix) => Math.max(...matrix.map((row) => row.length)))),
    shown: { matrix: matrices[Math.round(step)] } };
}

const words = (s) => `${s.step} of ${s.last}: ${s.name}`;

function picture(model, shade) {
  const { canvas, context, begin } = drawing("Numbers that move from step to step. Drag to the " +
    "side or press arrow keys for the next step.");
  const { labels, shares, matrices, heads } = model.get("frames"), last = matrices.length - 1;

  /** Letters and numbers of the rows and columns of a step. */
  function drawHeads({ rows, columns, from, name, role }, left, wide, colors) {
    const query = { size: 13, color: colors.query }, column = { size: 13, color: colors[role] };
    const middle = (i) => (i + 0.5) * wide - 1;
    rows.forEach((text, i) => write(context, text, left - 10, TOP + middle(i), query));
    columns.forEach((text, j) => write(context, text, left + middle(from + j), TOP - 9, column));
    write(context, name, left + middle(from + (columns.length - 1) / 2), TOP - 27, column);
    write(context, "query", left - 26, TOP + middle((rows.length - 1) / 2), { ...query, turn: UP });
  }

  function draw(s, { width, colors }) {
    const wide = Math.min((width - 2 * SIDE) / s.columns, 46);
    const left = (width - s.columns * wide) / 2;
    begin(width, TOP + s.rows * wide + 4);
    count(0, last).forEach((n) => { // the steps, as a track
      const x = width / 2 + (n - last / 2) * 34;
      context.globalAlpha = Math.max(0.25, 1 - Math.abs(n - s.step));
      context.fillStyle = colors.position;
      context.fillRect(x - 13, 10, 26, 5);
      context.globalAlpha = 1;
    });
    heads.forEach((head, n) => { // each is gone before the next one comes
      context.globalAlpha = Math.max(0, 1 - 2 * Math.abs(n - s.step));
      if (head) drawHeads(head, left, wide, colors);
      context.globalAlpha = 1;
    });
    const look = ({ number, row, column, alpha }) => ({ text: labels[number] ?? "0", alpha, place: [row, column],
      ...(number in shares ? shade(shares[number]) : { fill: colors.raised, ink: colors.muted }),
      dash: number < 0 && colors.muted });
    paintCells(context, { left, top: TOP, rows: 1, columns: s.cells.length, wide, gap: 2,
      font: () => Math.min(0.4 * wide, 15), cell: (_, i) => look(s.cells[i]) }, colors);
  }
  const track = moving(model, canvas, "step", count(0, last),
    (x) => last * (x / canvas.clientWidth * 1.2 - 0.1));
  return { canvas, draw, ...track };
}

/** The whole widget; `shade(share)` colors a number. */
export function flight(host, shade) {
  const { model } = host, last = model.get("frames").matrices.length - 1;
  const specs = [
    { kind: "range", key: "step", label: "step", values: () => count(0, last) },
    { kind: "play", key: "step", label: "step by step", ms: 2000, way: 1200,
      values: () => count(0, last) },
  ];
  return createWidget(host, { traits: ["step"], smooth: ["step"], specs, state: describe, words,
    spoken: words, pictures: [picture(model, shade)], simple: { specs: specs.slice(1) } });
}
