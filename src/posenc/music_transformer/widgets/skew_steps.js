// The widget of the chapter on the skew: one step at a time, before and after.
import { colorTable, write } from "../../kit/widgets/canvas.js";
import { cellGrid, stepCell } from "../../kit/widgets/matrix.js";
import { productGrid, stripes, wayOf } from "../../kit/widgets/products.js";
import { count, createWidget, setAll } from "../../kit/widgets/widget.js";
import { describe, facts, heads, label, numberOf, placeOf, SIDES, textRows, title, TRAITS,
  words } from "./state.js";

const MARGIN = { left: 26, top: 42 }; // for the heads and the title

function settings(model) {
  const versions = [[true, "causal"], [false, "both sides"]];
  const move = (by) => () => model.set("step", (model.get("step") + by + 3) % 3);
  const resize = (key) => (value) => setAll(model, { zero: -1, [key]: value });
  return [
    { kind: "range", key: "step", label: "step", values: () => count(0, 2),
      text: (step) => `${step + 1}/3` },
    { kind: "range", key: "seq_len", label: "queries L", values: () => count(2, 6),
      choose: resize("seq_len") },
    { kind: "select", key: "masked", label: "version", options: versions,
      choose: resize("masked") },
    { kind: "play", key: "step", label: "step by step", ms: 2600, way: 1200 },
    { kind: "button", label: "step back", press: move(2) },
    { kind: "button", label: "next step", press: move(1) },
    { kind: "button", label: "reset" },
  ];
}

/** On the way to another step, its numbers go from their places before to those after it. */
function mix(from, to, t) {
  const stays = ["length", "masked"].every((key) => from[key] === to[key]);
  if (!stays || from.step === to.step) return to;
  return { ...to, way: wayOf(...to.sides, String, t) };
}

/** Matrix before the step or after it; keys and clicks choose the number that is followed. */
function matrixPicture(side, shade, follow) {
  const picture = cellGrid(
    `Matrix ${SIDES[side]} the step. Arrow keys choose the cell that is followed.`, SIDES[side],
    (s, { width, widths, beside, colors, choice }) => {
      const { left, top } = MARGIN, which = s.step + side, matrix = s.sides[side];
      const room = Math.min(...widths) - left - 3;
      // Below one another, both matrices and the buttons fit on the screen of a phone.
      const most = beside ? 44 : 32, rows = s.length + 1; // of the tallest step
      const wide = Math.floor(Math.min(room / (s.columns + 1), most));
      const look = (n) => ({ text: label(s, n), kind: s.kind(n),
        share: (n % s.columns) / (s.columns - 1),
        mark: s.kind(n) === "wanted" && s.offset(n) === 0 });
      return {
        width, height: top + rows * wide + 4,
        chosen: side && s.way ? null : placeOf(matrix, numberOf(s, choice)),
        grids: [productGrid(matrix, { left: left + 1, top: top + 1, wide, look, shade, colors,
          way: side ? s.way : null, cross: stripes, inset: wide < 28 ? 1 : 3.5, heads: heads(s, which, colors) })],
        under: (context) =>
          write(context, title(s, which), 0, 10, { align: "left", size: 13, color: colors.text }),
      };
    });
  const press = ([row, column], s) => follow(s, s.sides[side][row][column]);
  function step(key, _, s) {
    const matrix = s.sides[side], from = placeOf(matrix, s.followed);
    const to = stepCell(key, from, matrix.length, matrix[0].length);
    if (key && to) press(to, s);
    return to && null;
  }
  return { ...picture, step, press };
}

function render({ model, el }) {
  const shade = colorTable(model.get("colors"));
  function follow(s, n) {
    setAll(model, n < 0 ? { zero: -1 - n } : { zero: -1, query: s.row(n), offset: s.offset(n) });
    model.save_changes();
  }
  return createWidget({ model, el }, {
    links: { query: (n) => count(0, 5).includes(n), offset: (n) => count(-5, 5).includes(n),
      zero: (n) => count(-1, 10).includes(n) },
    traits: TRAITS, specs: settings(model), state: describe, mix, pace: 900, words, facts, tips: false,
    buttonsFirst: true,
    pictures: SIDES.map((_, side) => matrixPicture(side, shade, follow)),
    spoken: (s) => `${title(s, s.step + 1)}. ${facts(s).at(-1)[1]}`,
    tables: [{ head: ["product", "query", "offset", "ends at", "which is"], rows: textRows }],
  });
}

export default { render };
