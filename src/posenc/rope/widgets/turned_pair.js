// One plane: a query and a key that turn with their positions, and the score they make.
import { signed } from "../../kit/widgets/kit.js";
import { drawing, write } from "../../kit/widgets/canvas.js";
import { count, real, setAll, shell } from "../../kit/widgets/shell.js";
import { linePlot } from "../../kit/widgets/plot.js";

const TRAITS = ["m", "n", "degrees", "q_angle", "k_angle"], REACH = 12;

/** Angles of both arrows and their score, at every relative position. */
function planeState(model) {
  const [m, n, degrees, q, k] = TRAITS.map((key) => model.get(key));
  const [long, short] = model.get("lengths");
  const gap = (r) => k - q + r * degrees;
  const score = (r) => long * short * Math.cos(gap(r) * Math.PI / 180);
  const at = { q: q + m * degrees, k: k + n * degrees };
  const curve = count(-REACH, REACH).map(score);
  const shown = { q: at.q, k: at.k, score: score(n - m), curve };
  return { m, n, r: n - m, degrees, q, k, at, gap, score, curve, long, short, shown };
}

const round = (angle) => ((angle % 360) + 360) % 360;

function planeWords(s, choice) {
  if (choice)
    return `Relative position ${signed(choice.item)}: angle from q to k ` +
      `${round(s.gap(choice.item))}°, score ${real(s.score(choice.item))}.`;
  return `Query at ${s.m}, key at ${s.n}: relative position ${signed(s.r)}, ` +
    `angle from q to k ${round(s.gap(s.r))}°, score ${real(s.score(s.r))}.`;
}

function planeFacts(s) {
  return [
    ["q", `The query was turned by m · θ = ${s.m} · ${s.degrees}° = ${s.m * s.degrees}°.`, "query"],
    ["k", `The key was turned by n · θ = ${s.n} · ${s.degrees}° = ${s.n * s.degrees}°.`, "key"],
    ["▬", "The score is the thick shadow of k on the line of q, times the length of q. " +
      "It is negative where the shadow falls behind the origin.", "position"],
    ["↔", "“Move both” turns both arrows by one angle: the score stays."],
  ];
}

/** The plane as a picture; keys move the positions. */
function arrows(model) {
  const { canvas, context, begin } = drawing("Plane with a query and a key. Left and right " +
    "arrow keys move both positions, up and down the key alone.");
  let now = null;

  function hand(center, size, length, degrees, color, dash = []) {
    const angle = degrees * Math.PI / 180, tip = length * size;
    const end = [center + tip * Math.cos(angle), center - tip * Math.sin(angle)];
    context.strokeStyle = context.fillStyle = color;
    context.lineWidth = dash.length ? 1.5 : 3;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(center, center);
    context.lineTo(...end);
    context.stroke();
    context.setLineDash([]);
    if (dash.length) return end;
    context.beginPath();
    for (const [forth, side] of [[6, 0], [-9, 6], [-9, -6]])
      context.lineTo(end[0] + forth * Math.cos(angle) + side * Math.sin(angle),
        end[1] - forth * Math.sin(angle) + side * Math.cos(angle));
    context.fill();
    return end;
  }

  function letter(words, center, size, length, degrees, color) {
    const angle = degrees * Math.PI / 180, far = length * size + 17;
    write(context, words, center + far * Math.cos(angle), center - far * Math.sin(angle),
      { size: 15, bold: true, color });
  }

  function draw(s, { width, colors }) {
    now = s;
    const side = Math.min(width, 330), center = side / 2, size = side / 2 - 26;
    begin(side, side);
    context.fillStyle = colors.raised;
    context.strokeStyle = colors.line;
    context.lineWidth = 1;
    context.beginPath();
    context.arc(center, center, size, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
    context.beginPath();
    for (const [a, b] of [[[8, center], [side - 8, center]], [[center, 8], [center, side - 8]]]) {
      context.moveTo(...a);
      context.lineTo(...b);
    }
    context.stroke();
    drawShadow(s, center, size, colors);
    if (s.m) hand(center, size, s.long, s.q, colors.muted, [4, 3]);
    if (s.n) hand(center, size, s.short, s.k, colors.muted, [4, 3]);
    hand(center, size, s.long, s.at.q, colors.query);
    hand(center, size, s.short, s.at.k, colors.key);
    letter("q", center, size, s.long, s.at.q, colors.query);
    letter("k", center, size, s.short, s.at.k, colors.key);
  }

  function drawShadow(s, center, size, colors) {
    const angle = s.at.q * Math.PI / 180, far = s.score(s.r) / s.long * size;
    const foot = [center + far * Math.cos(angle), center - far * Math.sin(angle)];
    const key = s.at.k * Math.PI / 180, length = s.short * size;
    context.strokeStyle = colors.muted;
    context.lineWidth = 1.2;
    context.setLineDash([2, 3]);
    context.beginPath();
    context.moveTo(center + length * Math.cos(key), center - length * Math.sin(key));
    context.lineTo(...foot);
    context.stroke();
    context.setLineDash([]);
    context.strokeStyle = colors.position;
    context.lineWidth = 9;
    context.globalAlpha = 0.55;
    context.beginPath();
    context.moveTo(center, center);
    context.lineTo(...foot);
    context.stroke();
    context.globalAlpha = 1;
  }

  /** A key moves positions: the choice stays empty, the model changes. */
  function step(key) {
    const moves = { ArrowLeft: [-1, -1], ArrowRight: [1, 1], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (key === "") return null;
    if (!moves[key]) return undefined;
    moveBoth(model, now, ...moves[key]);
    return null;
  }
  return { kind: "plane", canvas, draw, at: () => null, step };
}

/** Moves both positions, if both stay on the ruler. */
function moveBoth(model, s, dm, dn) {
  const last = model.get("last_position"), [m, n] = [s.m + dm, s.n + dn];
  if (Math.min(m, n) < 0 || Math.max(m, n) > last) return;
  setAll(model, { m, n });
  model.save_changes();
}

function render({ model, el }) {
  const places = count(0, model.get("last_position")), turns = count(0, 23).map((i) => 15 * i);
  const degrees = (value) => `${value}°`, state = () => planeState(model);
  const specs = [
    { kind: "range", key: "m", label: "query at m", values: () => places },
    { kind: "range", key: "n", label: "key at n", values: () => places },
    { kind: "range", key: "degrees", label: "turn θ a token", text: degrees,
      values: () => model.get("speeds") },
    { kind: "range", key: "q_angle", label: "angle of q", values: () => turns, text: degrees },
    { kind: "range", key: "k_angle", label: "angle of k", values: () => turns, text: degrees },
    { kind: "button", label: "move both +1", press: () => moveBoth(model, state(), 1, 1) },
    { kind: "button", label: "move both −1", press: () => moveBoth(model, state(), -1, -1) },
    { kind: "button", label: "reset" },
  ];
  const curve = linePlot("Score against relative position. Arrow keys move along it.", "r",
    (s) => ({ first: -REACH, last: REACH, low: -1, high: 1, start: 0, mark: s.r,
      x: "relative position (key − query)", y: "score",
      series: [{ values: s.curve, role: "position", dots: true }] }), 330);
  const rows = (s) => s.curve.map((v, i) =>
    [signed(i - REACH), `${round(s.gap(i - REACH))}°`, real(v)]);
  return shell({ model, el }, {
    traits: TRAITS, specs, pictures: [arrows(model), curve], state: planeState,
    words: planeWords, facts: planeFacts,
    tables: [{ head: ["relative position", "angle from q to k", "score"], rows }],
  });
}

export default { render };
