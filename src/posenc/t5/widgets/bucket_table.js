// The widget of the chapter on T5: a table of buckets and a staircase, linked by the bucket.
import { signed } from "../../kit/widgets/kit.js";
import { colorTable } from "../../kit/widgets/canvas.js";
import { cellGrid, pairPlan } from "../../kit/widgets/cells.js";
import { count, sentencesOf, shell } from "../../kit/widgets/shell.js";
import { bucketOf, describe, facts, textRows, TRAITS, words } from "./state.js";
import { staircase } from "./staircase.js";

/** Controls that offer possible settings alone. */
function settingControls(model) {
  const get = (key) => model.get(key), { num_buckets, max_distance, max_length } = get("choices");
  const lengths = count(1, max_length);
  const possible = (both, num, max) => `${both ? num / 2 : num},${max}` in get("settings");
  const numbers = () =>
    num_buckets.filter((num) => possible(get("bidirectional"), num, get("max_distance")));
  const distances = (both) =>
    max_distance.filter((max) => possible(both, get("num_buckets"), max));
  function turn(both) { // more buckets per direction may need a larger max distance
    const allowed = distances(both);
    if (!allowed.includes(get("max_distance"))) model.set("max_distance", allowed[0]);
    model.set("bidirectional", both);
  }
  const directions = [[true, "both (encoder)"], [false, "past only (decoder)"]];
  const views = [["buckets", "bucket numbers"], ["bias", "biases (MPNet)"]];
  return [
    { kind: "range", key: "q_len", label: "queries", values: () => lengths },
    { kind: "range", key: "k_len", label: "keys", values: () => lengths },
    { kind: "range", key: "num_buckets", label: "buckets", values: numbers },
    { kind: "range", key: "max_distance", label: "max distance",
      values: () => distances(get("bidirectional")) },
    { kind: "select", key: "bidirectional", label: "direction", options: directions, choose: turn },
    { kind: "select", key: "view", label: "show", options: views },
    { kind: "checkbox", key: "log_axis", label: "logarithmic axis" },
    { kind: "button", label: "T5’s own setting",
      set: { num_buckets: 32, max_distance: 128, bidirectional: true } },
    { kind: "button", label: "many empty buckets",
      set: { num_buckets: 32, max_distance: 20, bidirectional: false } },
    { kind: "button", label: "reset" },
  ];
}

function render({ model, el }) {
  const { bucket, bias } = model.get("colors");
  const shades = { bucket: colorTable(bucket), bias: colorTable(bias) };
  const paint = (s, bucket) => s.showsBias
    ? shades.bias(Math.max(0, 0.5 + s.bias[bucket] / (2 * s.scale)))
    : shades.bucket(bucket / (s.num - 1));
  const matrix = cellGrid(
    "Table of buckets, queries down, keys across. Arrow keys move from cell to cell.", "cell",
    (s, frame) => {
      const { choice, colors } = frame, chosen = bucketOf(s, choice);
      const cell = (q, k) => {
        const bucket = s.cells[k - q + s.q_len - 1], hidden = s.hidden(k - q);
        const color = hidden ? { fill: colors.raised, ink: colors.muted } : paint(s, bucket);
        const text = s.showsBias ? signed(s.bias[bucket], 1) : String(bucket);
        return { ...color, text, faint: chosen !== null && chosen !== bucket };
      };
      return pairPlan({ ...s, cell }, frame, 460);
    });
  const stairs = staircase(
    "Staircase of buckets by relative position. Arrow keys move from bucket to bucket.", paint);
  return shell({ model, el }, {
    traits: TRAITS, specs: settingControls(model), pictures: [matrix, stairs], state: describe,
    words, facts, spoken: (s) => sentencesOf(facts(s)).join(" "),
    tables: [{ head: ["bucket", "relative positions", "pairs in the table", "bias (MPNet, head 7)"],
      rows: textRows }],
  });
}

export default { render };
