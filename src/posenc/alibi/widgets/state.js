// Bias and weights of one query under ALiBi and under a head of MPNet, and the sentences
// about them. Slopes and learned biases come from Python.
import { softmax } from "../../kit/widgets/numbers.js";
import { real } from "../../kit/widgets/widget.js";

export const TRAITS = ["num_heads", "head", "length", "causal", "view"];
const SHOWN = 24; // tokens of the heat map

/** All that is shown. */
export function describe(model) {
  const [num_heads, wanted, length, causal, view] = TRAITS.map((key) => model.get(key));
  const head = Math.min(wanted, num_heads), level = 31 - Math.clz32(num_heads);
  const slopes = model.get("slopes")[level].slice(0, num_heads), slope = slopes[head - 1];
  const query = causal ? length - 1 : length >> 1;
  const offsets = Array.from({ length }, (_, j) => j - query);
  const table = model.get("learned"), far = table.length >> 1; // its ends hold beyond them, too
  const bias = offsets.map((r) => -slope * Math.abs(r));
  const learned = offsets.map((r) => table[Math.max(-far, Math.min(r, far)) + far]);
  const { shares, flat } = model.get("choices");
  const view_of = (values) => {
    const weights = softmax(values), within = cumulated(weights, offsets);
    const reach = shares.map((share) => within.findIndex((held) => held >= share));
    return { bias: values, weights, within: offsets.map((r) => within[Math.abs(r)]), reach };
  };
  const line = view_of(bias), steps = view_of(learned);
  const lead = Math.log(bias.slice(1).reduce((sum, b) => sum + Math.exp(b), 0)) - bias[0];
  const size = Math.min(length, SHOWN);
  const every = Math.max(1, length >> 4), some = (values) => values.filter((_, i) => i % every === 0);
  return {
    num_heads, head, length, causal, view, slopes, slope, power: 1 << level, offsets, line, steps,
    lead, size, shares, flat, first: offsets[0], last: offsets.at(-1),
    shown: { slopes, reach: line.reach, t5_reach: steps.reach, lead, weights: some(line.weights),
      within: some(line.within), t5_bias: some(learned), t5_weights: some(steps.weights) },
  };
}

/** Share of the weight within each distance. */
function cumulated(weights, offsets) {
  const held = [];
  offsets.forEach((r, i) => { held[Math.abs(r)] = (held[Math.abs(r)] ?? 0) + weights[i]; });
  let sum = 0;
  return held.map((weight) => (sum += weight));
}

const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)} %`;
const tokens = (n) => `${n.toLocaleString("en-US")} token${n === 1 ? "" : "s"}`;
const reaches = (s, { reach }) =>
  s.shares.map((share, i) => `${percent(share)} within ${tokens(reach[i])}`).join(", ");

/** A slope as a fraction where it is one, and as a number. */
export function slopeWords(slope) {
  const parts = 1 / slope;
  return Number.isInteger(parts) ? `1/${parts}` : slope.toPrecision(3);
}

export function facts(s) {
  const extra = s.num_heads - s.power, far = -s.first;
  const sorted = s.num_heads === 1 ? "A single head has the smallest slope." :
    `${s.num_heads} is a power of two: the slopes are sorted, each ` +
    `${real(2 ** (-8 / s.num_heads), 3)} times the one before.`;
  const unsorted = `${s.num_heads} is no power of two: first the ${s.power} slopes of ` +
    `${s.power} heads, then (◇) every other slope of ${2 * s.power} heads, ${extra} of them. ` +
    `So head ${s.power + 1} is steeper than head 1.`;
  return [
    ["m", `Head ${s.head} of ${s.num_heads} has slope ${slopeWords(s.slope)}: each token of ` +
      `distance multiplies the weight by ${real(Math.exp(-s.slope), 3)}.`, "position"],
    [extra ? "◇" : "●", extra ? unsorted : sorted, extra ? "key" : "position"],
    ["▒", `With equal scores the weight lies ${reaches(s, s.line)}, of ${tokens(s.length)}.`],
    ["▟", `For the head of MPNet: ${reaches(s, s.steps)}. Its bias stays the same from ` +
      `distance ${s.flat} on.`, "muted"],
    ["↑", `The farthest key, ${tokens(far)} back, gets half of the weight if its score leads ` +
      `all others by ${real(s.lead, 1)}.`],
  ];
}

export function words(s, choice) {
  if (!choice) return "Point at a picture, tap it, or press arrow keys in a focused one. " +
    "A click or Enter on a slope chooses that head.";
  if (choice.kind === "head") {
    const added = choice.item > s.power ? ", appended" : "";
    return `head ${choice.item} of ${s.num_heads}: slope ${slopeWords(s.slopes[choice.item - 1])}` +
      `${added}; Enter or a click chooses it`;
  }
  if (choice.kind === "cell") {
    const [q, k] = choice.item;
    const hidden = s.causal && k > q ? "hidden by the causal mask" : "";
    const value = `bias ${real(-s.slope * Math.abs(k - q) + 0, 3)}`;
    return `query ${q}, key ${k}: distance ${Math.abs(k - q)}, ${hidden || value}`;
  }
  const i = choice.item - s.first;
  const one = (name, { bias, weights, within }) => `${name}: bias ${real(bias[i], 2)}, weight ` +
    `${percent(weights[i], 2)}, ${percent(within[i], 1)} within this distance`;
  const place = real(choice.item, 0);
  return `relative position ${place}. ${one("ALiBi", s.line)}. ${one("MPNet", s.steps)}.`;
}

/** Rows of the text table: head, slope, and the bias at some distances. */
export function textRows(s) {
  return s.slopes.map((slope, i) => [i + 1, slopeWords(slope), real(Math.exp(-slope), 4),
    ...[1, 10, 100].map((distance) => real(-slope * distance, 2))]);
}
