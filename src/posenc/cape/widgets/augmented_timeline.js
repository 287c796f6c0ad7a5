// The widget of the chapter on CAPE: tokens moved along the time line, and one sine of them.
import { count, real, shell } from "../../kit/widgets/shell.js";
import { describe, facts, textRows, TRAITS, words } from "./state.js";
import { timeLine } from "./line.js";
import { wavePicture } from "./wave.js";

/** On the way from one draw to the next, tokens are on theirs. */
function between(model) {
  const draw = model.get("draw"), whole = Math.floor(draw), part = draw - whole;
  const at = (n) => describe({ get: (key) => (key === "draw" ? n : model.get(key)) });
  const all = model.get("draws").map((_, n) => at(n)), s = all[whole];
  s.edge = Math.max(...all.map(({ edge }) => edge)); // or the axis would jump
  if (!part) return s;
  const next = all[whole + 1];
  return { ...s, after: s.after.map((p, i) => p + part * (next.after[i] - p)), crossed: [] };
}

const openingWords = (s, choice) => (choice ? words(s, choice)
  : `Draw ${s.draw}: shift ${real(s.shift)}, jitters up to ${real(s.max_local_shift)}, ` +
    `scale ${real(s.scale)}. ` +
    (s.crossed.length ? "The order has changed." : "The order is kept."));

function render({ model, el }) {
  const choices = model.get("choices"), draws = model.get("draws").length;
  const maximum = (key, label) => ({ kind: "range", key, label, values: () => choices[key] });
  const again = () => model.set("draw", (model.get("draw") + 1) % draws);
  const quiet = { max_global_shift: 0, max_local_shift: 0, max_scale: 1 };
  const pairs = choices.thetas.map((theta, i) => [i, `${theta.toPrecision(3)} rad per token`]);
  const specs = [
    maximum("max_global_shift", "max. shift"),
    maximum("max_local_shift", "max. jitter"),
    maximum("max_scale", "max. scale"),
    { kind: "range", key: "tokens", label: "tokens", values: () => count(4, choices.most_tokens) },
    { kind: "select", key: "pair", label: "sine of", options: pairs },
    { kind: "button", label: "draw again", press: again },
    { kind: "button", label: "no noise", set: quiet },
    { kind: "button", label: "reset" },
  ];
  const pictures = [
    timeLine("Tokens before and after, with lines from each to its new place. Arrow keys move " +
      "from token to token."),
    wavePicture("A sine of the position, with the tokens on it before and after. Arrow keys " +
      "move from token to token."),
  ];
  const head = ["token", "before", "jitter", "after", "sine"];
  return shell({ model, el }, { traits: TRAITS, specs, pictures, state: describe, words, facts,
    tables: [{ head, rows: textRows }], links: { draw: (n) => count(0, draws - 1).includes(n) },
    simple: { pictures: pictures.slice(0, 1), smooth: ["draw"], state: between, words: openingWords,
      specs: [{ kind: "play", key: "draw", label: "draw again and again", ms: 1200, way: 700,
        values: () => count(0, draws - 1) }] } });
}

export default { render };
