// Lines of several runs, each with a letter near its end, all in one box.
import { disk, drawing, polyline, ring, UP, write } from "../../kit/widgets/canvas.js";
import { ticksOf } from "../../kit/widgets/plot.js";

const BOX = { left: 46, right: 12, top: 14, bottom: 40 }; // margins

/**
 * `plan(state)` gives { x: { words, ticks, low, high }, y: { words, low, high }, lines }.
 * A line has `item` (its name), `role`, `letter`, `points` [x, y] in order, `dash` and `faint`.
 * Items are "name seed index" of a point of a line that is not faint; of a chosen name, none is.
 */
export function runsPlot(label, kind, plan, height = 240) {
  const { canvas, context, begin } = drawing(label);
  let p = null, box = null, spots = [], letters = [];
  const share = ({ low, high }, v) => (v - low) / (high - low);
  const x = (v) => box.left + share(p.x, v) * (box.right - box.left);
  const y = (v) => box.bottom - share(p.y, v) * (box.bottom - box.top);

  function draw(state, { width, colors, chosen }) {
    p = plan(state);
    const last = chosen?.split(" ")[0];
    for (const line of p.lines) line.faint &&= !line.item.startsWith(last + " ");
    begin(width, height);
    box = { left: BOX.left, right: width - BOX.right, top: BOX.top,
      bottom: height - BOX.bottom };
    [spots, letters] = [[], []];
    drawFrame(colors);
    const order = (line) => (line.faint ? 0 : line.item.startsWith(last + " ") ? 2 : 1);
    for (const line of [...p.lines].sort((a, b) => order(a) - order(b)))
      drawLine(line, colors, order(line) === 2);
    const spot = spots.find(({ item }) => item === chosen);
    if (spot) ring(context, spot.x, spot.y, 11, colors.text);
  }

  function drawLine({ item, role, letter, points, faint, dash }, colors, strong) {
    const at = points.map(([a, b]) => [x(a), y(b)]);
    const thick = faint ? 0.6 : strong ? 3 : 1.6;
    polyline(context, faint ? colors.line : colors[role], at, { thick, dash });
    if (faint) return;
    at.forEach(([a, b], i) => spots.push({ item: `${item} ${i}`, x: a, y: b }));
    // At the last point where no other letter stands.
    const [a, b] = at.findLast((point) => letters.every((other) =>
      Math.hypot(point[0] - other[0], point[1] - other[1]) > 15)) ?? at.at(-1);
    letters.push([a, b]);
    disk(context, a, b, 7, colors.surface);
    write(context, letter, a, b + 0.5, { size: 12, bold: true, color: colors[role] });
  }

  function drawFrame(colors) {
    for (const v of ticksOf(p.y.low, p.y.high, false)) {
      polyline(context, colors.raised, [[box.left, y(v)], [box.right, y(v)]]);
      write(context, +v.toFixed(4), box.left - 8, y(v),
        { size: 11, align: "right", color: colors.muted });
    }
    polyline(context, colors.line, [[box.left, box.bottom], [box.right, box.bottom]]);
    for (const v of p.x.ticks)
      write(context, v, x(v), box.bottom + 12, { size: 11, color: colors.muted });
    write(context, p.x.words, (box.left + box.right) / 2, box.bottom + 30,
      { size: 13, color: colors.text });
    write(context, p.y.words, 8, box.top,
      { size: 13, align: "right", turn: UP, color: colors.text });
  }

  function at(px, py) {
    const far = ({ x: a, y: b }) => (a - px) ** 2 + (b - py) ** 2;
    const near = [...spots].sort((a, b) => far(a) - far(b))[0];
    return near && far(near) < 30 ** 2 ? near.item : null;
  }

  /** Left and right go along a line, up and down to the next line. */
  function step(key, item) {
    const lines = p.lines.filter((line) => !line.faint && line.points.length);
    if (!lines.length) return null;
    const [name, seed, index = 0] = item ? item.split(" ") : [];
    const now = lines.findIndex((line) => line.item === `${name} ${seed}`);
    if (key === "" || now < 0) return key === "" || key.startsWith("Arrow")
      ? `${lines[0].item} 0` : undefined;
    const end = (line) => line.points.length - 1;
    const to = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
      Home: [0, -Infinity], End: [0, Infinity] }[key];
    if (!to) return undefined;
    const line = lines[Math.max(0, Math.min(now + to[0], lines.length - 1))];
    return `${line.item} ${Math.max(0, Math.min(+index + to[1], end(line)))}`;
  }
  return { kind, canvas, draw, at, step };
}
