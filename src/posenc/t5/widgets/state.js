// T5's buckets as the widget shows them, and what there is to say about them. No bucket is
// computed here: `settings` holds those of posenc.t5.
import { signed } from "../../kit/widgets/controls.js";
import { plural, spans } from "../../kit/widgets/numbers.js";
import { count } from "../../kit/widgets/widget.js";

export const TRAITS = [
  "q_len", "k_len", "num_buckets", "max_distance", "bidirectional", "view", "log_axis",
];

/** All that is shown, or null while Python is halfway between two settings. */
export function describe(model) {
  const [q_len, k_len, num, max, both, view, log] = TRAITS.map((key) => model.get(key));
  const setting = model.get("settings")[`${num},${max},${both}`];
  if (!setting) return null;
  const { exact, bias } = setting, half = both ? num / 2 : num; // buckets of one direction
  const steps = setting.steps.map(([bucket, first, last]) => // in the order of relative positions
    ({ bucket, first: first ?? -Infinity, last: last ?? Infinity }));
  const empty = setting.empty.map(([bucket, edge]) => ({ bucket, edge }));
  const stepOf = (r) => steps.find((step) => r <= step.last) ?? steps.at(-1);
  const cells = count(1 - q_len, k_len - 1).map((r) => stepOf(r).bucket); // one per diagonal
  return {
    q_len, k_len, num, max, both, log, half, exact, steps, empty, stepOf, cells, bias,
    begins: -steps[0].last, // the last bucket
    holes: setting.empty.map(([bucket]) => bucket).filter((bucket) => bucket < half),
    shown: { buckets: cells, bias, view }, showsBias: view === "bias",
    low: Math.min(...bias), // that of bucket 0, which the color scale leaves out
    scale: Math.max(...bias.slice(1).map(Math.abs)),
    hidden: (r) => !both && r > 0,
  };
}

/** How many cells of the table hold the bucket. */
function pairs(s, bucket) {
  const diagonal = (r) => Math.min(s.q_len, s.k_len - r) - Math.max(0, -r);
  return s.cells.reduce(
    (sum, b, i) => sum + (b === bucket ? diagonal(i - s.q_len + 1) : 0), 0);
}

function span({ first, last }) {
  if (first === last) return signed(first);
  if (first === -Infinity) return signed(last) + " and farther back";
  if (last === Infinity) return signed(first) + " and farther on";
  return `${signed(first)} … ${signed(last)}`;
}

/** What the setting makes of the buckets: mark in the staircase, sentence, mark's color. */
export function facts(s) {
  const last = s.begins, logs = s.half - s.exact, empty = s.holes.length;
  const side = s.both ? " in each direction" : "";
  const reach = span({ first: 1 - s.q_len, last: s.both ? s.k_len - 1 : 0 });
  const seen = new Set(s.cells);
  const near = s.exact > 1
    ? `Distances 0 … ${s.exact - 1} have a bucket each` : "Distance 0 has its own bucket";
  return [
    ...(s.showsBias ? [["±", "Learned by head 7 of MPNet, whose setting is T5’s own. " +
      "In other settings a bucket has the bias of its nearest distance."]] : []),
    ["▒", `${near}; from distance ${s.exact} on, the scale is logarithmic.`, "line"],
    ["◆", last < s.max
      ? `The last bucket begins at distance ${last}, not at ${s.max} (dashed): ` +
        `it holds all from ${last} on.`
      : `The last bucket begins at distance ${last}, which is max distance itself.`],
    s.both
      ? ["○", `Bucket ${s.half} is never used.`]
      : ["0", "Keys after the query fall into bucket 0, where a causal mask hides them."],
    empty
      ? ["○", `${empty} of the ${logs} logarithmic buckets ${empty > 1 ? "are" : "is"} ` +
        `empty${side}: ${spans(s.holes)}.`]
      : ["✓", "Every logarithmic bucket holds some distance."],
    ["▬", `This ${s.q_len} × ${s.k_len} table spans relative positions ${reach} ` +
      `and meets ${seen.size} of ${s.num} buckets.`, "position"],
  ];
}

/** Relative position of a choice: a cell of the table, or a place of the staircase. */
export const positionOf = ({ kind, item }) => (kind === "cell" ? item[1] - item[0] : item);

/** Bucket of a choice; null if there is none. */
export const bucketOf = (s, choice) => choice && s.stepOf(positionOf(choice)).bucket;

/** The status line: the cell or step that is pointed at. */
export function words(s, choice) {
  if (!choice)
    return "Point at a cell or a step, tap it, or press arrow keys in a focused picture.";
  const r = positionOf(choice), step = s.stepOf(r), { bucket } = step;
  const bias = s.showsBias ? `, bias ${signed(s.bias[bucket], 2)}` : "";
  if (choice.kind === "cell")
    return `query ${choice.item[0]}, key ${choice.item[1]}: relative position ${signed(r)} → bucket ${bucket}${bias}` +
      (s.hidden(r) ? ", hidden by the causal mask" : "");
  const distances = step.last - step.first + 1;
  return `bucket ${bucket}${bias}: relative position ${span(step)}` +
    (distances < Infinity ? `, ${plural(distances, "distance")}` : "") +
    `, ${plural(pairs(s, bucket), "pair")} in the table`;
}

/** Rows of the text table: bucket, relative positions, pairs, bias. */
export function textRows(s) {
  return s.bias.map((bias, bucket) => {
    const step = s.steps.find((candidate) => candidate.bucket === bucket);
    const where = step ? span(step) : "none: never used";
    return [bucket, where, pairs(s, bucket), signed(bias, 2)];
  });
}
