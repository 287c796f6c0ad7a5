// What the widget shows, and what there is to say about it. No index is computed here:
// `indices` and `graphs` hold what posenc.shaw computed.
import { signed } from "../../kit/widgets/controls.js";
import { plural } from "../../kit/widgets/numbers.js";
import { count } from "../../kit/widgets/widget.js";

export const TRAITS = ["view", "length", "max_distance", "query"];

/** Number of nodes of what is shown. */
export function sizeOf(model, view = model.get("view")) {
  return view === "sentence" ? model.get("length") : model.get("graphs")[view].nodes.length;
}

/** All that is shown: `cell(q, k)` is a row of the table, or −1 where there is no edge. */
export function describe(model) {
  const s = tableOf(model), all = count(0, s.size - 1);
  return { ...s, shown: { rows: all.map((q) => all.map((k) => s.cell(q, k))), query: s.query } };
}

function tableOf(model) {
  const [view, length, clip] = TRAITS.map((key) => model.get(key));
  const size = sizeOf(model), query = Math.min(model.get("query"), size - 1);
  if (view !== "sentence") {
    const { nodes, places, labels, matrix } = model.get("graphs")[view];
    return { view, size, query, nodes, places, labels, rows: labels.length,
      cell: (q, k) => matrix[q][k], name: (row) => labels[row] };
  }
  const index = model.get("indices")[clip], middle = (index.length - 1) / 2;
  const names = model.get("names");
  return { view, size, query, clip, nodes: model.get("words").slice(0, length),
    rows: 2 * clip + 1, cell: (q, k) => index[middle + k - q],
    name: (row) => names[row - clip] };
}

/** Fill and ink of a row of the table; label 0 of a graph is gray. */
export function shadeOf(s, shades, row) {
  if (s.view === "sentence") return shades.index(s.rows > 1 ? row / (s.rows - 1) : 0.5);
  return row > 0 ? shades.label(row / Math.max(s.rows - 1, 1)) : shades.index(0.5);
}

/** What the setting makes of the table: mark and sentence. */
export function facts(s) {
  if (s.view !== "sentence") {
    let edges = 0;
    for (let q = 0; q < s.size; q++)
      for (let k = 0; k < s.size; k++) edges += q !== k && s.cell(q, k) >= 0;
    return [
      ["□", `${plural(s.rows, "label")}, so each table has ${plural(s.rows, "row")}: ` +
        s.labels.map((words, label) => `${label} ${words}`).join(", ") + "."],
      ["→", `${edges} edges between ${s.size} nodes. Each goes from a query to a key and ` +
        "says what the key is to the query."],
      ["▒", "Empty cells have no edge: a mask hides these keys."],
    ];
  }
  const { size, clip, rows, query } = s, offsets = 2 * size - 1;
  const keys = Array.from({ length: size }, (_, k) => k);
  const far = size > clip + 1 ? (size - clip) * (size - clip - 1) : 0;
  const spare = rows - Math.min(rows, offsets);
  const shared = [0, rows - 1].map((row) => keys.filter((k) => s.cell(query, k) === row).length);
  return [
    ["□", clip
      ? `k = ${clip}: the table has 2k + 1 = ${rows} vectors, ${clip} for the left, ` +
        `${clip} for the right, and row ${clip} for the token itself.`
      : "k = 0: one vector for all pairs. Nothing is left of the order."],
    far
      ? ["→", `${far} of the ${size * size} pairs are farther apart than k, and share the ` +
        `outermost ${clip ? "vectors" : "vector"} with those at distance k.`]
      : ["✓", "No pair is farther apart than k: every relative position has a vector of " +
        "its own."],
    spare
      ? ["○", `${plural(spare, "vector")} never used: ${plural(size, "word")} ` +
        `${size === 1 ? "has" : "have"} only ${plural(offsets, "relative position")}.`]
      : ["✓", rows > 1 ? `All ${rows} vectors are used.` : "The one vector is used."],
    ...(clip ? [["▬", `Query ${query}, “${s.nodes[query]}”, uses the leftmost vector for ` +
      `${plural(shared[0], "key")} and the rightmost for ${plural(shared[1], "key")}.`]] : []),
  ];
}

/** What a choice points at: a pair { q, k, row }, a { row } of the table, or {}. */
export function pointed(s, choice) {
  if (!choice || choice.item.row !== undefined) return { ...choice?.item };
  const [q, k] = choice.kind === "cell" ? choice.item : [s.query, choice.item.k];
  return { q, k, row: s.cell(q, k) };
}

/** The status line: the pair, or the row of the table, that is pointed at. */
export function words(s, choice) {
  if (!choice)
    return "Point at a cell, a word or a vector, tap it, or press arrow keys in a focused picture.";
  const { q, k, row } = pointed(s, choice);
  if (k === undefined) {
    const keys = s.nodes.map((_, key) => key).filter((key) => s.cell(s.query, key) === row);
    const used = keys.length ? keys.map((key) => `${key} “${s.nodes[key]}”`).join(", ") : "no key";
    return `row ${row}, ${s.name(row)}: query ${s.query} uses it for ${used}`;
  }
  const found = s.cell(q, k);
  const pair = `query ${q} “${s.nodes[q]}”, key ${k} “${s.nodes[k]}”: `;
  if (s.view !== "sentence")
    return pair + (found < 0 ? "no edge, hidden by the mask" : `label ${found}, ${s.name(found)}`);
  const clipped = found - s.clip;
  return pair + `relative position ${signed(k - q)}` +
    (clipped !== k - q ? `, clipped to ${signed(clipped)}` : "") +
    ` → row ${found}, ${s.name(found)}`;
}

/** Rows of the text table, for the chosen query. */
export function textRows(s) {
  return s.nodes.map((word, k) => {
    const found = s.cell(s.query, k);
    return [`${k} ${word}`, s.view === "sentence" ? signed(k - s.query) : "–",
      found < 0 ? "none" : found, found < 0 ? "no edge" : s.name(found)];
  });
}
