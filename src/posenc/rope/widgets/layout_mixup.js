// Two orders of the features, the way between them, and scores with the wrong one.
import { signed } from "../../kit/widgets/controls.js";
import { drawing, write } from "../../kit/widgets/canvas.js";
import { createWidget, real, walk } from "../../kit/widgets/widget.js";
import { linePlot } from "../../kit/widgets/plot.js";

const TRAITS = ["head_dim", "trained", "runs", "permuted"];
const ROLES = ["query", "key", "value", "position"];
const TOP = 44, LOADED = 142; // heights of the two rows

function layoutState(model) {
  const [d, trained, runs, permuted] = TRAITS.map((key) => model.get(key));
  const scores = model.get("scores");
  const meant = scores[`${d},${trained},${trained},false`];
  const got = scores[`${d},${trained},${runs},${permuted}`];
  const order = model.get("orders")[`${d},${trained},${permuted ? runs : trained}`];
  const miss = Math.max(...got.map((v, i) => Math.abs(v - meant[i])));
  // Which feature of the training stands at each place: its plane, and x or y.
  const name = (f) => (trained === "interleaved" ? [f >> 1, f % 2] : [f % (d / 2), +(f >= d / 2)]);
  const places = order.map((f) => name(f));
  const partner = (p) => (runs === "interleaved" ? p ^ 1 : (p + d / 2) % d);
  const pairs = order.map((_, p) => [p, partner(p)]).filter(([p, q]) => p < q);
  const boxes = order.map((from, p) => ({ from, to: p })); // where each feature is, and comes
  return { d, trained, runs, permuted, meant, got, order, places, partner, boxes, pairs, arcs: pairs, miss,
    reach: (got.length - 1) / 2,
    shown: { order, meant, got, partners: order.map((_, p) => partner(p)) } };
}

/** On the way: features slide to their places, and arcs from pair to pair. */
function mix(from, to, t) {
  if (from.d !== to.d) return to;
  const pass = (a, b) => a + t * (b - a);
  const old = (place) => from.boxes[from.places.findIndex((one) => one.join() === place.join())];
  return { ...to,
    boxes: to.boxes.map((box, p) => ({ from: pass(old(to.places[p]).from, box.from),
      to: pass(old(to.places[p]).to, box.to) })),
    arcs: to.arcs.map((ends, k) => ends.map((end, i) => pass(from.arcs[k][i], end))),
    ...Object.fromEntries(["got", "meant"].map((key) =>
      [key, to[key].map((value, i) => pass(from[key][i], value))])) };
}

const feature = ([plane, second]) => "xy"[second] + "₀₁₂₃₄₅₆₇"[plane];
const TITLE = { interleaved: "interleaved", half: "half-split" };

function layoutWords(s, choice) {
  if (!choice) return "Point at a feature or at the curve, tap it, or press arrow keys in a focused picture.";
  if (choice.kind === "r") {
    const r = choice.item, i = r + s.reach;
    return `Relative position ${signed(r)}: score ${real(s.got[i])}, as trained ${real(s.meant[i])}.`;
  }
  const p = choice.item, q = s.partner(p), right = s.places[p][0] === s.places[q][0];
  return `Place ${p} holds ${feature(s.places[p])}. The code turns it together with place ${q}, ` +
    `${feature(s.places[q])}: ${right ? "its own partner." : "not its partner."}`;
}

function layoutFacts(s) {
  const right = s.places.every(([plane], p) => plane === s.places[s.partner(p)][0]);
  return [
    right
      ? ["✓", "Every feature turns together with its own partner: the scores are those of the training."]
      : ["✗", `Pairs are torn apart: scores are off by up to ${real(s.miss)}. Nothing crashes, ` +
          "and at relative position 0 even the score is right.", "key"],
    ["⇄", s.permuted
      ? `The features are put into the ${TITLE[s.runs]} order before the code runs.`
      : `The features are loaded as they were trained: ${TITLE[s.trained]}.`],
    ["=", right
      ? "The scores depend on the relative position alone. So would wrong ones: a test of that property cannot tell them apart."
      : "The wrong scores, too, depend on the relative position alone: a test of that property cannot find the mistake."],
  ];
}

