// The widget of the chapter on ALiBi: slopes, heat map, straight line and staircase, weights.
import { count, setAll, shell } from "../../kit/widgets/shell.js";
import { linePlot } from "../../kit/widgets/plot.js";
import { describe, facts, textRows, TRAITS, words } from "./state.js";
import { fallingLine, fanState, fanWords } from "./fan.js";
import { biasPicture, slopePicture } from "./slopes.js";

/** On the way, lines and curves of one head become those of another. */
function mix(from, to, t) {
  if (from.length !== to.length || from.causal !== to.causal) return to;
  const pass = (a, b) => a + t * (b - a), all = (a, b) => b.map((value, i) => pass(a[i], value));
  const line = Object.fromEntries(["bias", "weights", "within"].map((key) =>
    [key, all(from.line[key], to.line[key])]));
  return { ...to, slope: pass(from.slope, to.slope), line };
}

function render({ model, el }) {
  const { max_heads, length, shares, deepest } = model.get("choices");
  const numHeads = (n) => // keep a head that there is
    setAll(model, { num_heads: n, head: Math.min(model.get("head"), n) });
  const directions = [[true, "past only (decoder)"], [false, "both, −m·|i − j|"]];
  const views = [["weights", "each weight"], ["within", "share within a distance"]];
  const specs = [
    { kind: "range", key: "num_heads", label: "heads", values: () => count(1, max_heads),
      choose: numHeads },
    { kind: "range", key: "head", label: "this head",
      values: () => count(1, model.get("num_heads")) },
    { kind: "range", key: "length", label: "tokens", values: () => length },
    { kind: "select", key: "causal", label: "direction", options: directions },
    { kind: "select", key: "view", label: "weights as", options: views },
    { kind: "button", label: "12 heads", set: { num_heads: 12, head: 9 } },
    { kind: "button", label: "16 heads", set: { num_heads: 16, head: 1 } },
    { kind: "button", label: "reset" },
  ];
  const x = "relative position (key − query)";
  const common = (s) => ({ first: s.first, last: s.last, start: 0, x });
  const visible = (values) => values.map((v) => (v < deepest ? NaN : v));
  const pair = (line, stairs, steps = true) => [
    { values: line, role: "position", words: "ALiBi" },
    { values: stairs, role: "text", dash: [5, 3], words: "MPNet", steps }];
  const slopes = slopePicture("Slope of each head. Arrow keys move from head to head, Enter " +
    "chooses one.", (head) => { model.set("head", head); model.save_changes(); });
  const matrix = biasPicture("Bias of the first tokens, queries down, keys across. Arrow keys " +
    "move from cell to cell.", model.get("bias_colors"), deepest);
  const lines = linePlot("Bias against relative position. Arrow keys move along it.", "offset",
    (s) => ({ ...common(s), y: "bias", high: 0.4 + Math.max(0, ...s.steps.bias),
      low: Math.max(deepest, 1.05 * Math.min(...s.line.bias, ...s.steps.bias)),
      series: pair(visible(s.line.bias), visible(s.steps.bias)) }), 240);
  const weights = linePlot("Weights with equal scores. Arrow keys move along them.", "offset",
    (s) => (s.view === "weights"
      ? { ...common(s), y: "weight, equal scores", low: 0,
        high: 1.08 * Math.max(...s.line.weights, ...s.steps.weights),
        series: pair(s.line.weights, s.steps.weights) }
      : { ...common(s), y: "share within the distance", low: 0, high: 1.04,
        series: pair(s.line.within, s.steps.within, false),
        lines: shares.map((share) => ({ at: share, words: `${100 * share} %` })) }), 240);
  const head = ["head", "slope", "factor per token", "bias at 1", "at 10", "at 100"];
  return shell({ model, el }, {
    traits: TRAITS, specs, pictures: [slopes, matrix, lines, weights], state: describe, mix, words,
    facts, tables: [{ head, rows: textRows }],
    simple: { pictures: [fallingLine(model)], state: fanState, words: fanWords, smooth: ["head"], mix: null,
      specs: [{ kind: "play", key: "head", label: "from head to head", ms: 1200, way: 700,
        values: () => count(1, model.get("num_heads")) }] },
  });
}

export default { render };
