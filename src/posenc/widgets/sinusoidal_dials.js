// Picture of the dials that turn at the pace of the binary digits.
import { element } from "./kit.js";
import { write } from "./canvas.js";
import { shown } from "./sinusoidal_math.js";

/** A row of dials, or two; each shows its angle, sine and cosine by its hand. */
export function dialFaces() {
  const canvas = element("canvas", { role: "img", "aria-label": "Dials: the table below says the same." });
  const context = canvas.getContext("2d");
  function draw(s, width, colors) {
    const columns = width < 300 ? 2 : 4, cell = Math.min(width / columns, 130);
    const ratio = window.devicePixelRatio || 1, tall = cell + 44;
    const height = tall * Math.ceil(s.count / columns);
    [canvas.width, canvas.height] = [Math.round(cell * columns * ratio), Math.round(height * ratio)];
    canvas.style.width = cell * columns + "px";
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (const j of s.dials) {
      const cx = (j % columns + 0.5) * cell, cy = Math.floor(j / columns) * tall + cell / 2 + 20;
      const radius = 0.42 * cell, tip = [cx + radius * s.sines[j], cy - radius * s.cosines[j]];
      context.beginPath();
      context.arc(cx, cy, radius, 0, 2 * Math.PI);
      context.fillStyle = colors.raised;
      context.fill();
      context.lineWidth = 1;
      context.strokeStyle = colors.line;
      context.stroke();
      stroke(colors.line, [[cx, cy - radius], [cx, cy + radius]], 1);
      if (s.both) stroke(colors.key, [[tip[0], cy], tip], 3);
      stroke(colors.position, [[cx, cy], [tip[0], cy]], s.both ? 3 : 1);
      stroke(colors.position, [[cx, cy], tip], 3);
      write(context, `period ${2 ** (j + 1)}`, cx, cy - radius - 11, { size: 12, color: colors.text });
      write(context, shown(s.sines[j]), cx, cy + radius + 12, { size: 12, color: colors.position });
    }
  }
  function stroke(color, points, thick) {
    context.strokeStyle = color;
    context.lineWidth = thick;
    context.beginPath();
    points.forEach((point) => context.lineTo(...point));
    context.stroke();
  }
  return { canvas, draw };
}
