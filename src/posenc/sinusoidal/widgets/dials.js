// Picture of the dials that turn at the pace of the binary digits.
import { disk, drawing, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { shown } from "./math.js";

/** A row of dials, or two; each shows its angle, sine and cosine by its hand. */
export function dialFaces() {
  const { canvas, context, begin } = drawing("Dials: the table below says the same.");
  canvas.setAttribute("role", "img"); // nothing in it can be chosen
  canvas.removeAttribute("tabindex");

  function draw(s, { width, colors }) {
    const columns = width < 300 ? 2 : 4, cell = Math.min(width / columns, 130), tall = cell + 44;
    begin(cell * columns, tall * Math.ceil(s.count / columns));
    for (const j of s.dials) {
      const x = (j % columns + 0.5) * cell, y = Math.floor(j / columns) * tall + cell / 2 + 20;
      const radius = 0.42 * cell, tip = [x + radius * s.sines[j], y - radius * s.cosines[j]];
      const line = (color, points, thick) => polyline(context, color, points, { thick });
      disk(context, x, y, radius, colors.raised);
      ring(context, x, y, radius, colors.line, 1);
      line(colors.line, [[x, y - radius], [x, y + radius]], 1);
      if (s.both) line(colors.key, [[tip[0], y], tip], 3);
      line(colors.position, [[x, y], [tip[0], y]], s.both ? 3 : 1);
      line(colors.position, [[x, y], tip], 3);
      write(context, `period ${2 ** (j + 1)}`, x, y - radius - 11, { size: 12, color: colors.text });
      write(context, shown(s.sines[j]), x, y + radius + 12, { size: 12, color: colors.position });
    }
  }
  return { canvas, draw };
}
