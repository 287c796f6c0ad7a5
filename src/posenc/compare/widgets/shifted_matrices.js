// Scores of three words by each method, and above them how it brings position in.
import { colorTable, disk, outline, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { cellGrid } from "../../kit/widgets/matrix.js";
import { real } from "../../kit/widgets/widget.js";

const SIGN = { top: 24, high: 40 }, HEAD = 102, SIDE = 34, GAP = 14, LEGEND = 20;

/** Items are cells, [query, key], of every matrix. */
export function shiftedMatrices(model, label) {
  const shade = colorTable(model.get("colors")), limit = model.get("limit");
  const paint = (value, most) => shade(Math.max(0, Math.min((value / most + 1) / 2, 1)));

  function plan(s, { width, colors, chosen }) {
    const count = s.panels.length;
    const across = width >= 176 * count ? count : 2;
    const room = (width - (across - 1) * GAP) / across;
    const wide = Math.floor(Math.min((room - SIDE) / 3, 58)), high = Math.min(wide, 34);
    const tall = HEAD + 3 * high + 34;
    const spare = Math.max(0, room - SIDE - 3 * wide) / 2;
    const grids = s.panels.map(({ values }, n) => ({ rows: 3, columns: 3, wide, high,
      left: Math.round((n % across) * (room + GAP) + spare) + SIDE,
      top: Math.floor(n / across) * tall + HEAD,
      inset: 2, font: () => (wide < 44 ? 10.5 : 13),
      cell: (q, k) => ({ mark: q === k, bold: wide >= 44 && values[q][k] !== s.panels[n].start[q][k],
        ...paint(values[q][k], limit), text: real(values[q][k]) }) }));
    const below = Math.ceil(count / across) * tall;
    return { width, height: below + LEGEND, grids, under(context) {
      s.panels.forEach((panel, n) => beside(context, s, panel, grids[n], colors, chosen));
      const legend = { size: 12, align: "left" };
      write(context, "rows: queries", 2, below + 8, { ...legend, color: colors.query });
      write(context, "columns: keys", 92, below + 8, { ...legend, color: colors.key });
    } };
  }

  /** All that stands around a matrix. */
  function beside(context, s, panel, { left, top, wide, high }, colors, chosen) {
    const middle = left + 1.5 * wide, above = top - HEAD;
    write(context, `${panel.kind}: ${panel.title}`, middle, above + 10,
      { size: 13, bold: true, color: colors.text });
    const sign = { addition: addedVectors, bias: addedNumbers, rotation: hands }[panel.kind];
    sign(context, s, panel, { left, wide, top: above + SIGN.top }, colors);
    const says = { addition: "added to the words", bias: "added at −2 … +2",
      rotation: "turns query and key" }[panel.kind];
    write(context, says, middle, above + SIGN.top + SIGN.high + 7,
      { size: 10.5, color: colors.muted });
    s.words.forEach((word, i) => {
      const bold = (axis) => chosen?.[axis] === i;
      write(context, word, left + (i + 0.5) * wide, top - 10,
        { size: 12, color: colors.key, bold: bold(1) });
      write(context, word, left - 4, top + (i + 0.5) * high,
        { size: 11.5, align: "right", color: colors.query, bold: bold(0) });
    });
    const among = wide < 44 ? "" : " of 9"; // as wide as the matrix, on a phone
    write(context, `${panel.moved || "none"}${among} changed`, middle, top + 3 * high + 12,
      { size: 11.5, bold: panel.moved > 0, color: panel.moved ? colors.position : colors.muted });
  }

  /** The vector that each word is given: four numbers, as colors. */
  function addedVectors(context, s, panel, { left, wide, top }, colors) {
    const side = Math.min(wide / 4 - 1, 10);
    s.sines.forEach((row, i) => row.forEach((value, j) => {
      const x = left + (i + 0.5) * wide + (j - 2) * side, y = top + SIGN.high / 2 - 8;
      context.fillStyle = paint(value, 1).fill;
      context.fillRect(x, y, side - 1, 16);
      outline(context, x, y, side - 1, 16, colors.line, { thick: 0.5 });
    }));
  }

  /** The number for each offset of the key, −2 … 2. */
  function addedNumbers(context, s, { bias }, { left, wide, top }, colors) {
    const step = 3 * wide / 5, y = top + SIGN.high / 2;
    bias.forEach((value, i) => {
      const x = left + (i + 0.5) * step, { fill, ink } = paint(value, limit);
      context.fillStyle = fill;
      context.fillRect(x - step / 2 + 0.5, y - 9, step - 1, 18);
      write(context, short(value), x, y, { size: 10.5, color: ink });
      if (i === 2) outline(context, x - step / 2 + 1.5, y - 8, step - 3, 16, ink, { thick: 1 });
    });
    outline(context, left, y - 10, 3 * wide, 20, colors.line, { thick: 0.5 });
  }

  /** A bias in two letters, which is all that a phone has room for. */
  const short = (value) => (value > 0 ? "+" : "") +
    (Math.abs(value) === 0.5 ? real(value, 1).replace("0.5", "½") : real(value, 0));

  /** A hand for each word, turned by its position. */
  function hands(context, s, panel, { left, wide, top }, colors) {
    const radius = Math.min(wide / 2 - 3, SIGN.high / 2 - 3), y = top + SIGN.high / 2;
    s.angles.forEach((angle, i) => {
      const x = left + (i + 0.5) * wide;
      disk(context, x, y, radius, colors.raised);
      ring(context, x, y, radius, colors.line, 1);
      polyline(context, colors.position, [[x, y], [x + 0.92 * radius * Math.sin(angle),
        y - 0.92 * radius * Math.cos(angle)]], { thick: 2.5 });
      disk(context, x, y, 2, colors.text);
    });
  }

  return cellGrid(label, "cell", plan);
}
