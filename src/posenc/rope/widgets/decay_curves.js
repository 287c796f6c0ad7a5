// Score of one query and key against distance, its true bound, and the paper's mean.
import { real, shell } from "../../kit/widgets/shell.js";
import { linePlot } from "../../kit/widgets/plot.js";

const TRAITS = ["content", "head_dim", "base"];

function decayState(model) {
  const [content, d, base] = TRAITS.map((key) => model.get(key));
  const { score, bound } = model.get("curves")[`${content},${d},${base}`];
  const mean = model.get("means")[`${d},${base}`];
  const rises = (values) => values.filter((v, i) => i && v > values[i - 1]).length;
  const size = score.map(Math.abs);
  return { content, d, score, bound, mean, size, rises: { score: rises(score), mean: rises(mean) },
    shown: { score, bound, mean } };
}

function decayWords(s, choice) {
  if (!choice) return "Point at a curve, tap it, or press arrow keys in a focused picture.";
  const n = choice.item;
  return `Distance ${n}: score ${real(s.score[n], 1)}, bound ${real(s.bound[n], 1)}, ` +
    `mean of |S| ${real(s.mean[n])}.`;
}

function decayFacts(s) {
  const last = s.score.length - 1, top = s.score.indexOf(Math.max(...s.score));
  return [
    ["▬", `From distance 0 to ${last} the score goes from ${real(s.score[0], 1)} to ` +
      `${real(s.score[last], 1)}; it rises at ${s.rises.score} of ${last} steps. ` +
      `It is largest at distance ${top}.`],
    ["╌", `The paper’s mean rises at ${s.rises.mean} of ${last} steps. It does not look at ` +
      "q and k at all, and it is no bound.", "position"],
    ["·", `The true bound holds at every distance. At 0 it is ` +
      `${real(s.bound[0] / s.size[0], 0)} times the size of the score.`, "key"],
  ];
}

function render({ model, el }) {
  const choices = model.get("choices"), plain = (values) =>
    values.map((n) => [n, n.toLocaleString("en-US")]);
  const specs = [
    { kind: "select", key: "content", label: "q and k", options: choices.content },
    { kind: "select", key: "head_dim", label: "head size d", options: plain(choices.head_dim) },
    { kind: "select", key: "base", label: "base", options: plain(choices.base) },
    { kind: "button", label: "reset" },
  ];
  const common = { first: 0, last: choices.last, x: "distance (tokens)" };
  const low = (s) => Math.min(0, 1.1 * Math.min(...s.score));
  const left = linePlot("Score and mean against distance. Arrow keys move along them.", "distance",
    (s) => ({ ...common, low: low(s), high: 1.08 * Math.max(...s.size, ...s.mean), y: "score",
      series: [{ values: s.score, role: "text", words: "score" },
        { values: s.mean, role: "position", dash: [6, 4], words: "mean of |S|, as in the paper" }] }));
  const right = linePlot("Bound, size of the score, mean, logarithmic. Arrow keys move along them.",
    "distance", (s) => ({ ...common, low: 0.5, high: 1.3 * Math.max(...s.bound), log: true,
      y: "size (log scale)",
      series: [{ values: s.bound, role: "key", dash: [2, 3], words: "true bound" },
        { values: s.size, role: "text", words: "|score|" },
        { values: s.mean, role: "position", dash: [6, 4] }] }));
  const rows = (s) => s.score.map((v, n) =>
    [n, real(v, 1), real(s.bound[n], 1), real(s.mean[n])]).filter(([n]) => n % 10 === 0);
  return shell({ model, el }, {
    traits: TRAITS, specs, pictures: [left, right], state: decayState,
    words: decayWords, facts: decayFacts,
    tables: [{ head: ["distance", "score", "true bound", "mean of |S|"], rows }],
  });
}

export default { render };
