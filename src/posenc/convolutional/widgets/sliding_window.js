// A window that slides over equal frames: near an end it sees zeros, and its output differs.
import { disk, drawing, outline, polyline, write } from "../../kit/widgets/canvas.js";
import { count, createWidget, moving, real } from "../../kit/widgets/widget.js";

const OUT = [24, 54], FRAMES = [112, 142], BASE = 222, BAR = 58, HEIGHT = 262, SIDE = 8;

/** All that is shown. */
function describe(model) {
  const { first, last, sizes } = model.get("layer"), frame = model.get("frame");
  const place = Math.round(frame), seen = count(place + first, place + last);
  const zeros = seen.filter((t) => t < 0 || t >= sizes.length).length;
  return { first, last, sizes, frame, place, zeros, shown: { zeros, size: sizes[place] } };
}

const words = ({ place, zeros, sizes }) => zeros
  ? `The window of frame ${place} holds ${zeros === 1 ? "a zero" : `${zeros} zeros`}: its output ` +
    `differs, by ${real(sizes[place])}.`
  : `The window of frame ${place} holds frames alone: its output does not say where it is.`;

function picture(model) {
  const { canvas, context, begin } = drawing("A row of equal frames with a window that can be " +
    "dragged. Left and right arrow keys move it.");
  const { first, last, sizes } = model.get("layer"), length = sizes.length;
  let wide = 1;
  const x = (t) => SIDE + (t - first + 0.5) * wide;

  function draw(s, { width, colors }) {
    wide = (width - 2 * SIDE) / (length + last - first);
    begin(width, HEIGHT);
    const role = colors[s.zeros ? "key" : "position"], half = wide / 2 - 1, small = Math.min(13, 0.6 * wide);
    context.beginPath();
    for (const [px, py] of [[x(s.frame) - half, OUT[1]], [x(s.frame) + half, OUT[1]],
      [x(s.frame + last) + half, FRAMES[0]], [x(s.frame + first) - half, FRAMES[0]]]) context.lineTo(px, py);
    context.fillStyle = role;
    context.globalAlpha = 0.22;
    context.fill();
    context.globalAlpha = 1;
    outline(context, x(s.frame) - half, OUT[0], 2 * half, OUT[1] - OUT[0], role);
    write(context, "y", x(s.frame), (OUT[0] + OUT[1]) / 2, { size: small, bold: true, color: role });
    for (const t of count(first, length - 1 + last)) {
      const inside = t >= 0 && t < length, left = x(t) - half, high = FRAMES[1] - FRAMES[0];
      context.fillStyle = colors.raised;
      if (inside) context.fillRect(left, FRAMES[0], 2 * half, high);
      outline(context, left, FRAMES[0], 2 * half, high, inside ? colors.line : colors.key,
        { thick: 1, dash: inside ? [] : [3, 2] });
      write(context, inside ? "x" : "0", x(t), (FRAMES[0] + FRAMES[1]) / 2,
        { size: small, color: inside ? colors.text : colors.key });
    }
    const scale = Math.max(...sizes);
    polyline(context, colors.line, [[x(0) - half, BASE], [x(length - 1) + half, BASE]]);
    sizes.forEach((size, t) => {
      const top = BASE - BAR * size / scale, color = colors[size > 1e-9 ? "key" : "position"];
      polyline(context, color, [[x(t), BASE], [x(t), top]], { thick: 4 });
      disk(context, x(t), top, t === s.place ? 6 : 3.5, color);
      write(context, t, x(t), BASE + 12, { size: 11, bold: t === s.place, color: t === s.place ? role : colors.muted });
    });
    write(context, "difference from the inner outputs", width / 2, HEIGHT - 10, { size: 12.5, color: colors.text });
  }
  return { canvas, draw, ...moving(model, canvas, "frame", count(0, length - 1),
    (px) => (px - SIDE) / wide + first - 0.5) };
}

function render({ model, el }) {
  const frames = () => count(0, model.get("layer").sizes.length - 1);
  const specs = [
    { kind: "range", key: "frame", label: "frame", values: frames },
    { kind: "play", key: "frame", label: "slide along the frames", ms: 600, values: frames },
  ];
  return createWidget({ model, el }, {
    traits: ["frame"], smooth: ["frame"], specs, state: describe, words,
    spoken: words, pictures: [picture(model)], simple: { specs: specs.slice(1) } });
}

export default { render };
