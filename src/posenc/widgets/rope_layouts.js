// Two orders of the features, the way between them, and scores with the wrong one.
import { signed } from "./kit.js";
import { drawing, write } from "./canvas.js";
import { real, setAll, shell, walk } from "./rope_shell.js";
import { linePlot } from "./rope_plot.js";

const TRAITS = ["head_dim", "trained", "runs", "permuted"];
const ROLES = ["query", "key", "value", "position"];

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
  return { d, trained, runs, permuted, meant, got, order, places, partner, miss, reach: (got.length - 1) / 2,
    shown: { order, meant, got, partners: order.map((_, p) => partner(p)) } };
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
    ["=", "The wrong scores, too, depend on the relative position alone: a test of that property sees nothing."],
  ];
}

/** Boxes of the features, in their order, joined to the partner that the code gives them. */
function lanes() {
  const { canvas, context, begin } = drawing("Features in the order they are loaded, joined in " +
    "the pairs that the code turns. Arrow keys move from place to place.");
  let grid = { pitch: 1, d: 0 };

  function draw(s, { width, colors, chosen }) {
    const pitch = Math.min(width / s.d, 44), middle = 112, box = pitch * 0.84;
    grid = { pitch, d: s.d };
    begin(Math.max(pitch * s.d, 90), 235);
    const title = { size: 12.5, align: "left", color: colors.text };
    write(context, `trained: ${TITLE[s.trained]}`, 2, 12, title);
    for (let p = 0; p < s.d; p++) {
      const q = s.partner(p), x = (p + 0.5) * pitch, right = s.places[p][0] === s.places[q][0];
      if (p < q) arc(x, (q + 0.5) * pitch, middle + box / 2, right ? colors.text : colors.key, right);
      const color = colors[ROLES[s.places[p][0] % 4]];
      context.globalAlpha = chosen !== null && chosen !== p && chosen !== q ? 0.4 : 1;
      context.fillStyle = colors.raised;
      context.strokeStyle = color;
      context.lineWidth = chosen === p ? 4 : 2;
      context.fillRect(x - box / 2, middle - box / 2, box, box);
      context.strokeRect(x - box / 2, middle - box / 2, box, box);
      write(context, feature(s.places[p]), x, middle, { size: Math.min(15, pitch * 0.42), color });
      write(context, p, x, middle - box / 2 - 10, { size: 11, color: colors.muted });
      context.globalAlpha = 1;
    }
    write(context, s.permuted ? "permuted, then loaded:" : "loaded as it is:", 2, 62, title);
    write(context, `code turns pairs: ${TITLE[s.runs]}`, 2, 222, title);
  }

  function arc(from, to, y, color, right) {
    const deep = Math.min(26 + (to - from) / 3, 78);
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
    return y > 70 && y < 150 && p >= 0 && p < grid.d ? p : null;
  }
  return { kind: "place", canvas, draw, at, step: (key, item) => walk(key, item, 0, grid.d - 1, 0) };
}

function render({ model, el }) {
  const initial = Object.fromEntries(TRAITS.map((key) => [key, model.get(key)]));
  const orders = Object.entries(TITLE);
  const specs = [
    { kind: "select", key: "trained", label: "trained with", options: orders },
    { kind: "select", key: "runs", label: "code pairs", options: orders },
    { kind: "select", key: "head_dim", label: "head size d",
      options: model.get("sizes").map((d) => [d, String(d)]) },
    { kind: "checkbox", key: "permuted", label: "permute the weights first" },
    { kind: "button", label: "reset", press: () => setAll(model, initial) },
  ];
  const curve = linePlot("Score against relative position. Arrow keys move along it.", "r", (s) => {
    const top = 1.1 * Math.max(...[...s.got, ...s.meant].map(Math.abs));
    return { first: -s.reach, last: s.reach, low: -top, high: top, start: 0,
      x: "relative position (key − query)", y: "score",
      series: [{ values: s.got, role: "position", dots: true, words: "as it runs" },
        { values: s.meant, role: "text", dash: [4, 4], words: "as trained" }] };
  });
  const rows = (s) => s.got.map((v, i) => [signed(i - s.reach), real(s.meant[i]), real(v)]);
  return shell({ model, el }, {
    traits: TRAITS, specs, pictures: [lanes(), curve], state: layoutState,
    words: layoutWords, facts: layoutFacts,
    table: { head: ["relative position", "score as trained", "as it runs"], rows },
  });
}

export default { render };
