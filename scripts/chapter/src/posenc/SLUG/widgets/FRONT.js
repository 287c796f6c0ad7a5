// The widget of the chapter TITLE: a line whose slope readers change.
import { shell } from "../../kit/widgets/shell.js";
import { linePlot } from "../../kit/widgets/plot.js";

const TRAITS = ["scale"];

/** All that is shown: a function of the traits alone. */
function describe(model) {
  const scale = model.get("scale");
  const values = model.get("lines")[model.get("choices").scale.indexOf(scale)];
  return { scale, values, shown: { scale, values } };
}

const words = (s, choice) => (choice
  ? `Token ${choice.item} stands at ${s.values[choice.item]} units.`
  : `One token is ${s.scale} units long.`);

function render({ model, el }) {
  const specs = [
    { kind: "range", key: "scale", label: "scale", values: () => model.get("choices").scale },
    { kind: "button", label: "reset" },
  ];
  const line = linePlot("Scaled positions. Arrow keys move along the line.", "token", (s) => ({
    first: 0, last: s.values.length - 1, start: 0, low: 0, high: 32,
    x: "position (tokens)", y: "units",
    series: [{ values: s.values, role: "position", words: "in another unit" }],
  }));
  return shell({ model, el }, {
    traits: TRAITS, specs, pictures: [line], state: describe, words,
    tables: [{ head: ["token", "units"], rows: (s) => s.values.map((v, i) => [i, v]) }],
  });
}

export default { render };
