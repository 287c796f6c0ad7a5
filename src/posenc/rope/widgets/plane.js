// The planes of TurnedPair, with two arrows in each, and its text as a ruler.
import { disk, drag, drawing, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { signed } from "../../kit/widgets/controls.js";
import { count, real, setAll } from "../../kit/widgets/widget.js";

// The text of TurnedPair as a ruler with two markers, and what moves them.

/** Moves both positions, if both stay in the text. */
export function moveBoth(model, dm, dn) {
  const last = model.get("last_position");
  const [m, n] = [model.get("m") + dm, model.get("n") + dn];
  if (Math.min(m, n) < 0 || Math.max(m, n) > last) return;
  setAll(model, { m, n });
  model.save_changes();
}

/** Arrow keys move positions: nothing is chosen, the model changes. */
const keys = (model) => (key) => {
  const moves = { ArrowLeft: [-1, -1], ArrowRight: [1, 1], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  if (key === "") return null;
  if (!moves[key]) return undefined;
  moveBoth(model, ...moves[key]);
  return null;
};

/**
 * The text as a ruler: markers of q and k are dragged along it, the bracket between them
 * moves both, and how far k is from q stands on it.
 */
export function ruler(model) {
  const last = model.get("last_position"), SIDE = 18, HIGH = 78, LINE = 50;
  const { canvas, context, begin } = drawing("The text as a ruler with the positions of q and k, " +
    "which can be dragged. Left and right arrow keys move both, up and down the key alone.");
  let now = null, unit = 1;
  const x = (position) => SIDE + position * unit;

  function grip(px, py) {
    const near = (position) => Math.abs(px - x(position)) < 16;
    if (py > LINE - 14 && near(now.n) && (now.n !== now.m || py < LINE)) return "n";
    if (py > LINE - 14 && near(now.m)) return "m";
    const between = (px - x(now.m)) * (px - x(now.n)) < 0;
    return between || near(now.m) || near(now.n) ? { both: px / unit - model.get("m") } : null;
  }

  drag(canvas, { hold: true, start: grip, move: (held, px) => {
    const place = Math.max(0, Math.min(Math.round((px - SIDE) / unit), last));
    if (held.both === undefined) model.set(held, place);
    else {
      const [low, high] = [model.get("m"), model.get("n")].sort((a, b) => a - b);
      const wanted = Math.round(px / unit - held.both) - model.get("m");
      const by = Math.max(-low, Math.min(wanted, last - high));
      return moveBoth(model, by, by);
    }
    model.save_changes();
  } });

  function marker(letter, position, fill, color) {
    disk(context, x(position), LINE, 9, fill);
    write(context, letter, x(position), LINE, { size: 12, bold: true, color });
  }

  function draw(s, { width, colors }) {
    now = s;
    unit = (width - 2 * SIDE) / last;
    begin(width, HIGH);
    polyline(context, colors.line, [[x(0), LINE], [x(last), LINE]]);
    for (const p of count(0, last)) {
      disk(context, x(p), LINE, 2, colors.muted);
      if (p % 4 === 0) write(context, String(p), x(p), HIGH - 8, { color: colors.muted });
    }
    const [left, right] = [x(Math.min(s.m, s.n)), x(Math.max(s.m, s.n))], high = 26;
    polyline(context, colors.position,
      [[left, LINE - 12], [left, high], [right, high], [right, LINE - 12]], { thick: 2 });
    const words = `key − query = ${signed(Math.round(s.r))}`;
    const room = 62, middle = Math.max(room, Math.min((left + right) / 2, width - room));
    write(context, words, middle, 12, { size: 13, bold: true, color: colors.position });
    marker("q", s.m, colors.query, colors.surface);
    marker("k", s.n, colors.key, colors.surface);
  }
  return { kind: "ruler", canvas, draw, across: true, at: () => null, step: keys(model) };
}

// Where the planes of TurnedPair stand, and how their parts add up.

const HEAD = 16; // height of the words above each of several planes
const ROW = 18, LABEL = 54, GAP = 12; // of the bars below them

const mix = (from, to, t) => from + t * (to - from);
const part = (x) => Math.max(0, Math.min(x, 1));

/**
 * Places of the planes: one alone, or two or four beside and below each other, and what is
 * between. All are of one size, and the bars of their parts are as long as their shadows.
 */
function placesOf({ planes, dials }, width, model) {
  const open = part(planes - 1), below = part(planes - 2);
  const alone = Math.min(width, model.get("simple") ? 270 : 330);
  const reach = model.get("further").reduce((sum, { short }) => sum + short, model.get("lengths")[1]);
  const side = Math.min(width / 2, 170), high = side + HEAD;
  const unit = Math.min(side / 2 - 20, (width - LABEL - 4) / (2 * reach));
  const size = mix(alone / 2 - 26, unit, open), half = mix(alone / 2, side / 2, open);
  const look = { size, half, edge: mix(18, 8, open), away: mix(17, 12, open) };
  const middle = mix(alone / 2, side / 2, open), top = mix(alone / 2, HEAD + side / 2, open);
  const bars = mix(alone, high, open) + below * high + GAP;
  return {
    open, unit: size, reach, bars, zero: LABEL + reach * unit, letters: mix(15, 13, open),
    width: mix(alone, Math.min(width, Math.max(2 * side, LABEL + 2 * reach * unit + 4)), open),
    height: mix(alone, bars + (planes + 1) * ROW + 4, open),
    dials: dials.map(({ weight }, i) => ({ ...look,
      x: mix(middle, (i % 2 + 0.5) * side, i ? weight : 0),
      y: top + (i > 1 ? weight * high : 0) })),
  };
}

/** A bar for the part of each plane, one after another, and below them one for the sum. */
function drawParts(context, s, { bars, zero, unit }, colors) {
  const alpha = context.globalAlpha, parts = s.parts(s.r), total = s.score(s.r);
  const y = (row) => bars + (row + 0.5) * ROW, x = (value) => zero + value * unit;
  polyline(context, colors.line, [[zero, bars], [zero, y(s.planes) + ROW / 2]]);
  let end = 0;
  parts.forEach((value, i) => {
    context.globalAlpha = alpha * s.dials[i].weight;
    write(context, `plane ${i}`, 0, y(i), { align: "left", color: colors.text });
    polyline(context, colors.muted, [[x(end + value), y(i)], [x(end + value), y(i + 1)]], { dash: [2, 2] });
    context.globalAlpha *= 0.55;
    polyline(context, colors.position, [[x(end), y(i)], [x(end + value), y(i)]], { thick: 9 });
    end += value;
  });
  context.globalAlpha = alpha;
  const sum = { bold: true, color: colors.position };
  polyline(context, colors.position, [[zero, y(s.planes)], [x(total), y(s.planes)]], { thick: 11 });
  write(context, "sum", 0, y(s.planes), { ...sum, align: "left" });
  write(context, real(total), total < 0 ? zero + 6 : zero - 6, y(s.planes),
    { ...sum, size: 13, align: total < 0 ? "left" : "right" });
}

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
