// Keys of a config, one after another: wavelengths of the planes beside the trained length.
import { disk, drawing, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { tileAt, tiling } from "../../kit/widgets/matrix.js";
import { element, KEYS } from "../../kit/widgets/controls.js";
import { linePlot } from "../../kit/widgets/plot.js";
import { createWidget, grouped, moving, plain, real, walk } from "../../kit/widgets/widget.js";

// A dial for each plane: the angles of training filled, the farthest one as a hand or a whole ring.
const TOP = -Math.PI / 2, HEIGHT = 330, HEAD = 22;

/** `state.planes` holds kinds of layers with `trained` and `longest`: turns of each plane. */
function turnDials(label, looks) {
  const { canvas, context, begin } = drawing(label);
  let grids = [], count = 0;

  function draw({ planes, kindWords }, { width, colors, chosen }) {
    let top = 0;
    count = Math.max(...planes.map((kind) => kind.longest.length));
    grids = planes.map((kind) => {
      const grid = tiling(kind.longest.length, width, HEIGHT / planes.length - HEAD, 60);
      const found = { ...grid, top: top + HEAD };
      top = found.top + Math.ceil(grid.count / grid.across) * grid.cell;
      return found;
    });
    begin(width, top);
    planes.forEach((kind, k) => {
      const { role } = looks[k], head = grids[k].top - HEAD / 2;
      write(context, kindWords[k], 2, head, { size: 12.5, align: "left", color: colors.text });
      kind.longest.forEach((_, i) => drawDial(kind, i, grids[k], colors, colors[role], chosen));
    });
  }

  function drawDial({ trained, longest }, i, { across, cell, top }, colors, color, chosen) {
    const x = (i % across + 0.5) * cell, y = top + (Math.floor(i / across) + 0.5) * cell;
    const radius = cell / 2 - 2, picked = chosen === i;
    const shown = Math.min(trained?.[i] ?? 0, 1) * 2 * Math.PI;
    const end = TOP + (longest[i] ?? 0) * 2 * Math.PI;
    disk(context, x, y, radius, colors.raised);
    context.globalAlpha = 0.45;
    if (shown) disk(context, x, y, radius, color, TOP, TOP + shown);
    context.globalAlpha = 1;
    ring(context, x, y, radius, picked ? colors.text : colors.line, picked ? 2.5 : 1);
    if (longest[i] >= 1) return ring(context, x, y, radius - 2, color, 3);
    polyline(context, color, [[x, y], [x + radius * Math.cos(end), y + radius * Math.sin(end)]],
      { thick: 2 });
  }

  function at(x, y) {
    for (const grid of grids) {
      const found = tileAt(grid, x, y - grid.top);
      if (found !== null) return found;
    }
    return null;
  }
  const step = (key, item) => walk(key, item, 0, count - 1, 0, grids[0].across);
  return { kind: "plane", canvas, draw, at, step };
}

/** Field for a config of the reader's own; on a page without Python, a note in its place. */
function ownConfig(model) {
  if (!model.get("live"))
    return { node: element("p", { class: "pe-note" }, "A config of your own needs Python: change " +
      "the cell under “Read a config” and run it there, or run this notebook."), refresh() {} };
  const area = element("textarea", { rows: 4, spellcheck: "false", style: "width: 100%", ...KEYS });
  const button = element("button", { type: "button", ...KEYS }, "read it");
  button.addEventListener("click", () => {
    model.set("text", area.value); model.save_changes();
  });
  const label = element("label", {}, element("span", {}, "a config.json of your own"), area);
  const node = element("div", { class: "pe-control" }, label, button);
  return { node, refresh() { if (!model.get("text")) area.value = ""; } };
}

// The report on a family of models, or on a config of another method that was pasted.
const LOOK = "white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow: auto";

/** `reports`: what Python says of each family when all its keys are absent. */
function familyReport(reports) {
  const text = element("pre", { style: LOOK, tabindex: 0, role: "region", "aria-label": "report",
    hidden: "", ...KEYS });
  const names = Object.keys(reports);
  const options = ["", ...names].map((name) =>
    element("option", { value: name }, name || "choose one"));
  const select = element("select", KEYS, ...options);
  const label = element("label", {},
    element("span", {}, "a family's defaults"), select);
  let pasted = "";
  function show(words) {
    text.textContent = words;
    text.hidden = !words;
  }
  select.addEventListener("change", () => show(reports[select.value] ?? pasted));
  function refresh({ report = "" }) {
    if (report === pasted) return;
    pasted = report;
    select.value = "";
    show(report);
  }
  return { node: element("div", {}, element("div", { class: "pe-control" }, label), text), refresh };
}

// `describe` knows two types of layers, so there are at most two kinds that turn.
const OWN = ["model", "step", "text"], LOOKS = [
  { role: "position", before: "query", mark: "●", spots: { dots: true } },
  { role: "key", before: "value", mark: "○", spots: { rings: true } }];

const UNKNOWN = ", training unknown (nothing filled)";

const between = (a, b, t) => (a && b ? a * (b / a) ** t : b);
const isOne = (names) => /^\d+$/.test(names);
const layers = (names, first = "l") => `${first}ayer${isOne(names) ? "" : "s"} ${names}`;
const tokens = (n) => (n < 100 ? real(n, 1) : Math.round(n).toLocaleString("en-US"));

/** Two steps and the way between them: numbers of planes that both have pass, others jump. */
function halfway(low, high, t) {
  const line = (key) => (low[key] && high[key] ? between(low[key], high[key], t) : high[key]);
  const kinds = high.planes.map((kind, k) => {
    const old = low.planes[k];
    const same = old && old.waves.length === kind.waves.length;
    const pass = (key) => kind[key]?.map((v, i) =>
      (same && old[key] ? between(old[key][i], v, t) : v));
    return { ...kind, waves: pass("waves"), before: pass("before"), trained: pass("trained"),
      longest: pass("longest"), window: between(old?.window, kind.window, t) };
  });
  return { ...high, planes: kinds, trained: line("trained"), promised: line("promised") };
}

function keyState(model) {
  const own = model.get("own"), all = model.get("tables")[model.get("model")];
  const step = model.get("step"), reads = own.planes !== undefined;
  const low = Math.floor(step), high = Math.ceil(step);
  const now = reads ? own : halfway(all[low], all[high], low === high ? 1 : step - low);
  const highest = Math.max(...(reads ? [own] : all).flatMap((one) =>
    [one.promised, ...one.planes.flatMap((kind) => kind.waves)]));
  const count = Math.max(...now.planes.map((kind) => kind.waves.length));
  return { ...now, reads, wrong: own.wrong, report: own.report, step, last: all.length - 1, count, top: 4 * highest,
    name: reads ? "your config" : model.get("model"), kindWords: now.planes.map(dialWords),
    shown: { label: now.label, waves: now.planes.map((kind) => kind.waves),
      trained: now.trained, lines: lines(now), never: now.planes.map((kind) => kind.never),
      dials: now.planes.map((kind) => [kind.trained, kind.longest]) } };
}

const dialWords = ({ window, trained }, k, all) =>
  (all.length > 1 ? `${window ? "window" : "all tokens"}${trained ? "" : UNKNOWN}`
    : `planes, from the fastest${trained ? "" : UNKNOWN}`);

function keyWords(s, choice) {
  if (!choice) return s.wrong ? `Your config cannot be read: ${s.wrong}`
    : s.report ? `In your config no layer turns: its report is below. The pictures show ${s.name}.`
    : `${s.name}, ${s.reads ? "as Python reads it" : `step ${s.step} of ${s.last}`}: ` +
      `${s.reads || !s.step ? "" : `${s.label}. `}${s.says}`;
  const i = choice.item, told = s.planes.filter((kind) => i < kind.waves.length).map((kind) => {
    const wave = kind.waves[i], made = kind.within / kind.before[i];
    if (wave === null) return `${layers(kind.layers)}: it stands still`;
    return `${layers(kind.layers)}: a turn takes ${tokens(wave)} tokens; within ` +
      `${grouped(kind.within)} it makes ${real(made)} turns before stretching, and ` +
      `${real(kind.longest[i])} within ${grouped(kind.reach)} tokens now`;
  });
  return `Plane ${i}, ${told.join("; ")}.`;
}

function slowed({ kept, alike, slower: [fast, slow] }) {
  if (slow <= 1) return "all planes keep their speed.";
  if (alike) return `all planes are ${slow} times as slow.`;
  const first = kept > 1 ? `planes 0 to ${kept - 1} keep their speed`
    : kept ? "plane 0 keeps its speed" : `plane 0 is ${fast} times as slow`;
  return `${first}; others are up to ${slow} times as slow.`;
}

function keyFacts(s) {
  const isSlowed = s.planes.some((kind) => kind.slower[1] > 1);
  const told = s.planes.flatMap((kind, k) => {
    const { role, mark } = LOOKS[k], all = kind.waves.length, n = grouped(kind.within);
    const span = kind.window === kind.within ? `the window of ${n} tokens` : `${n} tokens`;
    const split = kind.turned < kind.head;
    const part = split ? `${kind.turned} of ${kind.head} features turn; ` : "";
    const whose = split ? "The part of queries and keys that turns is" : "Queries and keys are";
    const still = kind.waves.filter((wave) => wave === null).length, slow = kind.slower[1];
    const count = still ? `${all - still} planes that turn` : `${all} planes`;
    const speeds = kind.known ? "the speeds before stretching" : "the stretched speeds";
    const old = slow > 1 ? `, at ${speeds}` : "";
    const lines = [[mark, `${layers(kind.layers, "L")}: ${part}${kind.never} of ${count} make no ` +
      `whole turn within ${span}${old}.`, role]];
    if (still) lines.push(["–", `${still} planes stand still.`]);
    if (isSlowed) lines.push(["→", `${layers(kind.layers, "L")}: ${slowed(kind)}`]);
    if (kind.factor !== 1) lines.push(["×", `${whose} multiplied by ${kind.factor}.`]);
    if (kind.scores !== 1) lines.push(["×", `Scores are multiplied by ${kind.scores}.`]);
    return lines;
  });
  if (s.still) told.push(["–", `${layers(s.still, "L")} ${isOne(s.still) ? "does" : "do"} not turn.`]);
  return [...told, ...s.warnings.map((words) => ["!", words])];
}

function series(s) {
  return s.planes.flatMap((kind, k) => {
    const name = s.planes.length > 1 ? ` (${kind.window ? "window" : "all tokens"})` : "";
    const values = (list) => Array.from({ length: s.count }, (_, i) => list[i] ?? NaN);
    const old = { values: values(kind.before), role: LOOKS[k].before, dash: [5, 4],
      words: `before stretching${name}` };
    const { role, spots } = LOOKS[k];
    return [{ values: values(kind.waves), role, ...spots, words: `now${name}` },
      ...(kind.slower[1] > 1 ? [old] : [])];
  });
}

/** The lengths, each in the color of the one kind of layers that it holds for, or gray. */
function lines({ planes, trained, promised }) {
  const wide = LOOKS.filter((_, k) => planes[k] && !planes[k].window);
  const line = (at, name, role, look = {}) =>
    ({ at, words: `${name}: ${grouped(Math.round(at))}`, role, ...look });
  const role = wide.length === 1 ? wide[0].role : "muted", last = promised !== trained;
  const windows = planes.map(({ window }, k) => [window, LOOKS[k].role]);
  return [
    ...(trained ? [line(trained, "trained", role, { below: last && promised < 4 * trained })] : []),
    ...(last ? [line(promised, "promised", role)] : []),
    ...windows.filter(([window]) => window && window !== promised)
      .map(([window, own]) => line(window, "window", own, { end: true, below: true })),
  ];
}

function render({ model, el }) {
  const choices = model.get("choices");
  const steps = () => choices.step, first = Object.fromEntries(OWN.map((k) => [k, model.get(k)]));
  const specs = [
    { kind: "select", key: "model", label: "model", options: plain(choices.model, (name) => name) },
    { kind: "range", key: "step", label: "keys so far", values: steps, text: String },
    { kind: "play", key: "step", label: "play the keys", ms: 6000, way: 1800, values: steps },
    { kind: "button", label: "reset", set: first },
  ];
  const about = "Tokens that each plane needs for a turn.";
  const plan = (s) => ({ first: 0, last: s.count - 1, low: 4, high: s.top, log: true,
    x: "plane", y: "tokens for one turn", series: series(s), lines: lines(s) });
  const curve = linePlot(`${about} Arrow keys move from plane to plane.`, "plane", plan, 360);
  const dials = { title: "A dial for each plane: filled, the angles of training; the hand, how " +
    "far the promised length or the window turns it; a colored ring in its place: at least once around.",
    ...turnDials("Dials of the planes. Arrow keys move from plane to plane.", LOOKS) };
  const growing = linePlot(`${about} Drag to the right, or press arrow keys: the config's keys come.`,
    "plane", plan, 320);
  const stepAt = (x) => (x / growing.canvas.clientWidth) * (choices.step.length - 1);
  const rows = (s) => s.planes.flatMap((kind) => kind.waves.map((wave, i) =>
    [kind.layers, i, tokens(kind.before[i]), wave === null ? "–" : tokens(wave)]));
  return createWidget({ model, el }, {
    traits: [...OWN, "own"], specs, between: true, smooth: ["step"], state: keyState, pictures: [curve, dials],
    words: keyWords, facts: keyFacts,
    after: [ownConfig(model), familyReport(model.get("reports"))],
    tables: [{ head: ["layers", "plane", "tokens per turn, before", "now"], rows }],
    simple: { specs: specs.filter((spec) => spec.kind === "play"),
      words: (s) => (s.step ? s.says : `${s.name}, before the keys that follow, ` +
        "with the family's values for absent keys. Each dot is a plane."),
      pictures: [{ ...growing, ...moving(model, growing.canvas, "step", choices.step, stepAt) }] },
  });
}

export default { render };
