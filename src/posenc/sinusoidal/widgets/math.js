// The formulas of the chapter on sinusoids, for its widgets. Any position, width and base
// can be chosen, so these are computed here; tests compare each with Python over a grid.
import { signed } from "../../kit/widgets/controls.js";

const TURN = 2 * Math.PI;

/** Binary digits of a whole position, the lowest first. */
export const digitsOf = (m, count) => Array.from({ length: count }, (_, j) => (m >> j) & 1);

/** Angle of dial j = 0, 1, …, which turns once in 2, 4, … steps. */
export const dialAngle = (position, j) => (TURN * position) / 2 ** (j + 1);

/** Radians per position of pair i of a table with d features. */
export const frequency = (i, d, base) => base ** ((-2 * i) / d);

/** What feature f holds: the number of its pair, and whether it is a sine. */
export function featureOf(f, d, layout) {
  if (layout === "half") return { pair: f % (d / 2), sine: f < d / 2 };
  return { pair: Math.floor(f / 2), sine: f % 2 === 0 };
}

/** The table of the encoding, row after row. */
export function encodingTable(seq_len, d, base, layout) {
  const table = new Float64Array(seq_len * d);
  for (let f = 0; f < d; f++) {
    const { pair, sine } = featureOf(f, d, layout), theta = frequency(pair, d, base);
    for (let m = 0; m < seq_len; m++)
      table[m * d + f] = sine ? Math.sin(m * theta) : Math.cos(m * theta);
  }
  return table;
}

/** Three sines of a position: with the periods of digits, or slower and slower. */
export function curvePoint(t, curve, base) {
  if (curve === "binary") return [2, 4, 8].map((period) => Math.sin((TURN * t) / period));
  return [0, 1, 2].map((j) => Math.sin(t * base ** (-j / 3)));
}

/** Where the eye sees a point in space: how far right, how far up, how near. */
export function project([x, y, z], azimuth, elevation) {
  const around = (azimuth * TURN) / 360, above = (elevation * TURN) / 360;
  const toward = Math.cos(around) * x + Math.sin(around) * y;
  return [
    Math.cos(around) * y - Math.sin(around) * x,
    Math.cos(above) * z - Math.sin(above) * toward,
    Math.cos(above) * toward + Math.sin(above) * z,
  ];
}

/** A value with its sign; what rounds to nothing is 0. */
export const shown = (value, digits = 2) =>
  Math.abs(value) < 0.5 * 10 ** -digits ? "0" : signed(value, digits);

/** A length in tokens: 6.28, 62.8, 628, 6,283. */
export function tokens(length) {
  const whole = length >= 1000;
  return whole ? Math.round(length).toLocaleString("en-US") : length.toPrecision(3);
}
