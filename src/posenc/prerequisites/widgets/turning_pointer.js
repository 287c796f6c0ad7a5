// A pointer that turns with the position: its two coordinates are drawn as cosine and sine.
import { disk, drawing, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { count, createWidget, moving, real } from "../../kit/widgets/widget.js";

const TOP = 34, BOTTOM = 46, REACH = 26;

/** All that is shown. */
function describe(model) {
  const t = model.get("t"), degrees = model.get("degrees"), radians = degrees * Math.PI / 180;
  const across = (at) => Math.cos(at * radians), height = (at) => Math.sin(at * radians);
  return { t, degrees, across, height, last: model.get("last"), period: 360 / degrees,
    shown: { angle: t * degrees, across: across(t), height: height(t) } };
}

function words({ t, degrees, period, across, height }) {
  const same = t < period ? "" : `, the same point as at ${t % period}`;
  return `Position ${t}: turned by ${t} · ${degrees}° = ${t * degrees}°${same}. ` +
    `Across (cosine) ${real(across(t))}, height (sine) ${real(height(t))}.`;
}

function picture(model) {
  const { canvas, context, begin } = drawing("A pointer in a circle, and two waves. Drag the pointer " +
    "or the waves, or press arrow keys, to change the position.");
  let s = null, size = 1, left = 0, unit = 1, center = [0, 0], tip = center;

  /** The position at a place: on the circle the nearest one with that angle. */
  function indexAt(x, y) {
    if (x > left - 10) return (x - left) / unit;
    const turned = Math.atan2(center[1] - y, x - center[0]) * 180 / Math.PI / s.degrees;
    const near = turned + s.period * Math.round((s.t - turned) / s.period);
    return near > s.last + 0.5 ? near - s.period : near < -0.5 ? near + s.period : near;
  }

  function draw(state, { width, colors }) {
    s = state;
    size = Math.min(96, 0.17 * width);
    center = [size + 10, TOP + size];
    left = 2 * size + 44;
    unit = (width - left - 12) / s.last;
    begin(width, TOP + 2 * size + BOTTOM);
    const [cx, cy] = center, x = (t) => left + t * unit, y = (value) => cy - size * value;
    tip = [cx + size * s.across(s.t), y(s.height(s.t))];
    polyline(context, colors.line, [[cx - size - 8, cy], [x(s.last) + 8, cy]]);
    polyline(context, colors.line, [[cx, cy - size - 8], [cx, cy + size + 8]]);
    ring(context, cx, cy, size, colors.line, 1.5);
    for (const t of count(0, s.period - 1)) disk(context, cx + size * s.across(t), y(s.height(t)), 3, colors.line);
    const steps = count(0, 8 * s.last).map((i) => i / 8);
    for (const [wave, role, dash] of [[s.across, "value", [6, 4]], [s.height, "position", []]]) {
      const line = (all) => all.map((t) => [x(t), y(wave(t))]);
      polyline(context, colors.line, line(steps), { dash });
      polyline(context, colors[role], line([...steps.filter((t) => t < s.t), s.t]), { dash, thick: 2.5 });
      for (const t of count(0, Math.floor(s.t))) disk(context, x(t), y(wave(t)), 3, colors[role]);
    }
    polyline(context, colors.position, [tip, [x(s.t), tip[1]]], { dash: [2, 4], thick: 1.5 });
    polyline(context, colors.position, [[tip[0], cy], tip], { thick: 4 });
    polyline(context, colors.value, [[cx, cy], [tip[0], cy]], { thick: 4 });
    polyline(context, colors.text, [[cx, cy], tip], { thick: 3 });
    disk(context, ...tip, 9, colors.text);
    disk(context, x(s.t), y(s.across(s.t)), 5, colors.value);
    disk(context, x(s.t), tip[1], 5, colors.position);
    legend(colors, cy + size);
  }

  function legend(colors, low) {
    const at = { size: 12.5, align: "left" };
    const end = left + s.last * unit;
    write(context, "height: sine", Math.min(left, end - 204), 10, { ...at, bold: true, color: colors.position });
    write(context, "across: cosine", end, 10, { ...at, align: "right", bold: true, color: colors.value });
    for (const t of count(0, s.last / 4).map((i) => 4 * i))
      write(context, t, left + t * unit, low + 14, { size: 12, color: colors.muted });
    write(context, "position (tokens)", left + s.last * unit / 2, low + 34, { size: 12.5, color: colors.position });
  }
  const grip = (x, y) => (Math.hypot(x - tip[0], y - tip[1]) < REACH ? "tip" : null);
  return { canvas, draw, ...moving(model, canvas, "t", count(0, model.get("last")), indexAt, grip) };
}

function render({ model, el }) {
  const values = () => count(0, model.get("last"));
  const specs = [
    { kind: "range", key: "t", label: "position", values },
    { kind: "play", key: "t", label: "turn, token by token", ms: 600, values },
  ];
  return createWidget({ model, el }, {
    traits: ["t"], smooth: ["t"], specs, state: describe, words, spoken: words,
    pictures: [picture(model)], simple: { specs: specs.slice(1) } });
}

export default { render };
