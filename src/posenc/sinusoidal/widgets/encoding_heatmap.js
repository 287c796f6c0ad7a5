// Widget: the table of the encoding as a heat map, with the value of every cell.
import { colorTable } from "../../kit/widgets/canvas.js";
import { cellGrid } from "../../kit/widgets/matrix.js";
import { createWidget, grouped, plain } from "../../kit/widgets/widget.js";
import { plural } from "../../kit/widgets/numbers.js";
import { encodingTable, featureOf, frequency, shown, tokens } from "./math.js";

const TRAITS = ["seq_len", "d_model", "base", "order"];
const MARGIN = { left: 40, top: 36 };

/** All that is shown. */
function describe(model) {
  const [seq_len, d, base, order] = TRAITS.map((key) => model.get(key));
  const pairs = Array.from({ length: d / 2 }, (_, i) => {
    const theta = frequency(i, d, base), wavelength = (2 * Math.PI) / theta;
    return { theta, wavelength, turns: seq_len / wavelength };
  });
  const table = encodingTable(seq_len, d, base, order);
  return { seq_len, d, base, order, pairs, table, shown: { seq_len, d, base, order, pairs } };
}

function facts(s) {
  const slow = s.pairs.filter(({ turns }) => turns < 1).length, last = s.pairs.at(-1);
  return [
    `${s.seq_len} positions × ${s.d} features = ${grouped(s.seq_len * s.d)} numbers.`,
    `The fastest pair turns once in ${tokens(s.pairs[0].wavelength)} tokens, ` +
      `the slowest once in ${tokens(last.wavelength)}.`,
    slow ? `${slow} of the ${plural(s.pairs.length, "pair")} ${slow === 1 ? "does" : "do"} ` +
      `not finish one turn within ${plural(s.seq_len, "position")}.`
      : `Every pair turns at least once within ${plural(s.seq_len, "position")}.`,
  ];
}

function words(s, choice) {
  if (!choice) return "Point at a cell, tap it, or press arrow keys in the focused picture.";
  const [m, f] = choice.item, { pair, sine } = featureOf(f, s.d, s.order);
  const { theta, wavelength } = s.pairs[pair], value = shown(s.table[m * s.d + f], 4);
  return `position ${m}, feature ${f}: ${sine ? "sin" : "cos"}(${m} × ` +
    `${theta.toPrecision(4)}) = ${value}; pair ${pair} turns once in ${tokens(wavelength)} tokens`;
}

/** Picture of the table: one image, since there may be as many cells as pixels. */
function heatMap(shade) {
  const pixels = document.createElement("canvas").getContext("2d");
  let painted = null;

  function paint(s) { // one pixel for each number
    pixels.canvas.width = s.d;
    pixels.canvas.height = s.seq_len;
    const image = pixels.createImageData(s.d, s.seq_len);
    const rgb = Array.from({ length: 256 }, (_, i) =>
      [1, 3, 5].map((at) => parseInt(shade(i / 256).fill.slice(at, at + 2), 16)));
    s.table.forEach((value, i) => {
      const color = rgb[Math.min(Math.floor(128 * (value + 1)), 255)];
      image.data.set([...color, 255], 4 * i);
    });
    pixels.putImageData(image, 0, 0);
    painted = s;
  }

  const picture = cellGrid(
    "Heat map of the encoding, positions down, features across. Arrow keys move from cell to cell.",
    "cell", (s, { width, colors }) => {
      const { left, top } = MARGIN;
      const whole = (room, count) => (room >= count ? Math.floor(room / count) * count : room);
      const across = whole(width - left - 2, s.d);
      const down = whole(Math.max(Math.min(26 * s.seq_len, 400), 100), s.seq_len);
      const head = { color: colors.text, plain: colors.muted,
        ticks: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] };
      return {
        width, height: top + down + 2,
        grids: [{ left, top, rows: s.seq_len, columns: s.d, wide: across / s.d,
          high: down / s.seq_len,
          heads: { rows: { ...head, room: 17, away: 15 }, columns: { ...head, room: 34, end: width - 16 } },
          names: { rows: ["← position", colors.position], columns: ["feature →", colors.text] } }],
        under(context) {
          if (painted !== s) paint(s);
          context.imageSmoothingEnabled = across < s.d || down < s.seq_len;
          context.drawImage(pixels.canvas, left, top, across, down);
        },
      };
    });
  function step(key, cell, s) {
    const by = { PageUp: -10, PageDown: 10 }[key];
    if (!by || !cell) return picture.step(key, cell, s);
    return [Math.max(0, Math.min(cell[0] + by, s.seq_len - 1)), cell[1]];
  }
  return { ...picture, step };
}

function render({ model, el }) {
  const { seq_len, d_model, base } = model.get("choices");
  const features = (s, i) => s.order === "half" ? `${i}, ${i + s.d / 2}` : `${2 * i}, ${2 * i + 1}`;
  return createWidget({ model, el }, {
    traits: TRAITS, state: describe, words, facts, pictures: [heatMap(colorTable(model.get("colors")))],
    specs: [
      { kind: "range", key: "seq_len", label: "positions", values: () => seq_len },
      { kind: "range", key: "d_model", label: "features", values: () => d_model },
      { kind: "select", key: "base", label: "base", options: plain(base) },
      { kind: "select", key: "order", label: "order",
        options: [["interleaved", "sine, cosine, sine, …"], ["half", "all sines, all cosines"]] },
      { kind: "button", label: "10 × 64", set: { seq_len: 10, d_model: 64 } },
      { kind: "button", label: "500 × 768", set: { seq_len: 500, d_model: 768 } },
      { kind: "button", label: "reset" },
    ],
    spoken: (s) => facts(s).join(" "),
    tables: [{ title: "The pairs as text",
      head: ["pair", "features", "radians per token", "turns once in", "turns here"],
      rows: (s) => s.pairs.map(({ theta, wavelength, turns }, i) =>
        [i, features(s, i), theta.toPrecision(4), `${tokens(wavelength)} tokens`,
          turns.toPrecision(3)]) }],
  });
}

export default { render };
