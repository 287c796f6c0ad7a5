// One plane: a query and a key that turn with their positions, and the score they make.
import { signed } from "../../kit/widgets/kit.js";
import { count, real, setAll, shell } from "../../kit/widgets/shell.js";
import { linePlot } from "../../kit/widgets/plot.js";
import { arrows, turned } from "./plane.js";
import { moveBoth, ruler } from "./ruler.js";

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

function planeWords(s, choice) {
  if (choice)
    return `Relative position ${signed(choice.item)}: angle from q to k ` +
      `${turned(s.gap(choice.item))}°, score ${real(s.score(choice.item))}.`;
  return `Query at ${s.m}, key at ${s.n}: relative position ${signed(s.r)}, ` +
    `angle from q to k ${turned(s.gap(s.r))}°, score ${real(s.score(s.r))}.`;
}

function planeFacts(s) {
  return [
    ["q", `The query (dashed: before) was turned by m · θ = ${s.m} · ${s.degrees}° = ${s.m * s.degrees}°.`, "query"],
    ["k", `The key (dashed: before) was turned by n · θ = ${s.n} · ${s.degrees}° = ${s.n * s.degrees}°.`, "key"],
    ["▬", "The score is the thick shadow of k on the line of q (dotted: from k to its shadow), times the length of q. " +
      "It is negative where the shadow falls behind the origin.", "position"],
    ["↔", "“Move both” turns both arrows by one angle: the score stays."],
  ];
}

function render({ model, el }) {
  const places = count(0, model.get("last_position")), turns = count(0, 23).map((i) => 15 * i);
  const degrees = (value) => `${value}°`, state = () => planeState(model);
  const specs = [
    { kind: "range", key: "m", label: "query at m", values: () => places },
    { kind: "range", key: "n", label: "key at n", values: () => places },
    { kind: "range", key: "degrees", label: "turn θ per token", text: degrees,
      values: () => model.get("speeds") },
    { kind: "range", key: "q_angle", label: "angle of q", values: () => turns, text: degrees },
    { kind: "range", key: "k_angle", label: "angle of k", values: () => turns, text: degrees },
    { kind: "play", key: "m", label: "slide both along the text", ms: 500,
      values: () => count(Math.max(0, -state().r), Math.min(places.at(-1), places.at(-1) - state().r)),
      choose: (m) => setAll(model, { m, n: m + state().r }) },
    { kind: "button", label: "move both +1", press: () => moveBoth(model, 1, 1) },
    { kind: "button", label: "move both −1", press: () => moveBoth(model, -1, -1) },
    { kind: "button", label: "reset" },
  ];
  const curve = linePlot("Score against relative position. Arrow keys move along it.", "r",
    (s) => ({ first: -REACH, last: REACH, low: -1, high: 1, start: 0, mark: s.r,
      x: "relative position (key − query)", y: "score",
      series: [{ values: s.curve, role: "position", dots: true }] }), 330);
  const plane = arrows(model), text = ruler(model);
  const rows = (s) => s.curve.map((v, i) =>
    [signed(i - REACH), `${turned(s.gap(i - REACH))}°`, real(v)]);
  return shell({ model, el }, {
    traits: TRAITS, specs, smooth: ["m", "n", "degrees"], state: planeState,
    pictures: [text, plane, curve],
    words: planeWords, facts: planeFacts,
    tables: [{ head: ["relative position", "angle from q to k", "score"], rows }],
    simple: { specs: specs.filter(({ kind }) => kind === "play"), pictures: [text, plane],
      words: (s) => `From q to k ${turned(s.gap(s.r))}°, score ${real(s.score(s.r))} (thick): ` +
        "both stay while q and k move together. Dashed: before the turns." },
  });
}

export default { render };
