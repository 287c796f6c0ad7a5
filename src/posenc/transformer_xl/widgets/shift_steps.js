// Widget: the relative shift step by step, for any number of queries and keys.
import { colorTable, write } from "../../kit/widgets/canvas.js";
import { cellGrid } from "../../kit/widgets/matrix.js";
import { plural } from "../../kit/widgets/numbers.js";
import { productGrid, slash, wayOf } from "../../kit/widgets/products.js";
import { count, createWidget, sentencesOf, setAll } from "../../kit/widgets/widget.js";

/** A cell by its name: a letter for the query, a digit for the distance, a star on garbage; "0" is the pad. */
function cellOf(starred) {
  const row = "abcdefgh".indexOf(starred[0]), name = starred.replace("*", "");
  const kind = row < 0 ? "zero" : name === starred ? "wanted" : "garbage";
  return { name, row, distance: Number(name[1]), kind };
}

const LEFT = 18, TOP = 42; // margins, in pixels, for the numbers of rows and columns and the title
const LEAST = 22; // width of a number in a row that is broken into lines
const ROOM = 190; // height for a table that is taller than the first

/** Width of a cell of a table. */
const wideOf = (cells, width) => Math.min((width - LEFT - 4) / cells[0].length, 46);

/** Lines of a table: one for each row, or several for the long row of the view. */
function linesOf(cells, width) {
  if (cells.length > 1) return cells;
  const [row] = cells, most = Math.floor((width - LEFT - 4) / LEAST);
  const long = Math.ceil(row.length / Math.ceil(row.length / Math.max(most, 1)));
  return count(0, Math.ceil(row.length / long) - 1).map((i) => row.slice(i * long, (i + 1) * long));
}

const TRAITS = ["q_len", "k_len", "method", "step", "followed"];

function describe(model) {
  const [q_len, k_len, method, step, followed] = TRAITS.map((key) => model.get(key));
  const names = model.get("choices").steps[method], steps = model.get("cells")[`${method},${q_len},${k_len}`];
  if (!steps?.[step] || followed >= q_len * k_len) return null;
  const products = steps[0].join(" ").split(" "), table = steps[step].map((row) => row.split(" "));
  const cells = table.map((row) => row.map(cellOf)), isFollowed = ({ name }) => name === products[followed];
  const places = placesOf(cells, isFollowed), done = step === names.length - 1;
  return {
    q_len, k_len, method, step, followed, names, cells, table, done, products, isFollowed,
    place: places[0], places, steps: steps.map((one) => one.map((row) => row.split(" "))),
    shown: { cells: table },
  };
}

const areSame = (one, other, keys) => keys.every((key) => one[key] === other[key]);

/** On the way from one step to another, each number is on its own. */
function mix(from, to, t) {
  if (!areSame(from, to, ["q_len", "k_len", "method"]) || from.step === to.step) return to;
  return { ...to, from: from.cells, t, places: [] };
}

/** Where a number is: a row of the view repeats the first one of the row below. */
function placesOf(cells, isFollowed) {
  const all = cells.flatMap((row, i) => row.flatMap((cell, j) => isFollowed(cell) ? [[i, j]] : []));
  const isWanted = (place) => cellAt({ cells }, place).kind === "wanted";
  return [...all.filter(isWanted), ...all.filter((place) => !isWanted(place))];
}

const cellAt = (s, [row, column]) => s.cells[row][column];

const title = (s) => `${s.step}. ${s.names[s.step]}`;

