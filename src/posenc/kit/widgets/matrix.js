// Cells in rows and columns: one picture for every matrix, table and window.
import { drawing, outline, UP, write } from "./canvas.js";

const NAMES = "13px system-ui, sans-serif";

/**
 * A picture of one grid of cells, or of several. Items are cells, [row, column].
 * `plan(state, frame)` gives { width, height, grids }; of these may be there, too:
 * `chosen`, a cell to frame in place of the frame's; `start`, where keys begin;
 * `rows` and `columns`, if the grids together have more than the first;
 * `under(context)` and `over(context)`, which draw more before and after.
 *
 * A grid has `left`, `top`, `rows`, `columns`, `wide` and `high` (of a cell; the same if
 * only one is there), and
 * `cell(row, column) -> { fill, ink, text, bold, faint, mark, dash, over, place, alpha }`:
 * `mark` is true for a thin frame in the cell, a dash for a dashed one; a `dash` is the
 * color of a cell that is empty and has a dashed edge; `over(context, x, y, wide, high)`
 * draws more; `place` is [row, column] of a cell that is on its way, `alpha` its opacity. A grid without `cell` is
 * painted by `under`. `gap` is between cells, `font(text)` the size of the words, 0 for none;
 * `inset` (a cell's own, or the grid's) and `line` belong to the thin frame. `from` is the cell
 * that stands first; the chosen cell has no frame in a `quiet` grid.
 * `heads` are { rows, columns }, each a head for `headline`, `names` the words
 * [text, color] of { rows, columns }; `frames` are { row, column, rows, columns, color,
 * thick, dash, tag, corner }.
 */
export function cellGrid(label, kind, plan) {
  const { canvas, context, begin } = drawing(label);
  let p = { grids: [] };

  function draw(state, frame) {
    p = plan(state, frame, context);
    const chosen = p.chosen ?? frame.chosen;
    let { width, height } = p;
    context.font = NAMES;
    const end = (start, name) => (name ? start + context.measureText(name[0]).width + 3 : 0);
    for (const { left, top, names = {} } of p.grids) { // however few the cells are
      width = Math.max(width, end(left, names.columns));
      height = Math.max(height, end(top, names.rows));
    }
    begin(width, height);
    p.under?.(context);
    for (const grid of p.grids) {
      if (grid.cell) paintCells(context, grid, frame.colors);
      if (grid.heads) paintHeads(context, grid, chosen);
      for (const one of grid.frames ?? []) paintFrame(context, grid, one, frame.colors);
      if (chosen && !grid.quiet && holds(grid, chosen))
        frameCell(context, grid, chosen, frame.colors);
    }
    p.over?.(context);
    return height;
  }

  const size = () => [p.rows ?? p.grids[0].rows, p.columns ?? p.grids[0].columns];

  function at(x, y) {
    const [rows, columns] = size();
    for (const grid of p.grids) {
      const { left, top, wide, high = wide, from = [0, 0] } = grid;
      const row = from[0] + Math.floor((y - top) / high);
      const column = from[1] + Math.floor((x - left) / wide);
      if (holds(grid, [row, column]) && holds({ rows, columns }, [row, column]))
        return [row, column];
    }
    return null;
  }

  const step = (key, cell) => stepCell(key, cell, ...size(), p.start);
  return { kind, canvas, draw, at, step };
}

/** Cell that a key leads to from `cell`; undefined for a key that leads nowhere. */
export function stepCell(key, cell, rows, columns, start = [0, 0]) {
  const move = { "": [0, 0], ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1],
    ArrowRight: [0, 1], Home: [0, -columns], End: [0, columns], PageUp: [-rows, 0],
    PageDown: [rows, 0] }[key];
  if (!move || !cell) return move && start;
  const keep = (n, most) => Math.max(0, Math.min(n, most - 1));
  return [keep(cell[0] + move[0], rows), keep(cell[1] + move[1], columns)];
}

function holds({ rows, columns, from = [0, 0] }, [row, column]) {
  return row >= from[0] && column >= from[1] && row < from[0] + rows &&
    column < from[1] + columns;
}

/** The cells alone, on any canvas. */
export function paintCells(context, grid, colors) {
  const { left, top, rows, columns, wide, high = wide, cell, gap = wide > 6 ? 1 : 0 } = grid;
  const { font = () => 0, line = 1 } = grid, [w, h] = [wide - gap, high - gap];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const { fill, ink, text = "", bold, faint, mark, dash, over, place = [row, column],
        inset = grid.inset ?? 2.5, alpha = 1 } = cell(row, column);
      const x = left + place[1] * wide, y = top + place[0] * high;
      const color = faint ? colors.muted : ink;
      context.globalAlpha = faint ? 0.3 : alpha;
      context.fillStyle = fill;
      if (!dash) context.fillRect(x, y, w, h);
      context.globalAlpha = alpha;
      over?.(context, x, y, w, h);
      if (dash) outline(context, x + 1.5, y + 1.5, w - 2, h - 2, dash, { thick: 1, dash: [2, 2] });
      if (mark) outline(context, x + inset, y + inset, w - 2 * inset, h - 2 * inset, color,
        { thick: line, dash: mark === true ? [] : mark });
      const size = text === "" ? 0 : font(String(text));
      if (size) write(context, text, x + w / 2, y + h / 2 + 0.06 * size, { color, size, bold });
    }
  context.globalAlpha = 1;
}

