// Where the tokens go, and what there is to say about it. All chance comes from Python:
// numbers between −1 and 1, which are only scaled and added here.
import { real } from "../../kit/widgets/shell.js";

export const TRAITS = ["tokens", "max_global_shift", "max_local_shift", "max_scale", "draw",
  "pair"];

/** All that is shown. */
export function describe(model) {
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

export function facts(s) {
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

export function words(s, choice) {
  if (!choice) return `Draw ${s.draw}; pale: token ${s.followed} in all draws. Point at a token, tap it, ` +
    "or press arrow keys in a focused picture.";
  const i = choice.item, mates = s.crossed.filter((pair) => pair.includes(i));
  const swapped = mates.map(([a, b]) => (a === i ? b : a)).join(", ");
  return `token ${i}: (${real(s.before[i])} + shift ${real(s.shift)} + jitter ` +
    `${real(s.jitter[i])}) × ${real(s.scale, 3)} = ${real(s.after[i])}, sine ` +
    `${real(s.sine[i])}` + (mates.length ? `; has swapped with ${swapped}` : "");
}

/** Rows of the text table: token, before, jitter, after, sine. */
export const textRows = (s) => s.before.map((p, i) =>
  [i, real(p, 1), real(s.jitter[i], 3), real(s.after[i], 3), real(s.sine[i], 3)]);
