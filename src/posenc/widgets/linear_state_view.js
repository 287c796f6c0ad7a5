// Old state, new product and their sum as heat maps, one below the other, and the output.
import { colorTable, drawing, write } from "./canvas.js";
import { real, walk } from "./shell.js";

const HEIGHT = 23, BLOCK = 4 * HEIGHT + 52, START = 18, MARGIN = 46;

/** A number as short as it can be: 6, 3.68, 12.1. */
export const brief = (x) => (Math.abs(x - Math.round(x)) < 1e-9 ? real(x, 0) : real(x, x < 9.95 ? 2 : 1));

export function stateView(model) {
  const { canvas, context, begin } = drawing("The old state, the product of the new token, and their sum. " +
    "Arrow keys move from number to number.");
  const shade = colorTable(model.get("colors"));
  let wide = 40;
  const left = (j) => MARGIN + j * wide + (j === 4 ? 12 : 0);
  const top = (block) => START + block * BLOCK + 26;

  function draw(s, { width, colors, chosen }) {
    wide = Math.min((width - MARGIN - 16) / 5, 58);
    begin(width, top(3) + 10);
    const titles = [`λ S, the state from before${s.m ? `, times ${brief(s.decay)}` : ""}`, `+ φ(k) vᵀ, “${s.words[s.t]}”`, "= S, the state now"];
    const most = model.get("limit");
    [s.decayed, s.added, s.S].forEach((matrix, block) => {
      const y = top(block);
      write(context, titles[block], 2, y - 30,
        { size: 13.5, align: "left", bold: true, color: colors.text });
      write(context, "z", left(4) + wide / 2, y - (block === 1 ? 30 : 10), { size: 13, color: colors.position });
      matrix.forEach((row, i) => row.forEach((x, j) =>
        cell(x, left(j), y + i * HEIGHT, Math.min(x / most, 0.999), chosen === 20 * block + 5 * i + j, colors)));
    });
    s.v[s.t].concat(1).forEach((x, j) =>
      write(context, brief(x), left(j) + wide / 2, top(1) - 10, { size: 12.5, color: j < 4 ? colors.value : colors.muted }));
    write(context, "φ(k)", 2, top(1) - 10, { size: 13, align: "left", color: colors.key });
    write(context, "φ(q)", 2, top(2) - 10, { size: 13, align: "left", color: colors.query });
    [0, 1, 2, 3].forEach((i) => {
      write(context, brief(s.k[i]), 18, top(1) + (i + 0.5) * HEIGHT, { size: 12.5, color: colors.key });
      write(context, brief(s.q[i]), 18, top(2) + (i + 0.5) * HEIGHT, { size: 12.5, color: colors.query });
    });
    drawOutput(s, colors);
  }

  function drawOutput(s, colors) {
    const y = top(2) + 4 * HEIGHT + 16;
    write(context, "φ(q)ᵀS", 0, y, { size: 11.5, align: "left", color: colors.query });
    s.top.forEach((x, j) => write(context, brief(x), left(j) + wide / 2, y,
      { size: 12.5, color: j < 4 ? colors.text : colors.position }));
    write(context, "output", 0, y + 28, { size: 11.5, align: "left", color: colors.text });
    const most = Math.max(...s.output);
    s.output.forEach((x, j) => cell(x, left(j), y + 28 - HEIGHT / 2, Math.min(x / most, 0.999), false, colors));
    write(context, "÷ z", left(4) + wide / 2, y + 28, { size: 12.5, color: colors.position });
  }

  function cell(x, px, py, share, chosen, colors) {
    const { fill, ink } = shade(share);
    context.fillStyle = fill;
    context.fillRect(px, py, wide - 1, HEIGHT - 1);
    write(context, brief(x), px + wide / 2, py + HEIGHT / 2, { size: 12.5, color: ink });
    if (!chosen) return;
    for (const [color, grow] of [[colors.surface, 2], [colors.text, 0.5]]) {
      context.strokeStyle = color;
      context.lineWidth = 2;
      context.strokeRect(px - grow, py - grow, wide - 1 + 2 * grow, HEIGHT - 1 + 2 * grow);
    }
  }

  function at(x, y) {
    for (let block = 0; block < 3; block++) {
      const i = Math.floor((y - top(block)) / HEIGHT);
      const j = [0, 1, 2, 3, 4].find((n) => x >= left(n) && x < left(n) + wide);
      if (i >= 0 && i < 4 && j !== undefined) return 20 * block + 5 * i + j;
    }
    return null;
  }
  return { kind: "cell", canvas, draw, at, step: (key, item) => walk(key, item, 0, 59, 40, 5) };
}
