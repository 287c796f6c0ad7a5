// Bytes of relative attention: bars on a logarithmic scale.
import { element } from "../../kit/widgets/kit.js";
import { grouped, shell } from "../../kit/widgets/shell.js";

const TRAITS = ["seq_len", "d_model", "num_heads", "num_layers", "itemsize"];
const [LOW, HIGH] = [3, 15]; // powers of ten at the ends of the scale, in bytes
const TICKS = [[3, "1 kB"], [6, "1 MB"], [9, "1 GB"], [12, "1 TB"], [15, "1 PB"]];
const GPU = 16e9; // memory of the GPU in the paper's table

/** Three digits and a unit, as `bytes_in_words` in Python. */
function bytesInWords(count) {
  const units = ["bytes", "kB", "MB", "GB", "TB", "PB"];
  let unit = 0;
  for (; count >= 999.5 && unit < units.length - 1; unit++) count /= 1000;
  const digits = unit === 0 || count >= 99.95 ? 0 : count >= 9.995 ? 1 : 2;
  return `${count.toFixed(digits)} ${units[unit]}`;
}

/** All that is shown: name, color, formula and bytes of one layer of what there is. */
function describe(model) {
  const [length, width, heads, layers, size] = TRAITS.map((key) => model.get(key));
  const needs = [
    { key: "vectors", color: "key", name: "R, a vector for each pair", formula: "L × L × d",
      bytes: length ** 2 * width * size },
    { key: "scores", color: "value", name: "scores, a number for each pair", formula: "L × L",
      bytes: length ** 2 * heads * size },
    { key: "table", color: "position", name: "E, a vector for each offset", formula: "L × d",
      bytes: length * width * size },
  ];
  const bytes = needs.map(({ key, bytes }) => [key, bytes * layers]); // of all layers
  return { length, width, heads, layers, needs, shown: Object.fromEntries(bytes) };
}

const place = (bytes) =>
  100 * Math.max(0, Math.min((Math.log10(bytes) - LOW) / (HIGH - LOW), 1)) + "%";

function settings(model) {
  const choices = model.get("choices");
  const range = (key, label) =>
    ({ kind: "range", key, label, text: grouped, values: () => choices[key] });
  const paper = (length) => ({
    kind: "button", label: `paper, L = ${grouped(length)}`,
    set: { seq_len: length, d_model: 512, num_heads: 8, num_layers: 1, itemsize: 4 },
  });
  return [
    range("seq_len", "length L"),
    range("d_model", "d_model"),
    range("num_heads", "heads"),
    range("num_layers", "layers"),
    range("itemsize", "bytes/number"),
    ...choices.paper.map(paper),
    { kind: "button", label: "reset" },
  ];
}

function bar({ color, name, formula, bytes, heads, layers }) {
  const amounts = [["one head", bytes / heads], ["one layer", bytes]];
  if (layers > 1) amounts.push([`${layers} layers`, bytes * layers]);
  const words = amounts.map(([what, count]) => `${what} ${bytesInWords(count)}`).join(" · ");
  const track = element("div", { "aria-hidden": "true",
    style: "position: relative; height: 16px; background: var(--pe-raised)" });
  track.append(element("div", { style: `height: 100%; width: ${place(bytes * layers)}; ` +
    `background: var(--pe-${color})` }));
  track.append(element("div", { style: `position: absolute; top: -2px; bottom: -2px; ` +
    `left: ${place(GPU)}; border-left: 2px dashed var(--pe-text)` }));
  const title = element("div", {}, element("strong", {}, name), ` (${formula} per head)`);
  return element("div", { style: "margin: 0.5rem 0" }, title, track, element("div", {}, words));
}

function scale() {
  const line = element("div", { "aria-hidden": "true",
    style: "position: relative; height: 2.6em; font-size: 12px; color: var(--pe-muted)" });
  const mark = (left, words, top, shift) => element("span", { style:
    `position: absolute; left: ${left}; top: ${top}; transform: translateX(${shift}); ` +
    "white-space: nowrap" }, words);
  TICKS.forEach(([power, words], i) => line.append(mark(place(10 ** power), words, "0",
    i === 0 ? "0" : i === TICKS.length - 1 ? "-100%" : "-50%")));
  line.append(mark(place(GPU), "dashed: 16 GB, the GPU of the paper", "1.25em", "-50%"));
  return line;
}

function words({ length, width, heads, shown: { vectors, scores, table } }) {
  const fits = vectors <= GPU ? "fits" : "does not fit";
  return `d = ${width / heads} per head. R needs ${bytesInWords(vectors)}: it ` +
    `${fits} into 16 GB. E needs ${bytesInWords(table)}, ${grouped(length)} ` +
    `times less. The scores stay: ${bytesInWords(scores)}.`;
}

function render({ model, el }) {
  const node = element("div");
  const draw = ({ needs, heads, layers }) =>
    node.replaceChildren(...needs.map((need) => bar({ ...need, heads, layers })), scale());
  return shell({ model, el }, {
    traits: TRAITS, specs: settings(model), state: describe, pictures: [{ node, draw }], words,
  });
}

export default { render };
