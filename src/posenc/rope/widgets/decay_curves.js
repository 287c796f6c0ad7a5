// Score of one query and key against distance, its true bound, and the paper's mean.
import { createWidget, grouped, real } from "../../kit/widgets/widget.js";
import { GUESS, guessable, guessLinks, guessOf, revealButton } from "../../kit/widgets/guess.js";
import { listed } from "../../kit/widgets/numbers.js";
import { linePlot } from "../../kit/widgets/plot.js";

const TRAITS = ["content", "head_dim", "base"];
const PARTS = 24; // steps of a guess in the largest score

function decayState(model) {
  const [content, d, base] = TRAITS.map((key) => model.get(key)), guess = guessOf(model);
  const { score, bound } = model.get("curves")[`${content},${d},${base}`];
  const mean = model.get("means")[`${d},${base}`], { handles } = model.get("choices");
  const rises = (values) => values.filter((v, i) => i && v > values[i - 1]).length;
  const size = score.map(Math.abs), unit = Math.max(...size) / PARTS;
  const guesses = guess.steps.map((step) => score[0] + step * unit);
  const moved = handles.map((_, i) => i).filter((i) => guess.steps[i]);
  return { content, d, score, bound, mean, size, unit, guess, guesses, handles, moved,
    rises: { score: rises(score), mean: rises(mean) },
    shown: { ...(guess.hidden ? {} : { score }), bound, mean, guesses } };
}

/** The guess at a distance, on a straight line between two handles. */
function guessAt(s, n) {
  const [x, y] = [[0, ...s.handles], [s.score[0], ...s.guesses]];
  const i = Math.max(1, x.findIndex((at) => at >= n));
  return y[i - 1] + (n - x[i - 1]) / (x[i] - x[i - 1]) * (y[i] - y[i - 1]);
}

function decayWords(s, choice) {
  const { hidden, made } = s.guess;
  if (choice) {
    const n = choice.item, [guess, bound] = [guessAt(s, n), s.bound[n]].map((v) => real(v, 1));
    return `Distance ${n}: ${hidden ? (made ? `you guess ${guess}` : "no guess yet") : `score ${real(s.score[n], 1)}`}, bound ${bound}, ` +
      `mean of |S| ${real(s.mean[n])}.${made && !hidden ? ` You guessed ${guess}.` : ""}`;
  }
  if (!hidden && !made) return "Point at a curve, tap it, or press arrow keys in a focused picture.";
  if (!made)
    return `Guess the score, which is ${real(s.score[0], 1)} at distance 0: drag the dots, or focus the picture ` +
      "and press arrow keys. Then reveal it.";
  if (hidden)
    return `You guess ${listed(s.moved.map((i) => real(s.guesses[i], 1)))} at ${s.moved.length > 1 ? "the distances" : "distance"} ` +
      `${listed(s.moved.map((i) => s.handles[i]))}.`;
  const off = (i) => Math.abs(s.guesses[i] - s.score[s.handles[i]]);
  const i = s.moved.reduce((worst, one) => (off(one) > off(worst) ? one : worst));
  return `Of the dots that you moved, that at distance ${s.handles[i]} is furthest off: ${real(s.guesses[i], 1)}; the ` +
    `score is ${real(s.score[s.handles[i]], 1)}.`;
}

function decayFacts(s) {
  const last = s.score.length - 1, top = s.score.indexOf(Math.max(...s.score));
  const mean = ["╌", `The paper’s mean rises at ${s.rises.mean} of ${last} steps. It does not look at ` +
    "q and k at all, and it is no bound.", "position"];
  return s.guess.hidden ? [mean] : [
    ["▬", `From distance 0 to ${last} the score goes from ${real(s.score[0], 1)} to ` +
      `${real(s.score[last], 1)}; it rises at ${s.rises.score} of ${last} steps. ` +
      `It is largest at distance ${top}.`],
    mean,
    ["·", `The true bound holds at every distance. At 0 it is ` +
      `${grouped(Math.round(s.bound[0] / s.size[0]))} times the size of the score.`, "key"],
  ];
}

function render({ model, el }) {
  const choices = model.get("choices"), plain = (values) =>
    values.map((n) => [n, n.toLocaleString("en-US")]);
  const specs = [
    { kind: "select", key: "content", label: "q and k", options: choices.content },
    { kind: "select", key: "head_dim", label: "head size d", options: plain(choices.head_dim) },
    { kind: "select", key: "base", label: "base", options: plain(choices.base) },
    revealButton(model, TRAITS),
    { kind: "button", label: "reset" },
  ];
  const common = { first: 0, last: choices.last, x: "distance (tokens)" };
  const low = (s) => Math.min(0, 1.1 * Math.min(...s.score));
  const scores = linePlot("Score and mean against distance. While you guess the score, arrow keys move its " +
    "dots. Later they move along the curves.", "distance",
    (s) => ({ ...common, low: low(s), high: 1.08 * Math.max(...s.size, ...s.mean), y: "score",
      series: [{ values: s.score, role: "text", words: "score", share: s.guess.share },
        { values: s.mean, role: "position", dash: [6, 4], words: "mean of |S|, as in the paper" }] }));
  const right = linePlot("Bound, size of the score, mean, logarithmic. Arrow keys move along them.",
    "distance", (s) => ({ ...common, low: 0.5, high: 1.3 * Math.max(...s.bound), log: true,
      y: "size (log scale)",
      series: [{ values: s.bound, role: "key", dash: [2, 3], words: "true bound" },
        { values: s.size, role: "text", words: "|score|", share: s.guess.share },
        { values: s.mean, role: "position", dash: [6, 4], words: "mean of |S|" }] }));
  let now = null; // what is drawn
  const draw = (s, frame) => { now = s; scores.draw(s, frame); };
  const left = guessable(model, { ...scores, draw }, {
    items: choices.handles, most: choices.most, start: () => scores.place(0, now.score[0]),
    place: (i, step) => scores.place(choices.handles[i], now.score[0] + step * now.unit),
    stepAt: (_, y) => (scores.valueAt(y) - now.score[0]) / now.unit,
  });
  const rows = (s) => s.score.map((v, n) =>
    [n, s.guess.hidden ? "hidden" : real(v, 1), real(s.bound[n], 1), real(s.mean[n])]).filter(([n]) => n % 10 === 0);
  return createWidget({ model, el }, {
    traits: [...TRAITS, ...GUESS], smooth: ["revealed"], pace: 800, specs,
    links: guessLinks(model, choices.most), pictures: [left, right], state: decayState,
    words: decayWords, facts: decayFacts,
    tables: [{ head: ["distance", "score", "true bound", "mean of |S|"], rows }],
  });
}

export default { render };
