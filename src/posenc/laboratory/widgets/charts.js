// A little chart for every encoding, all with one scale, and one length that all of them mark.
import { disk, drag, drawing, outline, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { ticksOf } from "../../kit/widgets/plot.js";

const LEFT = 30, GAP = 12, RIGHT = 6; // of the numbers of the axis, between charts, and at the end
const HEAD = 36, FOOT = 42, NARROW = 600;

/**
 * `plan(state)` gives { charts, ticks, labels, high, length, words }: a chart has `title`, `letter`, `role`, `words`
 * (and `short`, if they do not fit), `marked`, `runs`, and `behind`, the points of runs of others; a run
 * has `item`, `points` [length, value], `dash`, and `now`, its value at the length or null. Items are runs.
 * `put(length)` is told where the length is dragged, and where the arrow keys lead to.
 */
export function runCharts(label, kind, plan, put) {
  const { canvas, context, begin } = drawing(label);
  let p = null, boxes = [], last = null, held = -1, planned = null;
  const share = (n) => Math.log2(n / p.ticks[0]) / Math.log2(p.ticks.at(-1) / p.ticks[0]);
  const x = (box, n) => box.left + 7 + share(n) * (box.right - box.left - 20);
  const y = (box, v) => box.bottom - (v / p.high) * (box.bottom - box.top);

  function place(width) {
    const narrow = width < NARROW, across = narrow ? 2 : 4, high = narrow ? 54 : 66;
    const wide = (width - LEFT - RIGHT + GAP) / across - GAP;
    boxes = p.charts.map((_, i) => {
      const left = LEFT + (i % across) * (wide + GAP);
      const top = HEAD + Math.floor(i / across) * (HEAD + high + GAP);
      return { left, right: left + wide, top, bottom: top + high,
        first: i % across === 0, lowest: i + across >= p.charts.length };
    });
    return Math.max(...boxes.map(({ bottom }) => bottom)) + FOOT;
  }

  function draw(state, { width, colors, chosen }) {
    if (state !== planned) p = plan(planned = state); // pointing changes nothing of it
    begin(width, place(width));
    last = chosen?.split(" ").slice(0, 2).join(" ") ?? last;
    p.charts.forEach((chart, i) => drawChart(chart, boxes[i], chosen === null ? null : last, colors));
    write(context, p.words, width / 2, Math.max(...boxes.map(({ bottom }) => bottom)) + 32,
      { size: 13, color: colors.text });
  }

  function drawChart(chart, box, chosen, colors) {
    const color = colors[chart.role], at = { align: "left", color: colors.text };
    for (const v of ticksOf(0, p.high, false)) {
      polyline(context, v ? colors.raised : colors.line, [[box.left, y(box, v)], [box.right, y(box, v)]]);
      if (box.first) write(context, +v.toFixed(4), box.left - 5, y(box, v),
        { size: 11, align: "right", color: colors.muted });
    }
    const line = (points) => points.map(([n, v]) => [x(box, n), y(box, v)]);
    context.strokeStyle = colors.line;
    context.lineWidth = 0.8;
    context.beginPath(); // one path for all of them: they are many
    for (const points of chart.behind)
      line(points).forEach((point, i) => (i ? context.lineTo(...point) : context.moveTo(...point)));
    context.stroke();
    for (const { item, points, dash } of chart.runs) {
      if (points.length === 1) ring(context, ...line(points)[0], 3, color, 1.6);
      polyline(context, color, line(points), { dash, thick: item === chosen ? 3.5 : 1.6 });
    }
    polyline(context, colors.position, [[x(box, p.length), box.top - 3], [x(box, p.length), box.bottom]],
      { thick: 1.5 });
    disk(context, x(box, p.length), box.bottom, 4, colors.position);
    for (const { item, now } of chart.runs) if (now !== null) {
      disk(context, x(box, p.length), y(box, now), 3.2, color);
      if (item === chosen) ring(context, x(box, p.length), y(box, now), 8, colors.text);
    }
    if (chart.marked)
      outline(context, box.left - 3, box.top - 5, box.right - box.left + 6, box.bottom - box.top + 8, color,
        { thick: 1.5 });
    write(context, chart.letter, box.left + 6, box.top - 28, { size: 13, bold: true, color });
    write(context, chart.title, box.left + 18, box.top - 28, at);
    const fits = context.measureText(chart.words).width < box.right - box.left;
    write(context, fits ? chart.words : chart.short, box.left, box.top - 13, at);
    // Where the last two would run into each other, one is left out: not the chosen one.
    const narrow = box.right - box.left < 150;
    const hidden = narrow ? p.ticks.at(p.length === p.ticks.at(-2) ? -1 : -2) : null;
    if (box.lowest) for (const [i, n] of p.ticks.entries()) if (n !== hidden)
      write(context, p.labels[i], x(box, n), box.bottom + 14,
        { size: 11, bold: n === p.length, color: n === p.length ? colors.position : colors.muted });
  }

  const boxAt = (px, py) => boxes.findIndex(({ left, right, top, bottom }) =>
    px > left - GAP / 2 && px < right + GAP / 2 && py > top - HEAD && py < bottom + GAP);
  const lengthAt = (box, px) => p.ticks.reduce((a, b) =>
    (Math.abs(x(box, b) - px) < Math.abs(x(box, a) - px) ? b : a));

  drag(canvas, {
    start(px, py) {
      held = boxAt(px, py);
      if (held < 0) return null;
      put(lengthAt(boxes[held], px));
      return held;
    },
    move: (chart, px) => put(lengthAt(boxes[chart], px)),
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { held = -1; });

  /** The run whose line is nearest, in the chart there or that is dragged in. */
  function at(px, py) {
    const i = held < 0 ? boxAt(px, py) : held;
    if (i < 0) return null;
    const far = ({ points }) => Math.min(...points.flatMap((point, j) => {
      const [a, b] = [point, points[j + 1] ?? point].map(([n, v]) => [x(boxes[i], n), y(boxes[i], v)]);
      const t = Math.max(0, Math.min((px - a[0]) / (b[0] - a[0] || 1), 1));
      return Math.hypot(px - a[0] - t * (b[0] - a[0]), py - a[1] - t * (b[1] - a[1]));
    }));
    return p.charts[i].runs.reduce((a, b) => (far(b) < far(a) ? b : a)).item;
  }

  /** Up and down lead from run to run, left and right move the length. */
  function step(key, item, settled) {
    const runs = p.charts.flatMap((chart) => chart.runs.map((run) => run.item));
    const now = Math.max(0, runs.indexOf(item?.split(" ").slice(0, 2).join(" ") ?? last));
    const to = { "": 0, ArrowUp: -1, ArrowDown: 1 }[key];
    if (to !== undefined) return runs[Math.max(0, Math.min(now + to, runs.length - 1))];
    const length = p.ticks.indexOf(settled.length);
    const next = { ArrowLeft: length - 1, ArrowRight: length + 1, Home: 0, End: p.ticks.length - 1 }[key];
    if (next === undefined) return undefined;
    put(p.ticks[Math.max(0, Math.min(next, p.ticks.length - 1))]);
    return runs[now];
  }
  return { kind, canvas, draw, at, step };
}
