// A dial for each plane: the angles of training filled, the farthest one as a hand or a whole ring.
import { disk, drawing, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { tileAt, tiling } from "../../kit/widgets/cells.js";
import { walk } from "../../kit/widgets/shell.js";

const TOP = -Math.PI / 2, HEIGHT = 330, HEAD = 22;

/** `state.planes` holds kinds of layers with `trained` and `longest`: turns of each plane. */
export function turnDials(label, looks) {
  const { canvas, context, begin } = drawing(label);
  let grids = [], count = 0;

  function draw({ planes, kindWords }, { width, colors, chosen }) {
    let top = 0;
    count = Math.max(...planes.map((kind) => kind.longest.length));
    grids = planes.map((kind) => {
      const grid = tiling(kind.longest.length, width, HEIGHT / planes.length - HEAD, 60);
      const found = { ...grid, top: top + HEAD };
      top = found.top + Math.ceil(grid.count / grid.across) * grid.cell;
      return found;
    });
    begin(width, top);
    planes.forEach((kind, k) => {
      const { role } = looks[k], head = grids[k].top - HEAD / 2;
      write(context, kindWords[k], 2, head, { size: 12.5, align: "left", color: colors.text });
      kind.longest.forEach((_, i) => drawDial(kind, i, grids[k], colors, colors[role], chosen));
    });
  }

  function drawDial({ trained, longest }, i, { across, cell, top }, colors, color, chosen) {
    const x = (i % across + 0.5) * cell, y = top + (Math.floor(i / across) + 0.5) * cell;
    const radius = cell / 2 - 2, picked = chosen === i;
    const shown = Math.min(trained?.[i] ?? 0, 1) * 2 * Math.PI;
    const end = TOP + (longest[i] ?? 0) * 2 * Math.PI;
    disk(context, x, y, radius, colors.raised);
    context.globalAlpha = 0.45;
    if (shown) disk(context, x, y, radius, color, TOP, TOP + shown);
    context.globalAlpha = 1;
    ring(context, x, y, radius, picked ? colors.text : colors.line, picked ? 2.5 : 1);
    if (longest[i] >= 1) return ring(context, x, y, radius - 2, color, 3);
    polyline(context, color, [[x, y], [x + radius * Math.cos(end), y + radius * Math.sin(end)]],
      { thick: 2 });
  }

  function at(x, y) {
    for (const grid of grids) {
      const found = tileAt(grid, x, y - grid.top);
      if (found !== null) return found;
    }
    return null;
  }
  const step = (key, item) => walk(key, item, 0, count - 1, 0, grids[0].across);
  return { kind: "plane", canvas, draw, at, step };
}
