// The planes of TurnedPair: two arrows that turn in each, and the shadow of one on the other.
import { drag, drawing, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { keys } from "./ruler.js";
import { drawParts, HEAD, placesOf } from "./planes.js";

/** An angle in degrees from 0 on, below 360. */
export const turned = (angle) => ((angle % 360) + 360) % 360;

/** The planes as a picture: arrows of the first are dragged, keys move the positions. */
export function arrows(model) {
  const { canvas, context, begin } = drawing("Plane with a query and a key, which can be dragged. Left " +
    "and right arrow keys move both positions, up and down the key alone.");
  let now = null, places = null;

  /** Where an arrow of a dial ends. */
  function tipOf({ x, y, size }, length, degrees, more = 0) {
    const angle = degrees * Math.PI / 180, far = length * size + more;
    return [x + far * Math.cos(angle), y - far * Math.sin(angle)];
  }

  /** The arrow whose tip is near: "q", "k" or null. */
  function grip(x, y) {
    const { long, short, at } = now.dials[0], [place] = places.dials;
    const far = ([a, b]) => Math.hypot(x - a, y - b);
    const [q, k] = [far(tipOf(place, long, at.q)), far(tipOf(place, short, at.k))];
    return Math.min(q, k) > 28 ? null : q < k ? "q" : "k";
  }

  drag(canvas, { hold: true, start: grip, move: (arrow, px, py) => {
    const { x, y } = places.dials[0];
    const degrees = Math.atan2(y - py, px - x) * 180 / Math.PI;
    const start = degrees - (now.at[arrow] - now[arrow]); // before it was turned
    model.set(`${arrow}_angle`, turned(15 * Math.round(start / 15)));
    model.save_changes();
  } });

  function hand(place, length, degrees, color, dash = []) {
    const angle = degrees * Math.PI / 180, end = tipOf(place, length, degrees);
    polyline(context, color, [[place.x, place.y], end], { dash, thick: dash.length ? 1.5 : 3 });
    if (dash.length) return;
    context.fillStyle = color;
    context.beginPath();
    for (const [forth, side] of [[6, 0], [-9, 6], [-9, -6]])
      context.lineTo(end[0] + forth * Math.cos(angle) + side * Math.sin(angle),
        end[1] - forth * Math.sin(angle) + side * Math.cos(angle));
    context.fill();
  }

  function draw(s, { width, colors }) {
    now = s;
    places = placesOf(s, width, model);
    begin(places.width, places.height);
    // The first plane comes last, so that the others come out from behind it.
    for (let i = s.dials.length - 1; i >= 0; i--) drawDial(s, i, colors);
    context.globalAlpha = places.open;
    if (places.open) drawParts(context, s, places, colors);
    context.globalAlpha = 1;
  }

  function drawDial(s, i, colors) {
    const { weight, speed, long, short, q, k, at } = s.dials[i], place = places.dials[i];
    const { x, y, size, edge } = place;
    context.globalAlpha = Math.min(1, weight);
    context.fillStyle = colors.raised;
    context.beginPath();
    context.arc(x, y, size, 0, 2 * Math.PI);
    context.fill();
    ring(context, x, y, size, colors.line, 1);
    polyline(context, colors.line, [[x - size - edge, y], [x + size + edge, y]]);
    polyline(context, colors.line, [[x, y - size - edge], [x, y + size + edge]]);
    drawShadow(s.dials[i], place, s.r, colors);
    if (s.m) hand(place, long, q, colors.muted, [4, 3]);
    if (s.n) hand(place, short, k, colors.muted, [4, 3]);
    hand(place, long, at.q, colors.query);
    hand(place, short, at.k, colors.key);
    if (model.get("simple")) drawAngle(at, place, turned(Math.round(at.k - at.q)), colors);
    const bold = { size: places.letters, bold: true };
    write(context, "q", ...tipOf(place, long, at.q, place.away), { ...bold, color: colors.query });
    write(context, "k", ...tipOf(place, short, at.k, place.away), { ...bold, color: colors.key });
    context.globalAlpha = i ? weight : places.open;
    if (places.open) write(context, `plane ${i}: ${+speed.toFixed(3)}° a token`, x,
      y - place.half - HEAD / 2, { color: colors.text });
    context.globalAlpha = 1;
  }

  /** The angle from q to k, as an arc with its degrees. */
  function drawAngle({ q }, { x, y, size }, angle, colors) {
    const [from, to] = [-q, -q - angle].map((degrees) => degrees * Math.PI / 180), radius = 0.3 * size;
    context.beginPath();
    context.arc(x, y, radius, from, to, true);
    context.strokeStyle = colors.text;
    context.lineWidth = 1.5;
    context.stroke();
    const middle = (from + to) / 2, away = radius + 18;
    write(context, `${angle}°`, x + away * Math.cos(middle), y + away * Math.sin(middle),
      { size: 13, color: colors.text, halo: colors.raised });
  }

  function drawShadow({ long, short, weight, score, at }, place, r, colors) {
    const foot = tipOf(place, score(r) / (weight * long), at.q), alpha = context.globalAlpha;
    polyline(context, colors.muted, [tipOf(place, short, at.k), foot], { dash: [2, 3], thick: 1.2 });
    context.globalAlpha = 0.55 * alpha;
    polyline(context, colors.position, [[place.x, place.y], foot], { thick: 9 });
    context.globalAlpha = alpha;
  }

  return { kind: "plane", canvas, draw, at: () => null, step: keys(model) };
}
