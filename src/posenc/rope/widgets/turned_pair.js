// A query and a key that turn with their positions, in one plane or several, and their score.
import { signed } from "../../kit/widgets/controls.js";
import { count, createWidget, plain, real, setAll } from "../../kit/widgets/widget.js";
import { linePlot } from "../../kit/widgets/plot.js";
import { arrows, moveBoth, ruler, turned } from "./plane.js";

const TRAITS = ["m", "n", "degrees", "q_angle", "k_angle", "planes"], REACH = 12;

/** Angles of both arrows in every plane, and the score that they add up to. */
function planeState(model) {
  const [m, n, degrees, q, k, planes] = TRAITS.map((key) => model.get(key)), r = n - m;
  const [long, short] = model.get("lengths");
  // On the way from one number of planes to another, the next plane counts in part.
  const dials = [{ share: 1, long, short, q, k }, ...model.get("further")]
    .map((one, i) => ({ ...one, weight: i ? Math.max(0, Math.min(planes - i, 1)) : 1,
      speed: degrees * one.share })).filter(({ weight }) => weight)
    .map((one) => ({ ...one, at: { q: one.q + m * one.speed, k: one.k + n * one.speed },
      score: (r) => one.weight * one.long * one.short *
        Math.cos((one.k - one.q + r * one.speed) * Math.PI / 180) }));
  const score = (r) => dials.reduce((sum, dial) => sum + dial.score(r), 0);
  const gap = (r) => k - q + r * degrees, parts = (r) => dials.map((dial) => dial.score(r));
  const high = dials.slice(1).reduce((sum, { weight, short }) => sum + weight * short, 1);
  const curve = count(-REACH, REACH).map(score), first = count(-REACH, REACH).map(dials[0].score);
  const { at } = dials[0];
  const shown = { q: at.q, k: at.k, score: score(r), parts: parts(r), curve };
  return { m, n, r, degrees, q, k, at, planes, dials, gap, score, parts, curve, first, high, shown };
}

/** The score at a relative position, and what makes it. */
const scoreWords = (s, r) => (s.planes === 1 ? `angle from q to k ${turned(s.gap(r))}°, `
  : `parts ${s.parts(r).map((part) => real(part)).join(", ")}, `) + `score ${real(s.score(r))}.`;

function planeWords(s, choice) {
  return choice ? `Relative position ${signed(choice.item)}: ${scoreWords(s, choice.item)}`
    : `Query at ${s.m}, key at ${s.n}: relative position ${signed(s.r)}, ${scoreWords(s, s.r)}`;
}

function planeFacts(s) {
  const where = s.planes === 1 ? "" : " in plane 0";
  return [
    ["q", `The query (dashed: before) was turned${where} by m · θ = ${s.m} · ${s.degrees}° = ${s.m * s.degrees}°.`, "query"],
    ["k", `The key (dashed: before) was turned${where} by n · θ = ${s.n} · ${s.degrees}° = ${s.n * s.degrees}°.`, "key"],
    ...(s.planes === 1 ? [
      ["▬", "The score is the thick shadow of k on the line of q (dotted: from k to its shadow), times the length of q. " +
        "It is negative where the shadow falls behind the origin.", "position"],
      ["↔", "“Move both” turns both arrows by one angle: the score stays."],
    ] : [
      ["▬", "The part of a plane is the thick shadow of k on the line of q. The bars are as long as the shadows; each " +
        "begins where the one before ends, so the last one ends at the sum, the score.", "position"],
      ["↔", "“Move both” turns each plane by its own angle. Every part stays, and so does the sum."],
      ["θ", `Each plane turns half as fast as the one before, as with ${2 * s.planes} features and a base of ${2 ** s.planes}. ` +
        "The arrows of plane 0 alone can be changed."],
    ]),
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
    { kind: "select", key: "planes", label: "planes", options: plain(model.get("choices")) },
    { kind: "play", key: "m", label: "slide both along the text", ms: 500,
      values: () => count(Math.max(0, -state().r), Math.min(places.at(-1), places.at(-1) - state().r)),
      choose: (m) => setAll(model, { m, n: m + state().r }) },
    { kind: "button", label: "move both +1", press: () => moveBoth(model, 1, 1) },
    { kind: "button", label: "move both −1", press: () => moveBoth(model, -1, -1) },
    { kind: "button", label: "reset" },
  ];
  const curve = linePlot("Score against relative position. Arrow keys move along it.", "r",
    (s) => ({ first: -REACH, last: REACH, low: -s.high, high: s.high, start: 0, mark: s.r,
      x: "relative position (key − query)", y: "score",
      series: s.planes === 1 ? [{ values: s.curve, role: "position", dots: true }]
        : [{ values: s.curve, role: "position", dots: true, words: "sum" },
          { values: s.first, role: "muted", dash: [4, 3], words: "plane 0 alone" }] }), 330);
  const plane = arrows(model), text = ruler(model);
  const rows = (s) => s.curve.map((v, i) => [signed(i - REACH), `${turned(s.gap(i - REACH))}°`,
    s.parts(i - REACH).map((part) => real(part)).join(", "), real(v)]);
  return createWidget({ model, el }, {
    traits: TRAITS, specs, smooth: ["m", "n", "degrees", "planes"], state: planeState,
    pictures: [text, plane, curve],
    words: planeWords, facts: planeFacts,
    tables: [{ head: ["relative position", "angle from q to k in plane 0", "parts of the planes", "score"], rows }],
    simple: { specs: specs.filter(({ kind }) => kind === "play"), pictures: [text, plane],
      words: (s) => `Angle from q to k: ${turned(s.gap(s.r))}°. Score, the thick line: ${real(s.score(s.r))}. ` +
        "Both stay while q and k move together. Dashed: q and k before their turns." },
  });
}

export default { render };
