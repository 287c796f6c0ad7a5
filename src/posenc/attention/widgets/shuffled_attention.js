// The widget of the chapter on attention: words to shuffle, heat maps before and after.
import { element } from "../../kit/widgets/kit.js";
import { colorTable } from "../../kit/widgets/canvas.js";
import { plain, sentencesOf, setAll, shell } from "../../kit/widgets/shell.js";
import { heatPair } from "./heat.js";
import { describe, facts, SIDES, textRows, TRAITS, words } from "./state.js";
import { carried, carryWords } from "./carried.js";
import { wordRow } from "./words.js";

const orders = {}; // a play compares what it has set with what there is

/** The orders in which the first words go to the end, until the sentence is turned around. */
function turns(model) {
  const { length } = model.get("order");
  return (orders[length] ??= [...Array(length).keys()].map((n) => {
    const words = [...Array(length).keys()], last = length - 1 - n;
    return [...words.slice(last + 1).reverse(), ...words.slice(0, last + 1)];
  }));
}

function render({ model, el }) {
  const { weight, output, limit } = model.get("colors");
  const look = { shades: { weight: colorTable(weight), output: colorTable(output) }, limit };
  const choose = (sentence) => setAll(model, { sentence,
    order: sentence.split(" ").map((_, n) => n) });
  const maps = SIDES.map((side) => ({
    ...heatPair(`Attention weights and outputs ${side} the ` +
      "shuffle, queries down, keys across. Arrow keys move from cell to cell.", side, look),
    title: element("span", { style: "font-weight: 600" }, side),
  }));
  return shell({ model, el }, {
    traits: TRAITS, state: describe, pictures: maps, words, facts, layout: "equal",
    specs: [
      { kind: "select", key: "sentence", label: "sentence", choose,
        options: plain(model.get("sentences"), String) },
      { kind: "checkbox", key: "encoding", label: "add a position encoding" },
      { kind: "checkbox", key: "causal", label: "causal mask" },
    ],
    links: { order: (order) => {
      const places = model.get("sentence").split(" ").map((_, n) => n);
      return order.length === places.length && places.every((n) => order.includes(n));
    } },
    above: [wordRow((order) => { model.set("order", order); model.save_changes(); })],
    spoken: (s) => [s.order.map((n) => s.names[n]).join(" ") + ".", ...sentencesOf(facts(s))]
      .join(" "),
    tables: [{ rows: textRows, head: ["word", "place before", "place after", "output before",
      "output after", "output is"] }],
    simple: { pictures: [carried(model, look.shades.output, limit)], words: carryWords,
      specs: [{ kind: "play", key: "order", label: "turn the sentence around", ms: 900,
        values: () => turns(model) }] },
  });
}

export default { render };
