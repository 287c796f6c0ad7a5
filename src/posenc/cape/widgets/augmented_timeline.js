// The widget of the chapter on CAPE: tokens moved along the time line, and one sine of them.
import { disk, drawing, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { count, createWidget, moving, real, walk } from "../../kit/widgets/widget.js";

// New places of the tokens, and the sentences about them. All random numbers come from
// Python, between −1 and 1; here they are scaled and added.
const TRAITS = ["tokens", "max_global_shift", "max_local_shift", "max_scale", "draw",
  "pair"];

/** All that is shown. */
function describe(model) {
  const [tokens, max_global_shift, max_local_shift, max_scale, draw, pair] =
    TRAITS.map((key) => model.get(key));
  const drawn = model.get("draws")[draw], theta = model.get("choices").thetas[pair];
  const shift = max_global_shift * drawn.shift, scale = max_scale ** drawn.scale;
  const jitter = drawn.jitter.slice(0, tokens).map((unit) => max_local_shift * unit);
  const before = jitter.map((_, i) => i - (tokens - 1) / 2);
  const after = before.map((p, i) => scale * (p + shift + jitter[i]));
  const crossed = pairsOf(tokens).filter(([i, j]) => after[i] > after[j]);
  const gaps = after.slice(1).map((p, i) => p - after[i]);
  const edge = 0.8 + Math.max(...[...before, ...after].map(Math.abs));
  const sine = after.map((p) => Math.sin(theta * p));
  return { tokens, max_local_shift, draw, shift, scale, jitter, before, after, crossed, gaps,
    edge, theta, sine, shown: { before, after, crossed, sine, shift, scale } };
}

const pairsOf = (n) => Array.from({ length: n }, (_, i) => i)
  .flatMap((i) => Array.from({ length: n - 1 - i }, (_, k) => [i, i + 1 + k]));

const pairs = (n) => (n === 1 ? "1 pair of tokens has" : `${n} pairs of tokens have`);

function facts(s) {
  const low = Math.min(...s.gaps), high = Math.max(...s.gaps), n = s.crossed.length;
  const kept = s.max_local_shift <= 0.5
    ? "No pair has changed its order: with jitters up to half a step, none can."
    : "No pair has changed its order in this draw, though such jitters could do it.";
  const lost = `${pairs(n)} changed their order (×): ` +
    `${s.crossed.slice(0, 4).map(([i, j]) => `${i} and ${j}`).join(", ")}${n > 4 ? ", …" : ""}.`;
  return [
    ["Δ", `The shift is ${real(s.shift)}: all tokens move alike, and their distances stay.`,
      "position"],
    ["ε", `The jitters run from ${real(Math.min(...s.jitter))} to ` +
      `${real(Math.max(...s.jitter))}: one for each token.`, "position"],
    ["λ", `Then everything is multiplied by ${real(s.scale, 3)}: ` +
      (s.scale === 1 ? "it stays." : `${s.scale > 1 ? "away from" : "toward"} 0.`),
      "position"],
    ["×", n ? lost : kept, n ? "key" : "text"],
    ["↔", `Neighbors were 1 apart. Now it is ${real(low)} to ${real(high)}` +
      `${low < 0 ? "; a minus means that they have swapped" : ""}.`],
  ];
}

function words(s, choice) {
  if (!choice) return `Draw ${s.draw}; pale: token ${s.followed} in all draws. Point at a token, tap it, ` +
    "or press arrow keys in a focused picture.";
  const i = choice.item, mates = s.crossed.filter((pair) => pair.includes(i));
  const swapped = mates.map(([a, b]) => (a === i ? b : a)).join(", ");
  return `token ${i}: (${real(s.before[i])} + shift ${real(s.shift)} + jitter ` +
    `${real(s.jitter[i])}) × ${real(s.scale, 3)} = ${real(s.after[i])}, sine ` +
    `${real(s.sine[i])}` + (mates.length ? `; has swapped with ${swapped}` : "");
}

/** Rows of the text table: token, before, jitter, after, sine. */
const textRows = (s) => s.before.map((p, i) =>
  [i, real(p, 1), real(s.jitter[i], 3), real(s.after[i], 3), real(s.sine[i], 3)]);

// Picture of the time line: tokens above and below, lines between them, crossings marked.
const SIDE = 14; // margin left and right, of both pictures

/** Ticks of the position axis: whole numbers, not too many. */
function positionTicks(context, colors, s, x, y) {
  const every = [1, 2, 5, 10, 20].find((n) => (x(n) - x(0)) >= 30);
  for (let p = -Math.floor(s.edge / every) * every; p <= s.edge; p += every)
    write(context, String(p).replace("-", "−"), x(p), y, { size: 11, color: colors.muted });
}

function timeLine(label) {
  const { canvas, context, begin } = drawing(label);
  const height = 250, above = 46, below = 180;
  let s = null, x = null;

  function draw(state, { width, colors, chosen }) {
    s = state;
    begin(width, height);
    x = (p) => width / 2 + (p / s.edge) * (width / 2 - SIDE);
    for (const y of [above, below])
      polyline(context, colors.line, [[SIDE, y], [width - SIDE, y]]);
    // outside the lines, where no token and no way from token to token can cross a word
    for (const [y, name] of [[above - 30, "before"], [height - 12, "after"]])
      write(context, name, SIDE, y, { size: 13, align: "left", color: colors.text });
    polyline(context, colors.line, [[x(0), above - 16], [x(0), below + 16]], { dash: [3, 3] });
    const crossed = new Set(s.crossed.flat());
    s.before.forEach((p, i) => polyline(context, crossed.has(i) ? colors.key : colors.line,
      [[x(p), above], [x(s.after[i]), below]], { thick: i === chosen ? 3 : 1.3 }));
    s.crossed.forEach(([i, j]) => cross(i, j, colors.key));
    const radius = Math.max(4, Math.min(11, 0.42 * (x(1) - x(0))));
    context.globalAlpha = 0.3; // one token in all draws
    for (const after of s.ghosts)
      disk(context, x(after[chosen ?? s.followed]), below, radius, colors.position);
    context.globalAlpha = 1;
    for (const [places, y, role] of [[s.before, above, "text"], [s.after, below, "position"]])
      places.forEach((p, i) => {
        const isCovered = places.slice(i + 1).some((q) => Math.abs(x(q) - x(p)) < radius + 4);
        token(x(p), y, isCovered ? "" : i, radius, colors[role], i === chosen, colors);
      });
    positionTicks(context, colors, s, x, below + 26);
    write(context, "position", width / 2, height - 12, { size: 13, color: colors.position });
  }

  function cross(i, j, color) {
    const wide = s.before[j] - s.before[i], t = wide / (wide + s.after[i] - s.after[j]);
    const p = s.before[i] + t * (s.after[i] - s.before[i]);
    write(context, "×", x(p), above + t * (below - above), { size: 20, bold: true, color });
  }

  function token(cx, cy, i, radius, color, bold, colors) {
    const grown = radius + (bold ? 2 : 0);
    disk(context, cx, cy, grown, color);
    ring(context, cx, cy, grown, bold ? colors.query : colors.surface, bold ? 3 : 1);
    if (radius >= 8) write(context, i, cx, cy + 0.5, { size: 11, color: colors.surface });
    else if (bold) write(context, i, cx, cy - 14, { size: 12, bold: true, color: colors.text });
  }

  function at(px, py) {
    if (!s) return null;
    const places = py < (above + below) / 2 ? s.before : s.after;
    const away = places.map((p) => Math.abs(x(p) - px)), near = Math.min(...away);
    return near < 24 ? away.indexOf(near) : null;
  }
  const step = (key, item) => walk(key, item, 0, s.tokens - 1, 0);
  return { kind: "token", canvas, draw, at, step };
}

// Picture of what one feature sees: a sine, and the tokens on it before and after.
function wavePicture(label) {
  const { canvas, context, begin } = drawing(label);
  const height = 250, top = 58, bottom = 190;
  let s = null, x = null;
  const y = (v) => (top + bottom) / 2 - v * (bottom - top) / 2;

  function draw(state, { width, colors, chosen }) {
    s = state;
    begin(width, height);
    x = (p) => width / 2 + (p / s.edge) * (width / 2 - SIDE);
    const curve = Array.from({ length: 241 }, (_, i) => s.edge * (i / 120 - 1));
    polyline(context, colors.line, curve.map((p) => [x(p), y(Math.sin(s.theta * p))]),
      { thick: 1.5 });
    polyline(context, colors.line, [[x(0), top - 8], [x(0), bottom + 8]], { dash: [3, 3] });
    s.before.forEach((p, i) => before(x(p), y(Math.sin(s.theta * p)), i === chosen, colors));
    s.after.forEach((p, i) => after(x(p), y(s.sine[i]), i === chosen, colors));
    before(SIDE + 6, 14, false, colors);
    write(context, "before", SIDE + 18, 14, { size: 13, align: "left", color: colors.text });
    after(SIDE + 86, 14, false, colors);
    write(context, "after", SIDE + 98, 14, { size: 13, align: "left", color: colors.text });
    write(context, "sine of one pair", width - SIDE, 14,
      { size: 13, align: "right", color: colors.text });
    positionTicks(context, colors, s, x, bottom + 18);
    write(context, "position", width / 2, height - 12, { size: 13, color: colors.position });
  }

  const before = (cx, cy, bold, colors) =>
    ring(context, cx, cy, bold ? 8 : 5.5, colors.text, bold ? 2.5 : 1.3);
  const after = (cx, cy, bold, colors) => disk(context, cx, cy, bold ? 7 : 4, colors.position);

  function at(px) {
    if (!s) return null;
    const away = s.after.map((p) => Math.abs(x(p) - px)), near = Math.min(...away);
    return near < 24 ? away.indexOf(near) : null;
  }
  const step = (key, item) => walk(key, item, 0, s.tokens - 1, 0);
  return { kind: "token", canvas, draw, at, step };
}

/** A draw and where the others take the tokens; on the way from one to the next, they are on theirs. */
function between(model) {
  const draw = model.get("draw"), whole = Math.floor(draw), part = draw - whole;
  const at = (n) => describe({ get: (key) => (key === "draw" ? n : model.get(key)) });
  const all = model.get("draws").map((_, n) => at(n)), s = all[whole];
  s.edge = Math.max(...all.map(({ edge }) => edge)); // or the axis would jump
  s.ghosts = all.map(({ after }) => after);
  s.followed = Math.floor(s.tokens / 2);
  if (!part) return s;
  const after = s.after.map((p, i) => p + part * (s.ghosts[whole + 1][i] - p));
  return { ...s, after, sine: after.map((p) => Math.sin(s.theta * p)), crossed: [] };
}

const openingWords = (s) =>
  `Draw ${s.draw}: shift ${real(s.shift)}, jitters up to ${real(s.max_local_shift)}, ` +
  `scale ${real(s.scale)}. The order ${s.crossed.length ? "has changed" : "is kept"}. Pale: ` +
  `token ${s.followed} in all draws.`;

/** The time line of the opening: dragged from draw to draw. */
function draggedLine(model, draws) {
  const { canvas, draw } = timeLine("Tokens before and after a draw. Drag to the side or press " +
    "arrow keys for another draw.");
  return { canvas, draw, ...moving(model, canvas, "draw", count(0, draws - 1),
    (x) => (x / canvas.clientWidth) * draws - 0.5) };
}

function render({ model, el }) {
  const choices = model.get("choices"), draws = model.get("draws").length;
  const maximum = (key, label) => ({ kind: "range", key, label, values: () => choices[key] });
  const again = () => model.set("draw", (model.get("draw") + 1) % draws);
  const quiet = { max_global_shift: 0, max_local_shift: 0, max_scale: 1 };
  const pairs = choices.thetas.map((theta, i) => [i, `${theta.toPrecision(3)} rad per token`]);
  const specs = [
    maximum("max_global_shift", "max. shift"),
    maximum("max_local_shift", "max. jitter"),
    maximum("max_scale", "max. scale"),
    { kind: "range", key: "tokens", label: "tokens", values: () => count(4, choices.most_tokens) },
    { kind: "select", key: "pair", label: "sine of", options: pairs },
    { kind: "button", label: "draw again", press: again },
    { kind: "button", label: "no noise", set: quiet },
    { kind: "button", label: "reset" },
  ];
  const pictures = [
    timeLine("Tokens before and after, with lines from each to its new place. Arrow keys move " +
      "from token to token."),
    wavePicture("A sine of the position, with the tokens on it before and after. Arrow keys " +
      "move from token to token."),
  ];
  const head = ["token", "before", "jitter", "after", "sine"];
  const smooth = ["draw", "max_global_shift", "max_local_shift", "max_scale"];
  return createWidget({ model, el }, {
    traits: TRAITS, specs, pictures, state: between, smooth, words, facts,
    tables: [{ head, rows: textRows }], links: { draw: (n) => count(0, draws - 1).includes(n) },
    simple: { pictures: [draggedLine(model, draws)], words: openingWords,
      specs: [{ kind: "play", key: "draw", label: "draw again and again", ms: 1200, way: 700,
        values: () => count(0, draws - 1) }] } });
}

export default { render };
