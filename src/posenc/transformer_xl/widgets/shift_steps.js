// Widget: the relative shift step by step, for any number of queries and keys.
import { colorTable, write } from "../../kit/widgets/canvas.js";
import { cellGrid } from "../../kit/widgets/matrix.js";
import { productGrid, slash, wayOf } from "../../kit/widgets/products.js";
import { count, createWidget, sentencesOf, setAll } from "../../kit/widgets/widget.js";

/** A cell by its name: a letter for the query, a digit for the distance, a star on garbage; "0" is the pad. */
function cellOf(starred) {
  const row = "abcdefgh".indexOf(starred[0]), name = starred.replace("*", "");
  const kind = row < 0 ? "zero" : name === starred ? "wanted" : "garbage";
  return { name, row, distance: Number(name[1]), kind };
}

const TITLE = 24; // height of the words above a table, in pixels
const ROOM = 190; // height for a table that is taller than the first

/** Width of a cell of a table. */
const wideOf = (cells, width) => Math.min((width - 4) / cells[0].length, 46);

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

/** On the way from one step to another, each number is on its own. */
function mix(from, to, t) {
  const stays = ["q_len", "k_len", "method"].every((key) => from[key] === to[key]);
  if (!stays || from.step === to.step) return to;
  return { ...to, way: wayOf(from.cells, to.cells, ({ name }) => name, t), from: from.cells, t, places: [] };
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
    `Row 0 holds the products of query a with the distances ${k - 1} … 0.`,
    "A column of zeros on the left: rows are one number longer.",
    `The same numbers in the same order, read as rows of ${q}.`,
    `The first row, ${q} numbers, is dropped.`,
    `Read as rows of ${k} again: row i has moved to the left by ${q} − 1 − i.`,
  ];
  const view = [
    pad[0],
    `All numbers as they lie in memory, without the first ${q - 1}. Nothing is copied.`,
    `Row i begins at number i · ${k - 1} and is ${k} long: a window.`,
  ];
  const found = [["→", (s.method === "pad" ? pad : view)[s.step], "position"]];
  const garbage = s.cells.flat().filter(({ kind }) => kind !== "wanted").length;
  if (s.done) found.push(
    ["╱", garbage
      ? `${garbage} cells are garbage, all with key > query + ${memory}: a mask hides them.`
      : "No cell is garbage."],
    ["▚", "Every diagonal of the others holds one distance: query − key" +
      (memory ? `, plus the ${memory} keys of the memory.` : ".")]);
  if (s.done && q === k && q > 1) found.push(
    ["=", "As many keys as queries: this is the skew of the Music Transformer."]);
  return found;
}

const meaning = ({ name, distance }) => `query ${name[0]} times distance ${distance}`;

/** Where the followed number is. */
function follow(s) {
  const name = s.products[s.followed];
  if (!s.place) return `${name} has been dropped or skipped.`;
  const [place, ...again] = s.places.map(([row, column], n) =>
    `${n && cellAt(s, s.place).kind === "wanted" ? "as garbage in" : "in"} row ${row}, column ${column}`);
  return `${[`${name}, ${meaning(cellAt(s, s.place))}, is ${place}`, ...again].join(", and ")}.`;
}

function words(s, choice) {
  if (!choice && s.followed >= 0) return follow(s);
  if (!choice) return "Point at a number, tap it, or press arrow keys in the focused picture. " +
    "A click or a tap follows it through the steps.";
  const [row, column] = choice.item, cell = cellAt(s, choice.item);
  const place = `row ${row}, column ${column}: `;
  if (cell.row < 0) return `${place}the pad, a zero`;
  return `${place}${cell.name}, ${meaning(cell)}` + (cell.kind === "garbage" ? ": garbage here" : "");
}

const numbers = (shade) => cellGrid(
  "Numbers of one step, row by row. Arrow keys move from number to number.", "number",
  (s, { width, colors }) => {
    const old = s.from ?? s.cells;
    const between = (of) => {
      const [before, after] = [old, s.cells].map(of);
      return before + (s.t ?? 1) * (after - before);
    };
    const square = (cells) => cells.length * wideOf(cells, width);
    // All steps have the same room, so that the buttons do not move; the cells of tall ones are flat.
    const room = Math.max(square(s.steps[0]), Math.min(Math.max(...s.steps.map(square)), ROOM));
    const tall = (cells) => Math.min(square(cells), room);
    const bottom = TITLE + room, top = bottom - between(tall);
    const wide = between((cells) => wideOf(cells, width)), high = between((cells) => tall(cells) / cells.length);
    const look = (cell) => ({ text: cell.name, kind: cell.kind, bold: s.isFollowed(cell),
      share: 1 - cell.distance / Math.max(s.k_len - 1, 1) });
    const frames = s.places.map(([row, column]) =>
      ({ row, column, color: colors.position, thick: 4, halo: false }));
    return {
      width, height: bottom + 4,
      under: (context) => write(context, title(s), 2, top - 14,
        { align: "left", size: 13, color: colors.text }),
      start: s.place ?? [0, 0],
      grids: [productGrid(s.cells, { left: 2, top: top + 2, wide, high, look, shade, colors, cross: slash,
        way: s.way, frames })],
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
    buttonsFirst: true,
    pictures: [{ ...numbers(colorTable(model.get("colors"))), press }],
    spoken: (s) => [`Step ${title(s)}.`, words(s, null), ...sentencesOf(facts(s))].join(" "),
    tables: [{ head: ["row", "numbers (* garbage)"],
      rows: (s) => s.table.map((row, i) => [i, row.join(" ")]) }],
  });
}

export default { render };