/** The frame of the chosen cell, which can be seen on every color. */
function frameCell(context, { left, top, wide, high = wide, from = [0, 0] }, cell, colors) {
  const x = left + (cell[1] - from[1]) * wide, y = top + (cell[0] - from[0]) * high;
  const least = Math.max(0, 4 - Math.min(wide, high) / 2); // around the smallest of cells, too
  for (const [color, grow] of [[colors.surface, 2.5 + least], [colors.text, 1 + least]])
    outline(context, x - grow, y - grow, wide + 2 * grow - 1, high + 2 * grow - 1, color);
}

/** Frame of one cell or of several, perhaps with a letter in its left or right corner. */
function paintFrame(context, grid, one, colors) {
  const { left, top, wide, high = wide } = grid, { row, column, color, thick = 3, dash } = one;
  const [x, y] = [left + column * wide, top + row * high];
  const [w, h] = [(one.columns ?? 1) * wide - 1, (one.rows ?? 1) * high - 1];
  if (one.halo ?? true) outline(context, x, y, w, h, colors.surface, { thick: thick + 2 });
  outline(context, x, y, w, h, color, { thick, dash });
  if (!one.tag) return;
  const side = Math.min(0.4 * wide, 16), from = one.corner === "right" ? x + w - side : x;
  context.fillStyle = color;
  context.fillRect(from, y, side, side);
  write(context, one.tag, from + side / 2, y + side / 2,
    { color: colors.surface, size: Math.max(0.8 * side, 8), bold: true });
}

function paintHeads(context, grid, chosen) {
  const { left, top, rows, columns, wide, high = wide, heads, names = {}, from = [0, 0] } = grid;
  const of = (axis) => (chosen ? chosen[axis] - from[axis] : null);
  if (heads.columns) headline(context, { pitch: wide, away: 9, chosen: of(1), ...heads.columns,
    count: columns,
    place: (along, away) => [Math.min(left + along, heads.columns.end ?? Infinity), top - away] });
  if (heads.rows) headline(context, { pitch: high, away: 11, chosen: of(0), ...heads.rows,
    count: rows,
    place: (along, away) => [left - away, top + along] });
  const start = { size: 13, align: "left" };
  if (names.columns) write(context, names.columns[0], left, 9,
    { ...start, color: names.columns[1] });
  if (names.rows) write(context, names.rows[0], 8, top,
    { ...start, align: "right", turn: UP, color: names.rows[1] });
}

/**
 * Words along an axis, `words(i)` for each of `count` items, each `pitch` wide: all that
 * have `room`, and the chosen one, bold in its `color`; the others are `plain`. `middle` is
 * the item that must have words, `ticks` are numbers of steps from words to words, `align`
 * and `turn` belong to `write`.
 */
function headline(context, { count, pitch, place, away, words = (i) => i, chosen = null, color,
  plain, room = 0, ticks = [1, 2, 4, 8, 16, 32, 64], size = 11, middle = 0, align, turn }) {
  const every = ticks.find((n) => n * pitch >= room);
  for (let i = 0; i < count; i++) {
    const bold = i === chosen, near = chosen !== null && Math.abs(i - chosen) * pitch < room - 2;
    if (!bold && ((i - middle) % every || near)) continue;
    const [x, y] = place((i + 0.5) * pitch, away);
    write(context, words(i), x, y, { color: bold ? color : plain, size, bold, align, turn });
  }
}

/**
 * Plan of a matrix with queries down and keys across, of whole device pixels so that its
 * cells are crisp: `cell(row, column)` and `marks(row, column)`, the cells with a frame;
 * relative position 0 has one if it is not given.
 */
export function pairPlan({ q_len, k_len, cell }, { width, colors }, height, chosen) {
  const ratio = window.devicePixelRatio || 1, left = 36, top = 36;
  const room = Math.min((width - left) / k_len, height / q_len, 30);
  const size = Math.max(Math.floor(room * ratio), 1) / ratio, gap = size >= 6 ? 1 : 0;
  const wide = left + k_len * size, end = wide - 7; // or the canvas ends within the number
  const font = (text) => {
    const long = text.length > 2;
    if ((size - gap) / (long ? 2 : 1) < 11.5) return 0;
    return long ? 0.36 * size : Math.min(0.46 * size, 13);
  };
  const head = (color) => ({ color, plain: colors.muted, room: 17 });
  return {
    width: Math.max(wide, 80), height: top + q_len * size + 1, chosen,
    grids: [{ left, top, rows: q_len, columns: k_len, wide: size, gap, font,
      inset: Math.max(0.08 * size, 1), line: Math.max(0.045 * size, 1),
      cell: (q, k) => ({ mark: q === k, ...cell(q, k) }),
      heads: { rows: head(colors.query), columns: { ...head(colors.key), end } },
      names: { rows: ["← query", colors.query], columns: ["key →", colors.key] } }],
  };
}

/** As many columns as make `count` square tiles largest: { across, cell, count }. */
export function tiling(count, width, height, largest) {
  let best = { across: 1, cell: 0, count };
  for (let across = 1; across <= count; across++) {
    const cell = Math.min(width / across, height / Math.ceil(count / across), largest);
    if (cell > best.cell) best = { across, cell, count };
  }
  return best;
}

/** Number of the tile at a place, or null. */
export function tileAt({ across, cell, count }, x, y) {
  const column = Math.floor(x / cell), i = Math.floor(y / cell) * across + column;
  return column >= 0 && y >= 0 && column < across && i < count ? i : null;
}
