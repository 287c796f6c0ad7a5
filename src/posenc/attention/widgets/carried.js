// Words that take their outputs along: the sentence as it is written, and in another order.
import { drag, drawing, outline, polyline, write } from "../../kit/widgets/canvas.js";
import { passage } from "../../kit/widgets/motion.js";
import { movedTo } from "./words.js";

const HIGH = 30, CELL = 26, ABOVE = 12, BELOW = 190, HEIGHT = 270, SIDE = 8;

/** What is the same, and what is not. */
export function carryWords(s) {
  const order = s.order.map((n) => s.names[n]).join(" ");
  if (!s.moved) return `“${order}”: each word with its output, four numbers shown as colors.`;
  return s.kept.every(Boolean) ? `“${order}”: other places, but each word keeps its four numbers (the colors).`
    : `“${order}”: some outputs have changed.`;
}

/** Above the words as written, below in their order; those below can be dragged. */
export function carried(model, shade, limit) {
  const { canvas, context, begin } = drawing("The sentence twice, with the output of each word. " +
    "Words below can be dragged. Left and right arrow keys move a word, up and down choose it.");
  let now = null, frame = null, places = [], held = 0;
  const way = passage(canvas, (values) => { places = values; paint(); });
  const wide = () => (frame.width - 2 * SIDE) / now.length;
  const center = (place) => SIDE + (place + 0.5) * wide();
  const put = (order) => { model.set("order", order); model.save_changes(); };

  function card(n, x, top, output, look) {
    const { colors } = frame, half = Math.min(0.42 * wide(), 66), cell = 2 * half / output.length;
    context.fillStyle = colors.raised;
    context.fillRect(x - half, top, 2 * half, HIGH);
    outline(context, x - half, top, 2 * half, HIGH, look, { thick: look === colors.line ? 1 : 2 });
    write(context, now.names[n], x, top + HIGH / 2, { size: 15, bold: true, color: colors.text });
    output.forEach((value, c) => {
      const { fill, ink } = shade((value / limit + 1) / 2), left = x - half + c * cell;
      context.fillStyle = fill;
      context.fillRect(left, top + HIGH + 3, cell - 1, CELL);
      if (cell >= 24) write(context, value.toFixed(1).replace("-", "−"), left + cell / 2 - 0.5, top + HIGH + 3 + CELL / 2,
        { size: 11, color: ink });
    });
  }

  function paint() {
    const { width, colors } = frame, low = ABOVE + HIGH + CELL + 8;
    begin(width, HEIGHT);
    now.names.forEach((_, n) => {
      const kept = now.kept[now.placeOf(n)];
      polyline(context, colors.value, [[center(n), low], [center(places[n]), BELOW - 5]],
        { thick: kept ? 3 : 1.5, dash: kept ? [] : [4, 4] });
    });
    now.names.forEach((_, n) => card(n, center(n), ABOVE, now.before.outputs[n], colors.line));
    for (const n of [...now.order.filter((word) => word !== held), held])
      card(n, center(places[n]), BELOW, now.after.outputs[now.placeOf(n)],
        n === held ? colors.query : colors.line);
  }

  function draw(s, given) {
    [now, frame] = [s, given];
    held = Math.min(held, s.length - 1);
    if (places.length !== s.length) places = s.names.map((_, n) => n);
    way.to(s.names.map((_, n) => s.placeOf(n)), 450);
    paint();
    return HEIGHT;
  }

  const wordAt = (x, y) => (y < BELOW - 12 ? null
    : now.order[Math.max(0, Math.min(Math.floor((x - SIDE) / wide()), now.length - 1))]);
  drag(canvas, {
    start(x, y) { const word = wordAt(x, y); if (word !== null) { held = word; paint(); } return word; },
    move(word, x) {
      const from = now.placeOf(word), place = (x - SIDE) / wide() - 0.5;
      const to = Math.max(0, Math.min(Math.round(place), now.length - 1));
      if (to !== from && Math.abs(place - from) > 0.6) put(movedTo(now.order, from, to));
    },
  });
  function step(key) {
    const from = now.placeOf(held), by = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const other = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (other) { held = (held + other + now.length) % now.length; paint(); return null; }
    if (!by) return undefined;
    const to = Math.max(0, Math.min(from + by, now.length - 1));
    return to === from ? null : movedTo(now.order, from, to);
  }
  return { canvas, draw, step, move: put, now: () => null };
}
