// The turns that the widget on rotation shows, and what there is to say about them. The
// frequencies and the similarities come from posenc; only the hands are computed here.
import { signed } from "../../kit/widgets/controls.js";
import { grouped, real } from "../../kit/widgets/widget.js";

export const TRAITS = ["t", "offset", "d_model", "base"];
const TURN = 2 * Math.PI;

/** Angle in [0, 2π). */
const within = (angle) => ((angle % TURN) + TURN) % TURN;
const degrees = (angle) => Math.round(angle * 180 / Math.PI);

/** All that is shown: a clock per frequency, its block of the matrix, similarities. */
export function describe(model) {
  const [t, offset, d, base] = TRAITS.map((key) => model.get(key));
  const key = `${d},${base}`, { last_position, largest_shift } = model.get("choices");
  const clocks = model.get("thetas")[key].map((theta, index) => {
    const turn = theta * offset;
    return {
      index, theta, turn, before: theta * t, after: theta * (t + offset),
      period: TURN / theta, cos: Math.cos(turn), sin: Math.sin(turn),
    };
  });
  const similarity = model.get("similarities")[key];
  return {
    t, offset, d, base, clocks, similarity, to: t + offset, count: last_position + 1,
    lowest: Math.min(...similarity), reach: largest_shift,
    inside: t + offset >= 0 && t + offset <= last_position,
    rise: similarity.findIndex((value, n) => n > 0 && value > similarity[n - 1]),
    shown: { clocks, similarity },
  };
}

/** Entry of the matrix in a row and a column; zero outside the blocks. */
export function entry(s, row, column) {
  if (row >> 1 !== column >> 1) return 0;
  const { cos, sin } = s.clocks[row >> 1];
  if (row === column) return cos;
  return row < column ? sin : -sin;
}

/** What the setting shows: mark, sentence, color of the mark. */
export function facts(s) {
  const near = s.similarity[Math.abs(s.offset)], mirror = signed(-s.offset);
  return [
    ["↻", `Hands start at 12 and turn clockwise by θ for each token: from position ${s.t} ` +
      `to ${s.to} they turn by ${signed(s.offset)} × θ.`,
    "position"],
    ["▚", s.offset
      ? `The matrix of ${mirror} is the transpose of this one: it turns every hand back.`
      : "No shift: every block is the identity."],
    ["●", `PE(${s.t}) · PE(${s.to}) = ${real(near * s.d / 2)} of at most ${s.d / 2}: ` +
      `similarity ${real(near)}, the same for a shift by ${mirror}.`],
    s.rise > 0
      ? ["↗", "Farther is not always less similar here."]
      : ["↘", `Up to distance ${s.count - 1}, farther is always less similar here.`],
  ];
}

/** Clock of a choice: the clock itself, or that of an entry in its block; else null. */
export function clockOf(choice) {
  if (choice?.kind === "clock") return choice.item;
  const [row, column] = choice?.kind === "entry" ? choice.item : [0, 2];
  return row >> 1 === column >> 1 ? row >> 1 : null;
}

/** Distance of a choice: that of a pair, or the distance itself; else null. */
export function distanceOf(choice) {
  if (choice?.kind === "pair") return Math.abs(choice.item[1] - choice.item[0]);
  return choice?.kind === "distance" ? choice.item : null;
}

/** The status line: the clock, entry, pair or distance that is pointed at. */
export function words(s, choice) {
  if (!choice)
    return "Point at a picture, tap it, or press arrow keys in a focused one.";
  if (choice.kind === "clock") {
    const c = s.clocks[choice.item];
    return `Clock ${c.index}: ${Number(c.theta.toPrecision(3))} rad per token, one round ` +
      `in ${grouped(Number(c.period.toPrecision(3)))} tokens. From ${degrees(within(c.before))}° ` +
      `it turns by ${signed(degrees(c.turn))}° to ${degrees(within(c.after))}°.`;
  }
  if (choice.kind === "entry") {
    const [row, column] = choice.item, i = row >> 1, value = real(entry(s, row, column));
    if (i !== column >> 1)
      return `Row ${row}, column ${column}: 0, since different clocks do not mix.`;
    const name = row === column ? "cos" : row < column ? "sin" : "−sin";
    return `Row ${row}, column ${column}, in the block of clock ${i}: ` +
      `${name} θk = ${value}.`;
  }
  const distance = distanceOf(choice), value = real(s.similarity[distance]);
  if (choice.kind === "distance") return `Distance ${distance}: similarity ${value}.`;
  const [q, k] = choice.item;
  return `Query at ${q}, key at ${k}: relative position ${signed(k - q)}, similarity ${value}.`;
}

/** Rows of the first text table: one for each clock. */
export function clockRows(s) {
  return s.clocks.map((c) => [
    c.index, c.theta.toPrecision(3), grouped(Number(c.period.toPrecision(3))),
    `${degrees(within(c.before))}°`, `${signed(degrees(c.turn))}°`,
    `${degrees(within(c.after))}°`, real(c.cos), real(c.sin),
  ]);
}

/** Rows of the second text table: one for each distance. */
export function distanceRows(s) {
  return s.similarity.map((value, n) => [n, value.toFixed(3).replace("-", "−")]);
}
