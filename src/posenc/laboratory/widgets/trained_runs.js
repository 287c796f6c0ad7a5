// The widget of the laboratory: a chart for every encoding, and one length to look at in all.
import { createWidget, grouped } from "../../kit/widgets/widget.js";
import { runCharts } from "./charts.js";
import { runsPlot } from "./plot.js";

const TRAITS = ["task", "measure", "length", "encodings"];

const meanOf = (values) => values.reduce((a, b) => a + b, 0) / values.length;

/** Lowest, highest and mean of a list, in words. */
function spread(values, digits = 2) {
  const mean = meanOf(values);
  const [low, high] = [Math.min(...values), Math.max(...values)].map((v) => v.toFixed(digits));
  return low === high ? low : `${mean.toFixed(digits)} (${low} to ${high})`;
}

function render({ model, el }) {
  const looks = model.get("looks"), runs = model.get("runs");
  const named = Object.keys(looks).filter((name) =>
    Object.values(runs).some((task) => task[name]));
  const lengths = model.get("lengths"), labels = lengths.map(grouped); // slow: once
  const put = (length) => { model.set("length", length); model.save_changes(); };
  const specs = [
    { kind: "select", key: "task", label: "task", options: Object.entries(model.get("tasks")) },
    { kind: "select", key: "measure", label: "measure",
      options: [["accuracy", "accuracy"], ["loss", "loss (nats)"]] },
    { kind: "range", key: "length", label: "length", values: () => lengths, text: grouped },
    { kind: "several", key: "encodings", label: "mark encodings", options: named.map((name) =>
      [name, looks[name].title, [looks[name].letter, looks[name].role]]) },
    { kind: "button", label: "all", set: { encodings: named } },
    { kind: "button", label: "reset" },
  ];

  function describe(model) {
    const [task, measure, length, encodings] = TRAITS.map((key) => model.get(key));
    const tested = runs[task], all = named.filter((name) => tested[name]);
    const names = all.filter((name) => encodings.includes(name));
    const shown = { task, measure, at: length, encodings: names,
      length: names.map((name) => tested[name].length[measure]),
      training: names.map((name) => tested[name].training[measure]) };
    return { task, measure, length, tested, all, names, shown };
  }

  /** What a run has at a length, on the way between two tests as well; null beyond its last. */
  function valueAt(s, one, i) {
    const j = one.lengths.findLastIndex((n) => n <= s.length), from = one.length[s.measure][i][j];
    if (one.lengths[j] === s.length) return from;
    if (j === one.lengths.length - 1) return null;
    const way = Math.log2(s.length / one.lengths[j]) / Math.log2(one.lengths[j + 1] / one.lengths[j]);
    return from + way * (one.length[s.measure][i][j + 1] - from);
  }

  function lines(s, points) {
    return Object.keys(s.tested).flatMap((name) => s.tested[name].seeds.map((seed, i) => ({
      item: `${name} ${i}`, role: looks[name].role, letter: looks[name].letter,
      faint: !s.names.includes(name), points: points(s.tested[name], i),
      dash: s.tested[name].solved[i] ? [] : [5, 3],
    }))).filter((line) => line.points.length);
  }
  const highest = (found) => Math.max(...found.flatMap((line) => line.points.map((p) => p[1])));
  const highOf = (s, found) => (s.measure === "accuracy" ? 1.04 : 1.04 * highest(found));
  const vertical = (s, found) => ({ words: s.measure, low: 0, high: highOf(s, found) });

  const byLength = runCharts("A chart for each encoding, against the length of the test. Left and right " +
    "arrow keys move the length, up and down lead from run to run.", "run", (s) => {
    const found = lines(s, ({ lengths, length }, i) => lengths.map((n, j) => [n, length[s.measure][i][j]]));
    const of = (name) => found.filter(({ item }) => item.startsWith(name + " "));
    return { ticks: lengths, labels, length: s.length, high: highOf(s, found),
      words: `${s.measure} by length of the test (tokens)`,
      charts: s.all.map((name) => {
        const one = s.tested[name], words = atLength(s, one);
        return { ...looks[name], words, short: words.split(" (")[0], marked: s.names.includes(name),
          runs: of(name).map((run, i) => ({ ...run, now: valueAt(s, one, i) })),
          behind: s.names.filter((other) => other !== name).flatMap(of).map(({ points }) => points) };
      }) };
  }, put);
  const bySteps = runsPlot("Measured while training, at the trained length. Left and right " +
    "arrow keys move along a line, up and down to the next one.", "run", (s) => {
    const found = lines(s, ({ steps, training }, i) =>
      (steps[i] ?? []).map((n, j) => [n, training[s.measure][i][j]]));
    const last = Math.max(...found.flatMap((line) => line.points.map((p) => p[0])));
    const stride = last > 2000 ? 1000 : 500;
    const ticks = Array.from({ length: Math.floor(last / stride) + 1 }, (_, i) => i * stride);
    return { lines: found, y: vertical(s, found),
      x: { words: `steps of training (at ${lengths[0]} tokens)`, ticks, low: 0, high: 1.03 * last } };
  });

  /** The runs of an encoding that count at the length: all where they were trained, beyond it those that solved. */
  function counted(s, one, length = s.length) {
    const j = one.lengths.findLastIndex((n) => n <= length);
    if (one.lengths[j] !== length && j === one.lengths.length - 1) return null;
    return one.length[s.measure].filter((_, i) => !j && one.lengths[0] === length || one.solved[i])
      .map((seed) => seed[j]);
  }
  function atLength(s, one, length = s.length) {
    const values = counted(s, one, length);
    return !values ? "undefined" : values.length ? spread(values) : "not solved";
  }

  /** The best and the worst encoding at the length, by the mean of the runs that count. */
  function ends(s) {
    const means = s.all.map((name) => [name, counted(s, s.tested[name])])
      .filter(([, values]) => values?.length).map(([name, values]) => [name, meanOf(values)]);
    if (!means.length) return "No run solved the task.";
    const sorted = means.sort(([, a], [, b]) => (s.measure === "accuracy" ? b - a : a - b));
    const words = ([, end]) => {
      const like = sorted.filter(([, mean]) => mean.toFixed(2) === end.toFixed(2)).map(([name]) => looks[name].title);
      return `${end.toFixed(2)} (${like.length < 3 ? like.join("; ") : `${like.length} encodings`})`;
    };
    const which = s.length === lengths[0] ? "all runs" : "the runs that solved the task";
    return `Of all encodings, mean of ${which} at ${grouped(s.length)} tokens: best ${words(sorted[0])}, worst ${words(sorted.at(-1))}.`;
  }

  /** What the chosen run has, and its siblings. */
  function words(s, choice) {
    if (!choice) return ends(s);
    const [name, i, j] = choice.item.split(" "), one = s.tested[name];
    if (!one) return ends(s);
    const run = `${looks[name].title}, seed ${one.seeds[i]}: `;
    if (j !== undefined)
      return `${run}${s.measure} ${one.training[s.measure][i][j].toFixed(2)} after ${grouped(one.steps[i][j])} steps`;
    const solved = one.solved[i] ? "" : ", task not solved", at = one.lengths.indexOf(s.length);
    if (at < 0) return `${run}undefined at ${grouped(s.length)} tokens${solved}. ${ends(s)}`;
    const values = one.length[s.measure].map((seed) => seed[at].toFixed(2));
    return `${run}${s.measure} ${values[i]} at ${grouped(s.length)} tokens${solved} ` +
      `(all seeds: ${values.join(", ")}). ${ends(s)}`;
  }

  function facts(s) {
    const missing = model.get("encodings").filter((name) => !s.tested[name]);
    return [["│", "The number in a chart is the mean of its runs at this length, with the lowest and the highest in parentheses. " +
      `At ${lengths[0]} tokens all runs count; beyond that, only those that solved the task. Gray lines: in each small chart the other marked encodings, in the large chart those not marked. Point at a run for its own numbers, ` +
      "or drag along a chart to move the length.",
    "position"], ...s.names.map(found), ...missing.map((name) =>
      [looks[name].letter, `${looks[name].title}: not trained on this task.`, looks[name].role])];

    function found(name) {
      const one = s.tested[name], last = one.lengths.length - 1;
      const first = one.first.filter((n, i) => n && one.solved[i]);
      const count = `solved in ${one.solved.filter(Boolean).length} of ${one.solved.length} runs`;
      const ends = [...new Set([Math.min(...first), Math.max(...first)])];
      const steps = first.length ? `, first after ${ends.map((n) => n.toLocaleString("en"))
        .join(" to ")} steps` : "";
      const which = one.solved.every(Boolean) ? "" : " (solved runs)";
      const far = !last ? "undefined beyond" : !one.solved.some(Boolean) ? "not solved"
        : `${atLength(s, one, one.lengths[last])} at ${one.lengths[last].toLocaleString("en")}${which}`;
      return [looks[name].letter, `${looks[name].title}: ${count}${steps}; ${s.measure} ` +
        `${atLength(s, one, one.lengths[0])} at ${one.lengths[0]} tokens, ${far}.`, looks[name].role];
    }
  }

  const rows = (s) => s.names.map((name) =>
    [looks[name].title, ...lengths.map((n) => atLength(s, s.tested[name], n))]);
  return createWidget({ model, el }, {
    traits: TRAITS, specs, pictures: [byLength, bySteps], layout: "stack", keep: (choice) => choice, tips: false,
    smooth: ["length"], state: describe, words, facts,
    tables: [{ head: ["encoding", ...lengths.map((n, j) => `at ${grouped(n)}${j ? "" : " (all runs)"}`)], rows }],
  });
}

export default { render };
