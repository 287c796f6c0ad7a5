// Widget: the relative shift step by step, for any number of queries and keys.
import { controls } from "./kit.js";
import { colorTable, drawing, write } from "./canvas.js";
import { frame, gridStep } from "./transformer_xl.js";
import { nameOf, shiftStep } from "./transformer_xl_cells.js";

const TRAITS = ["q_len", "k_len", "method", "step", "followed"];

function describe(model) {
  const [q_len, k_len, method, step, followed] = TRAITS.map((key) => model.get(key));
  const names = model.get("choices").steps[method];
  if (k_len < q_len || step >= names.length || followed >= q_len * k_len) return null;
  const cells = shiftStep(method, step, q_len, k_len), done = step === names.length - 1;
  const [row, distance] = [Math.floor(followed / k_len), k_len - 1 - (followed % k_len)];
  const isFollowed = (cell) => followed >= 0 && cell.row === row && cell.distance === distance;
  return { q_len, k_len, method, step, followed, names, cells, done, isFollowed };
}

/** What a step does, and where the followed cell is. */
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
  const garbage = s.cells.flat().filter((cell) => !cell.valid).length;
  if (s.done) found.push(
    ["╱", garbage
      ? `${garbage} cells are garbage, all with key > query + ${memory}: a mask hides them.`
      : "No cell is garbage."],
    ["▚", "Every diagonal of the others holds one distance: query − key" +
      (memory ? `, plus the ${memory} keys of the memory.` : ".")]);
  if (s.done && q === k && q > 1) found.push(
    ["=", "As many keys as queries: this is the skew of the Music Transformer."]);
  const place = s.cells.flatMap((row, y) => row.map((cell, x) => [cell, x, y]))
    .find(([cell]) => s.isFollowed(cell));
  if (s.followed >= 0) found.push(["◉", place
    ? `${nameOf(place[0])} is in row ${place[2]}, column ${place[1]}.`
    : "The followed number has been dropped or skipped."]);
  return found;
}

function words(s, choice) {
  const cell = choice && s.cells[choice.y]?.[choice.x];
  if (!cell) return "Point at a number, or press arrow keys in the focused picture. " +
    "A click follows it through the steps.";
  const place = `row ${choice.y}, column ${choice.x}: `;
  if (cell.row < 0) return `${place}the pad, a zero`;
  const what = `${nameOf(cell)}, query ${"abcdefgh"[cell.row]} times distance ${cell.distance}`;
  return place + what + (cell.valid ? "" : ": garbage here");
}

function grid(shade) {
  const { canvas, context, begin } = drawing(
    "Numbers of one step, row by row. Arrow keys move from number to number.");
  let size = 1;

  function draw(s, { width, colors, choice }) {
    const widest = Math.max(...s.cells.map((row) => row.length));
    size = Math.max(Math.min((width - 4) / widest, 46), 12);
    begin(Math.min(width, widest * size + 4), s.cells.length * size + 4);
    s.cells.forEach((row, y) => row.forEach((cell, x) => drawCell(s, cell, x, y, colors)));
    if (choice) frameAt(choice.x, choice.y, colors.text, 2);
    return s.cells.map((row) => row.map((cell) =>
      nameOf(cell) + (cell.valid || cell.row < 0 ? "" : "*")).join(" ")).join(" / ");
  }

  function drawCell(s, cell, x, y, colors) {
    const left = 2 + x * size, top = 2 + y * size, side = size - 2;
    let { fill, ink } = shade(1 - cell.distance / Math.max(s.k_len - 1, 1));
    if (!cell.valid) [fill, ink] = [colors.raised, colors.muted];
    context.lineWidth = 1;
    if (cell.row < 0) {
      context.strokeStyle = colors.muted;
      context.setLineDash([3, 3]);
      context.strokeRect(left + 2, top + 2, side - 4, side - 4);
      context.setLineDash([]);
    } else {
      context.fillStyle = fill;
      context.fillRect(left, top, side, side);
    }
    if (cell.row >= 0 && !cell.valid) {
      context.strokeStyle = ink;
      context.beginPath();
      context.moveTo(left + 3, top + side - 3);
      context.lineTo(left + side - 3, top + 3);
      context.stroke();
    }
    const bold = s.isFollowed(cell);
    if (size > 13) write(context, nameOf(cell), left + side / 2, top + side / 2 + 1,
      { color: cell.row < 0 ? colors.muted : ink, size: Math.min(0.42 * size, 14), bold });
    if (bold) frameAt(x, y, colors.position, 4);
  }

  function frameAt(x, y, color, thick) {
    context.strokeStyle = color;
    context.lineWidth = thick;
    context.strokeRect(2 + x * size, 2 + y * size, size - 2, size - 2);
  }

  function at(s, px, py) {
    const place = { x: Math.floor((px - 2) / size), y: Math.floor((py - 2) / size) };
    return s?.cells[place.y]?.[place.x] ? place : null;
  }
  return { canvas, draw, at };
}

