// Measured time and memory against length: two methods compared, the others behind them.
import { drawing, outline, polyline, ring, UP, write } from "../../kit/widgets/canvas.js";
import { GUESS, guessable, guessLinks, guessOf, miss, revealButton } from "../../kit/widgets/guess.js";
import { listed } from "../../kit/widgets/numbers.js";
import { ticksOf } from "../../kit/widgets/plot.js";
import { createWidget, grouped, real, walk } from "../../kit/widgets/widget.js";
import { dot } from "./shared.js";

// Curves of measured cost on linear or logarithmic axes, with a cursor.
const UNIT = { ms: "ms", mib: "MiB" };
/** Steps of a guess in a doubling. */
const PARTS = 4;

/** Guessed value: steps up or down from the value of the first method. */
const guessed = (value, step) => value * 2 ** (step / PARTS);

const TITLE = { ms: "time", mib: "memory" };

/** Color, dashes and marker of a method. */
const look = (s, name) => (name === s.one ? { role: "query", dash: [] }
  : name === s.other ? { role: "key", dash: [8, 4], square: true }
    : { role: "muted", dash: [2, 3] });

/** The curves: one can be guessed; then arrow keys and clicks move the cursor. */
function curvesView(model) {
  const { canvas, context, begin } = drawing("Measured curves against length. While you guess one, arrow " +
    "keys move its dots. Later arrow keys and clicks move the cursor.");
  let s = null, box = null, scale = null;
  const bend = (v) => (s.log ? Math.log10(v) : v);
  const share = (v, [low, high]) => (bend(v) - bend(low)) / (bend(high) - bend(low));
  const x = (n) => box.left + share(n, scale.x) * (box.right - box.left);
  const y = (v) => box.bottom - share(v, scale.y) * (box.bottom - box.top);

  function draw(state, { width, colors, chosen }) {
    s = state;
    begin(width, 340);
    box = { left: 56, right: width - 24, top: 58, bottom: 296 };
    const values = Object.values(s.curves).flat().filter((v) => v !== null && v > 0);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    scale = { x: s.log ? [s.lengths[0] / 1.15, s.lengths.at(-1) * 1.15] : [0, s.lengths.at(-1) * 1.04],
      y: s.log ? [low / 1.4, high * 1.4] : [0, high * 1.06] };
    drawFrame(colors);
    const names = Object.keys(s.curves).sort((a, b) => look(s, b).role.localeCompare(look(s, a).role));
    context.save(); // what is revealed comes from the left
    context.beginPath();
    context.rect(0, 0, s.guess.share < 1 ? box.left + s.guess.share * (box.right - box.left) : width, 340);
    context.clip();
    names.filter((name) => name !== s.one && !s.guess.hidden).forEach((name) => drawCurve(name, colors));
    context.restore();
    drawCurve(s.one, colors);
    drawNumbers(colors);
    cursor(s.at, colors, colors.position, []);
    if (chosen !== null && chosen !== s.at) cursor(chosen, colors, colors.muted, [2, 3]);
    [...new Set([s.one, ...(s.guess.hidden ? [] : [s.other])])].forEach((name, i) => {
      const { role, square, dash } = look(s, name);
      polyline(context, colors[role], [[4, 13 + 20 * i], [34, 13 + 20 * i]], { dash, thick: 2 });
      dot(context, [19, 13 + 20 * i], colors[role], 4, square);
      write(context, s.names[name], 42, 13 + 20 * i, { size: 13, align: "left", color: colors.text });
    });
  }

  function drawFrame(colors) {
    for (const v of ticksOf(...scale.y, s.log)) {
      polyline(context, colors.raised, [[box.left, y(v)], [box.right, y(v)]]);
      write(context, grouped(+v.toPrecision(6)), box.left - 6, y(v), { size: 11, align: "right", color: colors.muted });
    }
    polyline(context, colors.line, [[box.left, box.bottom], [box.right, box.bottom]]);
    let free = -Infinity; // no label over the one before it
    for (const n of s.lengths) {
      polyline(context, colors.line, [[x(n), box.bottom], [x(n), box.bottom + 4]]);
      if (x(n) - 20 < free) continue;
      free = x(n) + 22;
      write(context, grouped(n), Math.min(x(n), box.right + 4), box.bottom + 14, { size: 11, color: colors.muted });
    }
    write(context, "length L (tokens)", (box.left + box.right) / 2, box.bottom + 34,
      { size: 13, color: colors.position });
    write(context, `${TITLE[s.what]} (${UNIT[s.what]})`, 8, box.top,
      { size: 13, align: "right", turn: UP, color: colors.text });
  }

  function drawCurve(name, colors) {
    const { role, dash, square } = look(s, name);
    const points = s.curves[name].map((v, i) => v > 0 && [x(s.lengths[i]), y(v)]).filter(Boolean);
    polyline(context, colors[role], points, { dash, thick: role === "muted" ? 1.2 : 2 });
    points.forEach((point) => dot(context, point, colors[role], role === "muted" ? 2.5 : 4, square));
  }

  /** At the end of each curve its number in the bars, pushed apart where ends are close. */
  function drawNumbers(colors) {
    const ends = Object.keys(s.curves).map((name, i) => {
      const last = s.curves[name].findLastIndex((v) => v > 0);
      return last < 0 || (name !== s.one && s.guess.share < 1) ? null : { name, words: i + 1, last, y: y(s.curves[name][last]) };
    }).filter(Boolean).sort((a, b) => a.y - b.y);
    const taken = {};
    for (const end of ends) {
      const free = Math.max(end.y, taken[end.last] ?? -Infinity);
      taken[end.last] = free + 13;
      write(context, end.words, x(s.lengths[end.last]) + 13, free,
        { size: 12, bold: true, color: colors[look(s, end.name).role] });
    }
  }

  function cursor(i, colors, color, dash) {
    const n = s.lengths[i];
    polyline(context, color, [[x(n), box.top], [x(n), box.bottom]], { dash, thick: 1.5 });
    for (const name of s.guess.share < 1 ? [s.one] : [s.one, s.other]) {
      const value = s.curves[name][i];
      if (!value) continue;
      ring(context, x(n), y(value), 7.5, colors.text, 1.5);
    }
  }

  function at(px) {
    if (!box || px < box.left - 12 || px > box.right + 12) return null;
    const far = s.lengths.map((n) => Math.abs(x(n) - px));
    return far.indexOf(Math.min(...far));
  }
  function move(i) {
    model.set("seq_len", s.lengths[i]);
    model.save_changes();
  }
  function step(key) {
    const i = walk(key, s.at, 0, s.lengths.length - 1, s.at);
    if (key !== "" && i !== undefined) move(i);
    return i === undefined ? undefined : null;
  }
  const inside = (py) => Math.max(box.top, Math.min(py, box.bottom));
  function valueAt(py) {
    const [low, high] = scale.y.map(bend), v = low + (box.bottom - inside(py)) / (box.bottom - box.top) * (high - low);
    return s.log ? 10 ** v : v;
  }
  return guessable(model, { kind: "length", canvas, context, draw, at, step, press: move }, {
    items: model.get("lengths").map((_, i) => i),
    most: model.get("most_steps"),
    place: (i, n) => [x(s.lengths[i]), inside(y(guessed(s.start, n)))],
    stepAt: (i, py) => PARTS * Math.log2(valueAt(py) / s.start),
  });
}