/** Words for a step and the place of the followed cell. */
function facts(s) {
  const { q_len: q, k_len: k } = s, memory = k - q;
  const pad = [
    `Row 0 holds the products of query a with ${k > 1 ? `the distances ${k - 1} … 0` : "distance 0"}.`,
    "A column of zeros on the left: rows are one number longer.",
    `The same numbers in the same order, read as rows of ${q}.`,
    `The first row, ${plural(q, "number")}, is dropped.`,
    `Read as rows of ${k} again: compared with the products, ${q > 1 ? `row i has moved to the left by ${q - 1} − i` : "nothing has moved"}.`,
  ];
  const view = [
    pad[0],
    `One row: the numbers as they lie in memory, from number ${q - 1} on. Nothing is copied.`,
    `Row i begins at number ${q > 1 ? `${q - 1} + ` : ""}i · ${k - 1} in memory and is ${k} long: a window.`,
  ];
  const found = [["→", (s.method === "pad" ? pad : view)[s.step], "position"]];
  const garbage = s.cells.flat().filter(({ kind }) => kind !== "wanted").length;
  if (s.done) found.push(
    ["╱", garbage
      ? `${garbage > 1 ? `${garbage} cells are` : "1 cell is"} garbage, ${garbage > 1 ? "all " : ""}with ` +
        `key > query${memory ? ` + ${memory}` : ""}: a mask hides ${garbage > 1 ? "them" : "it"}.`
      : "No cell is garbage."],
    ["▚", `Every diagonal ${garbage ? "of the others " : ""}holds one distance: query − key` +
      (memory ? `, plus the ${plural(memory, "key")} of the memory.` : ".")]);
  if (s.done && q === k && q > 1) found.push(
    ["=", "As many keys as queries: this is the skew of the Music Transformer" +
      (s.method === "view" ? ", apart from the garbage." : ".")]);
  return found;
}

/** Whether all numbers are in one row, counted as in memory. */
const isOneRow = (s) => s.method === "view" && s.step === 1;

const whereOf = (s, [row, column]) =>
  (isOneRow(s) ? `number ${column + s.q_len - 1} in memory`
    : `row ${row}, column ${column}`);

const meaning = ({ name, distance }) => `query ${name[0]} times distance ${distance}`;

const garbage = (s, place) => (cellAt(s, place).kind !== "garbage" ? ""
  : ` (garbage: this row belongs to query ${"abcde"[place[0]]})`);

/** Where the followed number is. */
function follow(s) {
  const name = s.products[s.followed];
  if (!s.place) return `${name} has been ${s.method === "pad" ? "dropped with the first row" : "skipped"}: ` +
    `query ${name[0]} has no key that far back.`;
  const places = s.places.map((place) => whereOf(s, place) + garbage(s, place));
  return `${name}, ${meaning(cellAt(s, s.place))}: ${places.join("; also ")}.`;
}

function words(s, choice) {
  if (!choice && s.followed >= 0) return follow(s);
  if (!choice) return "Point at a number, tap it, or press arrow keys in the focused picture. " +
    "A click, a tap or Enter follows it through the steps.";
  const cell = cellAt(s, choice.item), what = cell.row < 0 ? "the pad, a zero" : `${cell.name}, ${meaning(cell)}`;
  return `${what}: ${whereOf(s, choice.item)}${garbage(s, choice.item)}.`;
}

/** A number stays chosen when a click or Enter has made it the followed one. */
const keepFollowed = (choice, before, now) =>
  (areSame(before, now, TRAITS.slice(0, 4)) && now.isFollowed(cellAt(now, choice.item)) ? choice : null);

