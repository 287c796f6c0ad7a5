// The simple view: a sentence seen from one word, and the table of vectors that all words share.
import { drawing, outline, write } from "../../kit/widgets/canvas.js";
import { count, moving } from "../../kit/widgets/shell.js";
import { describe, shadeOf } from "./state.js";

const WORDS = [30, 64], TABLE = [182, 216], HEIGHT = 246, SIDE = 6;

/** On the way from one query to the next, ribbons are on theirs. */
export function ribbonState(model) {
  const query = model.get("query"), whole = Math.floor(query), part = query - whole;
  const at = (n) => describe({ get: (key) => (key === "query" ? n : model.get(key)) });
  const [s, next] = [at(whole), at(Math.ceil(query))];
  const rows = s.nodes.map((_, k) =>
    s.cell(whole, k) + part * (next.cell(next.query, k) - s.cell(whole, k)));
  return { ...s, place: query, rowOf: (k) => rows[k] };
}

/** How many vectors one query uses. */
export function ribbonWords(s) {
  const used = new Set(s.nodes.map((_, k) => s.cell(s.query, k)));
  return `Seen from “${s.nodes[s.query]}”: ${used.size} of the same ${s.rows} vectors. ` +
    `On each side, words ${s.clip} or more away share one.`;
}

export function ribbons(model, shades) {
  const { canvas, context, begin } = drawing("A sentence and a table of vectors, with ribbons " +
    "from each word to its vector. Drag the query along the sentence, or press arrow keys.");
  const length = model.get("length");
  let wide = 1;

  function draw(s, { width, colors }) {
    wide = (width - 2 * SIDE) / s.size;
    begin(width, HEIGHT);
    const word = (k) => SIDE + (k + 0.5) * wide, pitch = (width - 2 * SIDE) / s.rows;
    const vector = (row) => SIDE + (row + 0.5) * pitch, [a, b] = [WORDS[1], TABLE[0]];
    s.nodes.forEach((_, k) => {
      const [from, to, mid] = [word(k), vector(s.rowOf(k)), (a + b) / 2], half = Math.min(wide, pitch) / 5;
      context.beginPath();
      context.moveTo(from - half, a);
      context.bezierCurveTo(from - half, mid, to - half, mid, to - half, b);
      context.lineTo(to + half, b);
      context.bezierCurveTo(to + half, mid, from + half, mid, from + half, a);
      context.fillStyle = shadeOf(s, shades, Math.round(s.rowOf(k))).fill;
      context.globalAlpha = 0.55;
      context.fill();
      context.globalAlpha = 1;
    });
    const box = (x, [top, bottom], room, { fill, ink }, words, size, color = ink) => {
      context.fillStyle = fill;
      context.fillRect(x - room / 2 + 2, top, room - 4, bottom - top);
      write(context, words, x, (top + bottom) / 2, { size, color, bold: true });
    };
    s.nodes.forEach((name, k) => box(word(k), WORDS, wide, shadeOf(s, shades, Math.round(s.rowOf(k))), name,
      wide < 62 ? 10.5 : 14));
    count(0, s.rows - 1).forEach((row) =>
      box(vector(row), TABLE, pitch, shadeOf(s, shades, row), s.name(row), 15));
    outline(context, word(s.place) - wide / 2 + 1, WORDS[0] - 1, wide - 2, WORDS[1] - WORDS[0] + 2, colors.query, { thick: 3 });
    write(context, "query", word(s.place), 14, { size: 13, bold: true, color: colors.query });
    write(context, "one table of learned vectors", width / 2, HEIGHT - 12, { size: 13, color: colors.position });
  }
  return { canvas, draw, ...moving(model, canvas, "query", count(0, length - 1),
    (x) => (x - SIDE) / wide - 0.5) };
}
