// The map of methods: a table of links by year and place; four questions pick some of them.
import { controls, element } from "../../kit/widgets/controls.js";
import { createWidget, setAll } from "../../kit/widgets/widget.js";

const TRAITS = ["enters", "numbers", "position", "same"];
const LABELS = { enters: "enters", numbers: "numbers", position: "position", same: "the same?" };
const MARKS = { absolute: ["□", "■"], relative: ["○", "●"], neither: ["◇", "◆"] };

const told = (entry, key) => entry[key].join(", ");

function render({ model, el }) {
  const entries = model.get("entries"), answers = model.get("answers");
  const roles = model.get("roles"), letters = model.get("letters");
  const specs = TRAITS.map((key) => ({ kind: "select", key, label: LABELS[key],
    options: ["any", ...answers[key]].map((answer) => [answer, answer]) }));
  const initial = Object.fromEntries(TRAITS.map((key) => [key, model.get(key)]));
  const reset = { kind: "button", label: "reset", press: () => setAll(model, initial) };

  function state(model) {
    const asked = TRAITS.filter((key) => model.get(key) !== "any");
    const found = entries.filter((entry) => asked.every((key) => entry[key].includes(model.get(key))));
    return { found, asked: asked.map((key) => model.get(key)),
      shown: found.map(({ label }) => label) };
  }

  const links = entries.map(link);
  function link(entry) {
    const [enters] = entry.enters, mark = MARKS[entry.position[0]][+entry.numbers.includes("learned")];
    const initials = entry.same.map((one) => letters[one] ?? "").join("");
    return element("a", { class: "pe-method", href: `#${entry.label}`,
      style: `--pe-here: var(--pe-${roles[enters]})`,
      title: TRAITS.map((key) => told(entry, key)).join("; ") },
      element("span", { "aria-hidden": "true" }, mark), `\u00a0${entry.title}`,
      ...(initials ? [element("sup", { "aria-hidden": "true" }, initials)] : []));
  }

  const years = [...new Set(entries.map(({ year }) => year))];
  const inCell = (year, enters) => links.filter((_, i) =>
    entries[i].year === year && entries[i].enters[0] === enters);
  const cell = (year, enters) => {
    const here = inCell(year, enters);
    return element("td", here.length ? { "data-enters": enters } : { class: "pe-empty" }, ...here);
  };
  const head = element("tr", {}, element("th", { scope: "col" }, "year"),
    ...answers.enters.map((enters) => element("th", { scope: "col",
      style: `color: var(--pe-${roles[enters]})` }, enters)));
  const rows = years.map((year) => element("tr", {}, element("th", { scope: "row" }, year),
    ...answers.enters.map((enters) => cell(year, enters))));
  const legend = element("p", { class: "pe-legend" }, "□ absolute, ○ relative, ◇ neither; " +
    "filled (■ ● ◆): learned; hollow: fixed, or no numbers. " + Object.entries(letters).map(([one, letter]) => `${letter}: ${one}`).join(", ") + ".");
  const node = element("div", {}, legend, element("table", { class: "pe-methods" },
    element("thead", {}, head), element("tbody", {}, ...rows)));

  function draw({ shown }) {
    links.forEach((one, i) => one.classList.toggle("pe-other", !shown.includes(entries[i].label)));
  }

  function words({ found, asked }) {
    if (!asked.length) return `${entries.length} methods. Choose answers above; press a method to read on.`;
    const names = found.map(({ title, year }) => `${title} (${year})`).join(", ");
    const count = `${found.length} of ${entries.length} methods`;
    return `${asked.join(" + ")}: ${count}${names ? `: ${names}` : ""}.`;
  }

  const textRows = ({ found }) => found.map((entry) => [entry.title, entry.year,
    ...TRAITS.map((key) => told(entry, key))]);
  return createWidget({ model, el }, {
    links: Object.fromEntries(specs.map(({ key, options }) =>
      [key, (answer) => options.some(([one]) => one === answer)])),
    traits: TRAITS, specs: [], above: [controls(model, [...specs, reset])], // the picture is long:
    wordsFirst: true, // two screens
    pictures: [{ node, draw }], state, words, spoken: ({ found }) => (found.length === 1 ? "1 method." : `${found.length} methods.`),
    tables: [{ head: ["method", "year", ...TRAITS.map((key) => LABELS[key])], rows: textRows }],
  });
}

export default { render };