function render({ model, el }) {
  const get = (key) => model.get(key), { q_len, k_len, steps } = get("choices");
  const initial = TRAITS.map((key) => [key, get(key)]);
  const upTo = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const set = (values) => values.forEach(([key, value]) => model.set(key, value));
  const resize = (key) => (value) => set([["followed", -1], [key, value]]);
  const last = () => steps[get("method")].length - 1;
  const go = (by) => () =>
    model.set("step", Math.max(0, Math.min(get("step") + by, last())));
  const cellName = (n) => n < 0 ? "–"
    : nameOf({ row: Math.floor(n / get("k_len")), distance: get("k_len") - 1 - (n % get("k_len")) });
  const methods = [["pad", "pad and reshape"], ["view", "a view, no copy"]];
  const panel = controls(model, [
    { kind: "range", key: "q_len", label: "queries", choose: resize("q_len"),
      values: () => upTo(1, Math.min(q_len, get("k_len"))) },
    { kind: "range", key: "k_len", label: "keys", choose: resize("k_len"),
      values: () => upTo(get("q_len"), k_len) },
    { kind: "select", key: "method", label: "method", options: methods,
      choose: (value) => set([["step", 0], ["method", value]]) },
    { kind: "range", key: "step", label: "step", values: () => upTo(0, last()),
      text: (step) => `${step}` },
    { kind: "range", key: "followed", label: "follow", text: cellName,
      values: () => upTo(-1, get("q_len") * get("k_len") - 1) },
    { kind: "button", label: "back", press: go(-1) },
    { kind: "button", label: "next step", press: go(1) },
    { kind: "button", label: "reset", press: () => set([["step", 0], ["followed", -1], ...initial]) },
  ]);
  const picture = grid(colorTable(get("colors")));
  picture.canvas.addEventListener("pointerdown", (event) => {
    const s = describe(model), place = picture.at(s, event.offsetX, event.offsetY);
    const cell = place && s.cells[place.y][place.x];
    if (!cell || cell.row < 0) return;
    model.set("followed", cell.row * s.k_len + s.k_len - 1 - cell.distance);
    model.save_changes();
  });
  const title = (s) => [["▤", `Step ${s.step}: ${s.names[s.step]}.`]];
  return frame(model, el, {
    traits: TRAITS, panel, ...picture, describe, words,
    facts: (s) => [...title(s), ...facts(s)],
    head: ["row", "numbers (* garbage)"],
    rows: (s) => s.cells.map((row, y) => [y, row.map((cell) =>
      nameOf(cell) + (cell.valid || cell.row < 0 ? "" : "*")).join(" ")]),
    step: (s, key, choice) =>
      gridStep(key, choice, Math.max(...s.cells.map((row) => row.length)), s.cells.length),
  });
}

export default { render };