const numbers = (shade) => cellGrid(
  "Numbers of one step, row by row. Arrow keys move from number to number.", "number",
  (s, { width, colors }) => {
    const old = s.from ?? s.cells;
    const between = (of) => {
      const [before, after] = [old, s.cells].map(of);
      return before + (s.t ?? 1) * (after - before);
    };
    const lines = (cells) => linesOf(cells, width);
    const square = (cells) => lines(cells).length * Math.max(wideOf(lines(cells), width), LEAST);
    // All steps have the same room, so that the buttons do not move; the cells of tall ones are flat.
    const room = Math.max(square(s.steps[0]), Math.min(Math.max(...s.steps.map(square)), ROOM));
    const tall = (cells) => Math.min(square(cells), room);
    const bottom = TOP + room, top = bottom - between(tall);
    const wide = between((cells) => wideOf(lines(cells), width));
    const high = between((cells) => tall(cells) / lines(cells).length);
    const look = (cell) => ({ text: cell.name, kind: cell.kind, bold: s.isFollowed(cell),
      share: 1 - cell.distance / Math.max(s.k_len - 1, 1) });
    const head = { color: colors.text, plain: colors.muted };
    const parts = lines(s.cells), long = parts[0].length;
    const way = s.from && wayOf(lines(s.from), parts, ({ name }) => name, s.t);
    const frame = { color: colors.position, thick: 4, halo: false };
    const grid = { left: LEFT, top: top + 2, wide, high, look, shade, colors, cross: slash };
    const whole = () => [productGrid(s.cells, { ...grid, way,
      frames: s.places.map(([row, column]) => ({ ...frame, row, column })),
      heads: { rows: head, columns: { ...head, room: 16 } } })];
    const line = (cells, i) => productGrid([cells], { ...grid, top: grid.top + i * high, from: [0, i * long],
      way: way && [way[i].map(([row, column]) => [row - i, column])],
      frames: s.places.filter(([, column]) => Math.floor(column / long) === i)
        .map(([, column]) => ({ ...frame, row: 0, column: column % long })),
      heads: { rows: { ...head, words: () => i * long + s.q_len - 1 } } });
    return {
      width, height: bottom + 4,
      under: (context) => write(context, title(s), 2, top - 30,
        { align: "left", size: 13, color: colors.text }),
      start: s.place ?? [0, 0], rows: s.cells.length, columns: s.cells[0].length,
      grids: isOneRow(s) ? parts.map(line) : whole(),
    };
  });

function settings(model) {
  const get = (key) => model.get(key), { q_len, k_len, steps } = get("choices");
  const resize = (key) => (value) => setAll(model, { followed: -1, [key]: value });
  const last = () => steps[get("method")].length - 1;
  const go = (by) => () => model.set("step", (get("step") + by + last() + 1) % (last() + 1));
  const cellName = (n) => describe(model)?.products[n] ?? "–";
  const methods = [["pad", "pad and reshape"], ["view", "a view, no copy"]];
  return [
    { kind: "range", key: "q_len", label: "queries", choose: resize("q_len"),
      values: () => count(1, Math.min(q_len, get("k_len"))) },
    { kind: "range", key: "k_len", label: "keys", choose: resize("k_len"),
      values: () => count(get("q_len"), k_len) },
    { kind: "select", key: "method", label: "method", options: methods,
      choose: (value) => setAll(model, { step: 0, method: value }) },
    { kind: "range", key: "step", label: "step", values: () => count(0, last()) },
    { kind: "range", key: "followed", label: "follow", text: cellName,
      values: () => count(-1, get("q_len") * get("k_len") - 1) },
    { kind: "play", key: "step", label: "step by step", ms: 2000, way: 1200 },
    { kind: "button", label: "step back", press: go(-1) },
    { kind: "button", label: "next step", press: go(1) },
    { kind: "button", label: "reset" },
  ];
}

function render({ model, el }) {
  function press(item, s) {
    const { row, name } = cellAt(s, item);
    if (row < 0) return;
    model.set("followed", s.products.indexOf(name));
    model.save_changes();
  }
  return createWidget({ model, el }, {
    traits: TRAITS, specs: settings(model), state: describe, mix, pace: 900, words, facts,
    buttonsFirst: true, keep: keepFollowed,
    pictures: [{ ...numbers(colorTable(model.get("colors"))), press }],
    spoken: (s) => [`Step ${title(s)}.`, words(s, null), ...sentencesOf(facts(s))].join(" "),
    tables: [{ head: ["row", "numbers (* garbage)"],
      rows: (s) => s.table.map((row, i) => [i, row.join(" ")]) }],
  });
}

export default { render };
