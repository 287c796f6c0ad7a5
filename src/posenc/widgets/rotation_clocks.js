// Clocks in rows: a pale hand at t, a strong one at t + k, and the sector between them.
import { drawing, write } from "./canvas.js";

/** `draw(s, …)` draws the state s (rotation_state.js) and returns nothing. */
export function clockRow(label) {
  const { canvas, context, begin } = drawing(label);
  let grid = { across: 1, cell: 1, count: 0 };

  /** As many columns as make the dials largest. */
  function arrange(count, width, height) {
    let best = { across: 1, cell: 0, count };
    for (let across = 1; across <= count; across++) {
      const cell = Math.min(width / across, height / Math.ceil(count / across), 130);
      if (cell > best.cell) best = { across, cell, count };
    }
    return best;
  }

  function draw(s, { width, height, colors, chosen }) {
    grid = arrange(s.clocks.length, width, height);
    const rows = Math.ceil(grid.count / grid.across);
    begin(grid.across * grid.cell, rows * grid.cell);
    for (const clock of s.clocks) drawClock(s, clock, colors, chosen);
  }

  function drawClock(s, { index, before, after, turn }, colors, chosen) {
    const { across, cell } = grid, named = cell >= 56;
    const x = (index % across + 0.5) * cell;
    const y = (Math.floor(index / across) + 0.5) * cell + (named ? 7 : 0);
    const radius = cell / 2 - (named ? 11 : 3);
    context.globalAlpha = chosen !== null && chosen !== index ? 0.35 : 1;
    disc(x, y, radius, 0, 2 * Math.PI, colors.raised);
    context.strokeStyle = chosen === index ? colors.text : colors.line;
    context.lineWidth = chosen === index ? 2.5 : 1;
    context.stroke();
    const alpha = context.globalAlpha;
    context.globalAlpha = 0.3 * alpha;
    const sweep = turn % (2 * Math.PI), from = after - sweep - Math.PI / 2;
    disc(x, y, 0.78 * radius, Math.min(from, from + sweep), Math.max(from, from + sweep),
      colors.position);
    context.globalAlpha = alpha;
    hand(x, y, radius, before, colors.muted, [4, 3]);
    hand(x, y, radius, after, colors.position, []);
    disc(x, y, Math.min(3, radius / 6), 0, 2 * Math.PI, colors.text);
    if (named)
      write(context, `clock ${index}`, x, y - radius - 8, { size: 11, color: colors.muted });
    context.globalAlpha = 1;
  }

  function disc(x, y, radius, from, to, fill) {
    context.beginPath();
    context.moveTo(x, y);
    if (to - from >= 2 * Math.PI) context.beginPath();
    context.arc(x, y, radius, from, to);
    context.closePath();
    context.fillStyle = fill;
    context.fill();
  }

  function hand(x, y, radius, angle, color, dash) {
    context.strokeStyle = color;
    context.lineWidth = Math.max(1.5, Math.min(3, radius / 14));
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + 0.93 * radius * Math.sin(angle), y - 0.93 * radius * Math.cos(angle));
    context.stroke();
    context.setLineDash([]);
  }

  function at(x, y) {
    const column = Math.floor(x / grid.cell), row = Math.floor(y / grid.cell);
    const index = row * grid.across + column;
    return column >= 0 && row >= 0 && column < grid.across && index < grid.count ? index : null;
  }

  /** Clock that a key leads to; undefined for a key that leads nowhere. */
  function step(key, index) {
    if (key === "" || index === null) return index ?? 0;
    const moves = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -grid.across, ArrowDown: grid.across,
      Home: -grid.count, End: grid.count };
    if (!moves[key]) return undefined;
    return Math.max(0, Math.min(index + moves[key], grid.count - 1));
  }

  return { canvas, draw, at, step };
}
