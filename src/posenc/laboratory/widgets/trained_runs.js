// The widget of the laboratory: choose encodings and a task, see every run.
import { shell } from "../../kit/widgets/shell.js";
import { runsPlot } from "./plot.js";

const TRAITS = ["task", "measure", "encodings"];

/** Lowest, highest and mean of a list, in words. */
function spread(values, digits = 2) {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const [low, high] = [Math.min(...values), Math.max(...values)].map((v) => v.toFixed(digits));
  return low === high ? low : `${mean.toFixed(digits)} (${low} to ${high})`;
}

function render({ model, el }) {
  const looks = model.get("looks"), runs = model.get("runs");
  const named = Object.keys(looks).filter((name) =>
    Object.values(runs).some((task) => task[name]));
  const specs = [
    { kind: "select", key: "task", label: "task", options: Object.entries(model.get("tasks")) },
    { kind: "select", key: "measure", label: "measure",
      options: [["accuracy", "accuracy"], ["loss", "loss (nats)"]] },
    { kind: "several", key: "encodings", label: "encodings", options: named.map((name) =>
      [name, looks[name].title, [looks[name].letter, looks[name].role]]) },
    { kind: "button", label: "all", set: { encodings: named } },
    { kind: "button", label: "reset" },
  ];

  function describe(model) {
    const [task, measure, encodings] = TRAITS.map((key) => model.get(key));
    const tested = runs[task];
    const names = named.filter((name) => tested[name] && encodings.includes(name));
    const shown = { task, measure, encodings: names,
      length: names.map((name) => tested[name].length[measure]),
      training: names.map((name) => tested[name].training[measure]) };
    return { task, measure, tested, names, shown };
  }

  function lines(s, points) {
    return Object.keys(s.tested).flatMap((name) => s.tested[name].seeds.map((seed, i) => ({
      item: `${name} ${i}`, role: looks[name].role, letter: looks[name].letter,
      faint: !s.names.includes(name), points: points(s.tested[name], i),
      dash: s.tested[name].solved[i] ? [] : [5, 3],
    }))).filter((line) => line.points.length);
  }
  const highest = (found) => Math.max(...found.flatMap((line) => line.points.map((p) => p[1])));
  const vertical = (s, found) => ({ words: s.measure, low: 0,
    high: s.measure === "accuracy" ? 1.04 : 1.04 * highest(found) });

  const byLength = runsPlot("Measured against the length of the test. Left and right arrow " +
    "keys move along a line, up and down to the next one.", "length", (s) => {
    const found = lines(s, ({ lengths, length }, i) =>
      lengths.map((n, j) => [n, length[s.measure][i][j]]));
    const ticks = [...new Set(found.flatMap((line) => line.points.map((p) => p[0])))];
    ticks.sort((a, b) => a - b);
    return { lines: found.map((line) => ({ ...line, dots: true })), y: vertical(s, found),
      x: { words: "length of the test (tokens)", ticks, low: ticks[0] / 1.15,
        high: ticks.at(-1) * 1.15, log: true } };
  });
  const bySteps = runsPlot("Measured while training, at the trained length. Left and right " +
    "arrow keys move along a line, up and down to the next one.", "training", (s) => {
    const found = lines(s, ({ steps, training }, i) =>
      (steps[i] ?? []).map((n, j) => [n, training[s.measure][i][j]]));
    const last = Math.max(...found.flatMap((line) => line.points.map((p) => p[0])));
    const stride = last > 2000 ? 1000 : 500;
    const ticks = Array.from({ length: Math.floor(last / stride) + 1 }, (_, i) => i * stride);
    return { lines: found, y: vertical(s, found),
      x: { words: "steps of training", ticks, low: 0, high: 1.03 * last } };
  });

  /** All seeds at the chosen place, the chosen one first. */
  function words(s, choice) {
    if (!choice) return s.names.length
      ? "Point at a letter, or use the arrow keys in a picture, to see all seeds."
      : "Choose an encoding.";
    const [name, i, j] = choice.item.split(" "), one = s.tested[name];
    if (choice.kind === "training") {
      const value = one.training[s.measure][i][j].toFixed(2);
      return `${looks[name].title}, seed ${one.seeds[i]}: ${s.measure} ${value} after ` +
        `${one.steps[i][j].toLocaleString("en")} steps`;
    }
    const seeds = one.seeds.map((seed, k) =>
      `seed ${seed}: ${one.length[s.measure][k][j].toFixed(2)}`);
    return `${looks[name].title} at ${one.lengths[j].toLocaleString("en")} tokens, ` +
      `${s.measure}: ${seeds.join(", ")}`;
  }

  /** All runs at the trained length; beyond it those that solved the task. */
  function atLength(s, one, j) {
    const values = one.length[s.measure].filter((_, i) => !j || one.solved[i]);
    return values.length ? spread(values.map((seed) => seed[j])) : "not solved";
  }

  function facts(s) {
    const missing = model.get("encodings").filter((name) => !s.tested[name]);
    return [...s.names.map(found), ...missing.map((name) =>
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
        : `${atLength(s, one, last)} at ${one.lengths[last].toLocaleString("en")}${which}`;
      return [looks[name].letter, `${looks[name].title}: ${count}${steps}; ${s.measure} ` +
        `${atLength(s, one, 0)} at ${one.lengths[0]} tokens, ${far}.`, looks[name].role];
    }
  }

  const columns = Object.values(runs).flatMap((task) =>
    Object.values(task).flatMap((one) => one.lengths));
  const all = [...new Set(columns)].sort((a, b) => a - b);
  const rows = (s) => s.names.map((name) => [looks[name].title, ...all.map((n) => {
    const j = s.tested[name].lengths.indexOf(n);
    return j < 0 ? "undefined" : atLength(s, s.tested[name], j);
  })]);
  return shell({ model, el }, {
    traits: TRAITS, specs, pictures: [byLength, bySteps], state: describe, words, facts,
    tables: [{ head: ["encoding", ...all.map((n, j) =>
      `at ${n.toLocaleString("en")}${j ? "" : " (all runs)"}`)], rows }],
  });
}

export default { render };