/** Boxes of the features, in their order, joined to the partner that the code gives them. */
function lanes() {
  const { canvas, context, begin } = drawing("Features in the order they are loaded, joined in " +
    "the pairs that the code turns. Arrow keys move from place to place.");
  let grid = { pitch: 1, d: 0 };

  function draw(s, { width, colors, chosen }) {
    const pitch = Math.min(width / s.d, 44), half = 0.42 * pitch;
    grid = { pitch, d: s.d };
    begin(Math.max(pitch * s.d, Math.min(width, 300)), 262);
    const title = { size: 12.5, align: "left", color: colors.text };
    const x = (p) => (p + 0.5) * pitch, pair = (p) => [p, s.partner(p)];
    const pale = (p) => chosen !== null && !pair(chosen).includes(p);
    write(context, `in the checkpoint: ${TITLE[s.trained]}`, 2, 10, title);
    s.boxes.forEach(({ from, to }, p) => {
      const color = colors[ROLES[s.places[p][0] % 4]];
      context.globalAlpha = pale(p) ? 0.35 : 1;
      line([[x(from), TOP + half], [x(to), LOADED - half]], color);
      box(x(from), TOP, half, color, s.places[p], colors, 2);
      box(x(to), LOADED, half, color, s.places[p], colors, chosen === p ? 4 : 2);
    });
    s.arcs.forEach(([from, to], k) => {
      const [p, q] = s.pairs[k], right = s.places[p][0] === s.places[q][0];
      context.globalAlpha = pale(p) ? 0.35 : 1;
      arc(x(from), x(to), LOADED + half, right ? colors.text : colors.key, right);
    });
    context.globalAlpha = 1;
    write(context, `as loaded; the code turns pairs: ${TITLE[s.runs]}`, 2, 252, title);
  }

  function box(x, y, half, color, place, colors, thick) {
    context.fillStyle = colors.raised;
    context.strokeStyle = color;
    context.lineWidth = thick;
    context.fillRect(x - half, y - half, 2 * half, 2 * half);
    context.strokeRect(x - half, y - half, 2 * half, 2 * half);
    write(context, feature(place), x, y, { size: Math.min(15, half), color });
  }

  function line([from, to], color) {
    context.strokeStyle = color;
    context.lineWidth = 1.6;
    context.beginPath();
    context.moveTo(...from);
    context.lineTo(...to);
    context.stroke();
  }

  function arc(from, to, y, color, right) {
    const deep = Math.min(26 + (to - from) / 3, 72);
    context.strokeStyle = color;
    context.lineWidth = 2;
    context.setLineDash(right ? [] : [4, 4]);
    context.beginPath();
    context.moveTo(from, y + 2);
    context.bezierCurveTo(from, y + deep, to, y + deep, to, y + 2);
    context.stroke();
    context.setLineDash([]);
  }

  function at(x, y) {
    const p = Math.floor(x / grid.pitch);
    return y > LOADED - 25 && y < LOADED + 25 && p >= 0 && p < grid.d ? p : null;
  }
  return { kind: "place", canvas, draw, at, step: (key, item) => walk(key, item, 0, grid.d - 1, 0) };
}

function render({ model, el }) {
  const orders = Object.entries(TITLE);
  const specs = [
    { kind: "select", key: "trained", label: "trained with", options: orders },
    { kind: "select", key: "runs", label: "code pairs", options: orders },
    { kind: "select", key: "head_dim", label: "head size d",
      options: model.get("sizes").map((d) => [d, String(d)]) },
    { kind: "checkbox", key: "permuted", label: "permute the weights first" },
    { kind: "button", label: "reset" },
  ];
  const curve = linePlot("Score against relative position. Arrow keys move along it.", "r", (s) => {
    const top = 1.1 * Math.max(...[...s.got, ...s.meant].map(Math.abs));
    return { first: -s.reach, last: s.reach, low: -top, high: top, start: 0,
      x: "relative position (key − query)", y: "score",
      series: [{ values: s.got, role: "position", dots: true, words: "as it runs" },
        { values: s.meant, role: "text", dash: [4, 4], words: "as trained" }] };
  });
  const rows = (s) => s.got.map((v, i) => [signed(i - s.reach), real(s.meant[i]), real(v)]);
  return createWidget({ model, el }, {
    traits: TRAITS, specs, pictures: [lanes(), curve], state: layoutState, mix,
    words: layoutWords, facts: layoutFacts,
    tables: [{ head: ["relative position", "score as trained", "as it runs"], rows }],
  });
}

export default { render };
