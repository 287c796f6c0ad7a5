// Old state, new product and their sum as heat maps, one below the other, and the output.
import { colorTable, write } from "../../kit/widgets/canvas.js";
import { cellGrid, paintCells } from "../../kit/widgets/cells.js";
import { real } from "../../kit/widgets/shell.js";

const HEIGHT = 23, BLOCK = 4 * HEIGHT + 52, START = 18, MARGIN = 46;

/** A number as short as it can be: 6, 3.68, 12.1. */
export const brief = (x) => (Math.abs(x - Math.round(x)) < 1e-9 ? real(x, 0) : real(x, x < 9.95 ? 2 : 1));

/** Items are numbers of the three matrices, one below the other: [row of 12, column of 5]. */
export function stateView(model) {
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
