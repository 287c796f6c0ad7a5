// Measured time and memory against length: two methods compared, the others behind them.
import { drawing, outline, write } from "../../kit/widgets/canvas.js";
import { GUESS, guessLinks, guessOf, listed, miss, revealButton } from "../../kit/widgets/guess.js";
import { grouped, real, shell, walk } from "../../kit/widgets/shell.js";
import { dot } from "./shared.js";
import { curvesView, guessed, look, TITLE, UNIT } from "./curves.js";

const TRAITS = ["one", "other", "direction", "quantity", "log_axes", "all_methods", "seq_len"];

function costState(model) {
  const [one, other, direction, what, log, all, length] = TRAITS.map((key) => model.get(key));
  const cells = model.get("cells")[direction], names = model.get("names");
  const lengths = model.get("lengths");
  const chosen = Object.keys(names).filter((name) => all || name === one || name === other);
  const curves = Object.fromEntries(chosen.map((name) =>
    [name, lengths.map((n) => cells[n]?.[name]?.[what] ?? null)]));
  const at = lengths.indexOf(length), guess = guessOf(model), start = curves[one].find((v) => v > 0);
  const guesses = guess.steps.map((step) => guessed(start, step));
  const visible = guess.hidden ? { [one]: curves[one] } : curves;
  return { one, other, what, log, lengths, names, curves, at, length, guess, start, guesses,
    shown: { curves: visible, at, guesses } };
}

/** Three digits and a unit, of milliseconds or of MiB. */
function amount(value, what) {
  if (value === null) return "not measured";
  const [v, unit] = what === "ms" && value >= 1000 ? [value / 1000, "s"]
    : what === "mib" && value >= 1024 ? [value / 1024, "GiB"] : [value, UNIT[what]];
  return `${real(v, v < 9.995 ? 2 : v < 99.95 ? 1 : 0)} ${unit}`;
}

/** How many times more `a` is than `b`, or less. */
function ratio(a, b) {
  if (a === null || b === null) return "no comparison here";
  const x = a / b, digits = x < 0.0995 ? 3 : x < 9.95 ? 2 : x < 99.5 ? 1 : 0;
  return `${real(x, digits)} times as much`;
}

function costWords(s, choice) {
  const name = choice?.kind === "bar" ? Object.keys(s.curves)[choice.item] : null;
  if (s.guess.hidden && name !== s.one) return guessWords(s, choice?.kind === "bar" ? null : choice);
  if (name) {
    const value = s.curves[name][s.at];
    return `${s.names[name]} at ${grouped(s.length)}: ${amount(value, s.what)}` +
      (name === s.other || s.guess.hidden ? "."
        : `; against ${s.names[s.other]}: ${ratio(value, s.curves[s.other][s.at])}.`);
  }
  const i = choice ? choice.item : s.at, [a, b] = [s.curves[s.one][i], s.curves[s.other][i]];
  const missed = s.guess.steps[i] && b
    ? ` You guessed ${amount(s.guesses[i], s.what)}: ${miss(s.guesses[i], b)}.` : "";
  return `Length ${grouped(s.lengths[i])}, ${TITLE[s.what]}: ${s.names[s.one]} ${amount(a, s.what)}, ` +
    `${s.names[s.other]} ${amount(b, s.what)}` +
    (s.one === s.other ? "." : `; the first is ${ratio(a, b)}.`) + missed;
}

/** What is said while the second curve is hidden. */
function guessWords(s, choice) {
  if (choice)
    return `Length ${grouped(s.lengths[choice.item])}: ${s.names[s.one]} ${amount(s.curves[s.one][choice.item], s.what)}. ` +
      (s.guess.steps[choice.item] ? `You guess ${amount(s.guesses[choice.item], s.what)} for ${s.names[s.other]}.`
        : `No guess for ${s.names[s.other]} yet.`);
  if (!s.guess.made)
    return `Guess the ${TITLE[s.what]} of ${s.names[s.other]}: drag the dots, or focus the picture and press ` +
      "arrow keys. Then reveal it.";
  const known = s.lengths.map((_, i) => i).filter((i) => s.guess.steps[i]);
  return `You guess for ${s.names[s.other]}: ${listed(known.map((i) => amount(s.guesses[i], s.what)))} ` +
    `at ${listed(known.map((i) => grouped(s.lengths[i])))} tokens.`;
}

/** Growth over the last doubling that was measured. */
function growth(s, name) {
  const values = s.curves[name], last = values.findLastIndex((v) => v !== null);
  if (last < 1 || !values[last - 1]) return `${s.names[name]}: not enough measured.`;
  return `${s.names[name]}: from ${grouped(s.lengths[last - 1])} to ${grouped(s.lengths[last])} tokens, ` +
    `${real(values[last] / values[last - 1], 1)} times the ${TITLE[s.what]}.`;
}

