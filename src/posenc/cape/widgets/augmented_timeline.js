// The widget of the chapter on CAPE: tokens moved along the time line, and one sine of them.
import { count, shell } from "../../kit/widgets/shell.js";
import { describe, facts, textRows, TRAITS, words } from "./state.js";
import { timeLine } from "./line.js";
import { wavePicture } from "./wave.js";

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
    tables: [{ head, rows: textRows }] });
}

export default { render };
