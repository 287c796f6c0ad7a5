// Numbers that several widgets need, and words for them.

/** Weights of some scores; a score of −Infinity has the weight 0. */
export function softmax(scores) {
  const highest = Math.max(...scores), powers = scores.map((score) => Math.exp(score - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/** A number of things: 1 pair, 2 pairs. */
export const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

/** Runs of whole numbers, joined by a dash: [3, 4, 5, 9] -> "3–5, 9". */
export function spans(numbers, dash = "–") {
  const runs = [];
  for (const n of numbers) {
    if (runs.length && runs.at(-1)[1] === n - 1) runs.at(-1)[1] = n;
    else runs.push([n, n]);
  }
  return runs.map(([from, to]) => (from === to ? from : `${from}${dash}${to}`)).join(", ");
}

/** Words one after another: "a, b and c". */
export const listed = (words) =>
  (words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words.join());