function costFacts(s) {
  const doubling = ["2", "Twice as long: 2 times is linear growth, 4 times is quadratic."];
  if (s.guess.hidden) return [["●", growth(s, s.one), "query"], doubling];
  const [a, b] = [s.curves[s.one], s.curves[s.other]];
  const less = s.lengths.filter((_, i) => a[i] !== null && b[i] !== null && b[i] < a[i]);
  const both = s.lengths.filter((_, i) => a[i] !== null && b[i] !== null);
  const where = less.length === 0 ? "at no measured length" : less.length === both.length
    ? `at all ${both.length} lengths where both were measured` : `at ${less.map(grouped).join(", ")}`;
  return [
    ["●", growth(s, s.one), "query"],
    ["□", growth(s, s.other), "key"],
    ...(s.one === s.other ? []
      : [["<", `${s.names[s.other]} needs less ${TITLE[s.what]} than ${s.names[s.one]} ${where}.`]]),
    doubling,
  ];
}

/** All methods at the length of the cursor, as bars. */
function barsView() {
  const { canvas, context, begin } = drawing("All shown methods at the length of the cursor. " +
    "Arrow keys move from bar to bar.");
  const TOP = 34, ROW = 50;
  let total = 0;

  function draw(s, { width, colors, chosen }) {
    const names = Object.keys(s.curves), { hidden, steps } = s.guess;
    const guess = steps[s.at] ? s.guesses[s.at] : 0;
    const most = Math.max(...names.map((name) => s.curves[name][s.at] ?? 0), guess);
    total = names.length;
    begin(width, TOP + ROW * total);
    write(context, `${TITLE[s.what]} at ${grouped(s.length)} tokens, one head`, 2, 10,
      { size: 14, align: "left", bold: true, color: colors.text });
    names.forEach((name, i) => {
      const { role, square } = look(s, name), y = TOP + ROW * i, long = (v) => Math.max((width - 4) * v / (most || 1), 1);
      const secret = hidden && name !== s.one, value = secret ? null : s.curves[name][s.at];
      const words = !secret ? amount(value, s.what) : name === s.other && guess ? `${amount(guess, s.what)}?` : "?";
      dot(context, [7, y + 10], colors[role], 4, square);
      write(context, `${i + 1}  ${s.names[name]}`, 18, y + 10, { size: 13, align: "left", color: colors.text });
      write(context, words, width - 4, y + 10,
        { size: 13, align: "right", bold: chosen === i, color: value === null ? colors.muted : colors.text });
      context.fillStyle = colors[role];
      context.globalAlpha = chosen === null || chosen === i ? 1 : 0.4;
      if (value !== null) context.fillRect(2, y + 21, (name === s.one ? 1 : s.guess.share) * long(value), 15);
      context.globalAlpha = 1;
      if (name === s.other && guess)
        outline(context, 2, y + 21, long(guess), 15, colors.text, { thick: 1.5, dash: [3, 4] });
      if (chosen !== i) return;
      context.strokeStyle = colors.text;
      context.lineWidth = 1.5;
      context.strokeRect(1, y, width - 2, ROW - 9);
    });
  }

  function at(x, y) {
    const i = Math.floor((y - TOP) / ROW);
    return i >= 0 && i < total ? i : null;
  }
  return { kind: "bar", canvas, draw, at, step: (key, item) => walk(key, item, 0, total - 1, 0) };
}

function render({ model, el }) {
  const names = Object.entries(model.get("names"));
  const specs = [
    { kind: "select", key: "one", label: "● method", options: names },
    { kind: "select", key: "other", label: "□ against", options: names },
    { kind: "select", key: "direction", label: "passes",
      options: [["forward", "forward"], ["backward", "forward and backward"]] },
    { kind: "select", key: "quantity", label: "measured", options: [["ms", "time"], ["mib", "memory"]] },
    { kind: "range", key: "seq_len", label: "cursor at L", values: () => model.get("lengths"), text: grouped },
    { kind: "checkbox", key: "log_axes", label: "logarithmic axes" },
    { kind: "checkbox", key: "all_methods", label: "the other methods too" },
    revealButton(model, ["one", "other", "direction", "quantity"]),
    { kind: "button", label: "reset" },
  ];
  const rows = (s) => Object.keys(s.curves).flatMap((name) => s.lengths.map((n, i) =>
    [s.names[name], grouped(n), s.guess.hidden && name !== s.one ? "hidden" : amount(s.curves[name][i], s.what)]));
  return shell({ model, el }, {
    traits: [...TRAITS, ...GUESS], smooth: ["revealed"], pace: 800, specs,
    links: guessLinks(model, model.get("most_steps")), pictures: [curvesView(model), barsView()], state: costState,
    words: costWords, facts: costFacts,
    tables: [{ head: ["method", "length", "measured"], rows }],
  });
}

export default { render };