const TRAITS = ["one", "other", "direction", "quantity", "log_axes", "all_methods", "seq_len"];

const same = (model) => model.get("one") === model.get("other");

/** The guess; with one method alone there is nothing to guess. */
const guessFor = (model) => ({ ...guessOf(model), ...(same(model) && { made: false, share: 1, hidden: false }) });

function costState(model) {
  const [one, other, direction, what, log, all, length] = TRAITS.map((key) => model.get(key));
  const cells = model.get("cells")[direction], names = model.get("names");
  const lengths = model.get("lengths");
  const chosen = Object.keys(names).filter((name) => all || name === one || name === other);
  const curves = Object.fromEntries(chosen.map((name) =>
    [name, lengths.map((n) => cells[n]?.[name]?.[what] ?? null)]));
  const at = lengths.indexOf(length), guess = guessFor(model), start = curves[one].find((v) => v > 0);
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

/** Say how many times `b` the number `a` is. */
function ratio(a, b) {
  const x = a / b, digits = x < 0.0995 ? 3 : x < 9.95 ? 2 : x < 99.5 ? 1 : 0;
  return `${real(x, digits)} times`;
}

function costWords(s, choice) {
  const name = choice?.kind === "bar" ? Object.keys(s.curves)[choice.item] : null;
  if (s.guess.hidden && name !== s.one) return guessWords(s, choice?.kind === "bar" ? null : choice);
  if (name) {
    const value = s.curves[name][s.at];
    const other = name === s.other || s.guess.hidden ? null : s.curves[s.other][s.at];
    return `${s.names[name]} at ${grouped(s.length)}: ${amount(value, s.what)}` +
      (value === null || other === null ? "." : `, ${ratio(value, other)} that of ${s.names[s.other]}.`);
  }
  const i = choice ? choice.item : s.at, [a, b] = [s.curves[s.one][i], s.curves[s.other][i]];
  const first = `Length ${grouped(s.lengths[i])}, ${TITLE[s.what]}: ${s.names[s.one]} ${amount(a, s.what)}`;
  if (s.one === s.other) return `${first}.`;
  const missed = s.guess.steps[i] && b
    ? ` You guessed ${amount(s.guesses[i], s.what)}: ${miss(s.guesses[i], b)}.` : "";
  return `${first}, ${s.names[s.other]} ${amount(b, s.what)}` + (a === null || b === null ? "."
    : `; the first ${s.what === "ms" ? "takes" : "needs"} ${ratio(a, b)} as ${s.what === "ms" ? "long" : "much"}.`) + missed;
}

/** Words while the second curve is hidden. */
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

/** Growth per doubling, on average over up to three: one alone may be noise. */
function growth(s, name) {
  const values = s.curves[name], last = values.findLastIndex((v) => v !== null);
  const first = values.findIndex((v, i) => v && i >= last - 3 && i < last);
  if (first < 0) return `${s.names[name]}: not enough measured.`;
  const doublings = Math.log2(s.lengths[last] / s.lengths[first]);
  return `${s.names[name]}: from ${grouped(s.lengths[first])} to ${grouped(s.lengths[last])} tokens, ` +
    `${real((values[last] / values[first]) ** (1 / doublings), 1)} times the ${TITLE[s.what]} with each doubling.`;
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
    ...(s.one === s.other ? []
      : [["□", growth(s, s.other), "key"], ["<", `${s.names[s.other]} needs less ${TITLE[s.what]} than ${s.names[s.one]} ${where}.`]]),
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
    revealButton(model, ["one", "other", "direction", "quantity"], () => same(model)),
    { kind: "button", label: "reset" },
  ];
  const rows = (s) => Object.keys(s.curves).flatMap((name) => s.lengths.map((n, i) =>
    [s.names[name], grouped(n), s.guess.hidden && name !== s.one ? "hidden" : amount(s.curves[name][i], s.what)]));
  return createWidget({ model, el }, {
    traits: [...TRAITS, ...GUESS], smooth: ["revealed"], pace: 800, specs,
    links: guessLinks(model, model.get("most_steps")), pictures: [curvesView(model), barsView()], state: costState,
    words: costWords, facts: costFacts,
    tables: [{ head: ["method", "length", "measured"], rows }],
  });
}

export default { render };
