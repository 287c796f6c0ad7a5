// Clocks in rows: a pale hand at t, a strong one at t + k, and the sector between them.
import { disk, drawing, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { tileAt, tiling } from "../../kit/widgets/cells.js";
import { walk } from "../../kit/widgets/shell.js";
import { clockOf } from "./state.js";

/** Items are clocks, by their number. */
export function clockRow(label) {
  const { canvas, context, begin } = drawing(label);
  let grid = { across: 1, cell: 1, count: 0 };

  function draw(s, { width, colors, choice }) {
    grid = tiling(s.clocks.length, width, 240, 130);
    begin(grid.across * grid.cell, Math.ceil(grid.count / grid.across) * grid.cell);
    for (const clock of s.clocks) drawClock(clock, colors, clockOf(choice));
  }

  function drawClock({ index, before, after, turn }, colors, chosen) {
    const { across, cell } = grid, named = cell >= 56;
    const x = (index % across + 0.5) * cell;
    const y = (Math.floor(index / across) + 0.5) * cell + (named ? 7 : 0);
    const radius = cell / 2 - (named ? 11 : 3);
    context.globalAlpha = chosen !== null && chosen !== index ? 0.35 : 1;
    disk(context, x, y, radius, colors.raised);
    ring(context, x, y, radius, chosen === index ? colors.text : colors.line,
      chosen === index ? 2.5 : 1);
    const alpha = context.globalAlpha;
    context.globalAlpha = 0.3 * alpha;
    const sweep = turn % (2 * Math.PI), from = after - sweep - Math.PI / 2;
    disk(context, x, y, 0.78 * radius, colors.position, Math.min(from, from + sweep),
      Math.max(from, from + sweep));
    context.globalAlpha = alpha;
    hand(x, y, radius, before, colors.muted, [4, 3]);
    hand(x, y, radius, after, colors.position, []);
    disk(context, x, y, Math.min(3, radius / 6), colors.text);
    if (named)
      write(context, `clock ${index}`, x, y - radius - 8, { size: 11, color: colors.muted });
    context.globalAlpha = 1;
  }

  function hand(x, y, radius, angle, color, dash) {
    const tip = [x + 0.93 * radius * Math.sin(angle), y - 0.93 * radius * Math.cos(angle)];
    polyline(context, color, [[x, y], tip],
      { dash, thick: Math.max(1.5, Math.min(3, radius / 14)) });
  }

  const at = (x, y) => tileAt(grid, x, y);
  const step = (key, item) => walk(key, item, 0, grid.count - 1, 0, grid.across);
  return { kind: "clock", canvas, draw, at, step };
}
