// The widget of the chapter on CAPE: tokens moved along the time line, and one sine of them.
import { count, moving, real, shell } from "../../kit/widgets/shell.js";
import { describe, facts, textRows, TRAITS, words } from "./state.js";
import { timeLine } from "./line.js";
import { wavePicture } from "./wave.js";

/** A draw and where the others take the tokens; on the way from one to the next, they are on theirs. */
function between(model) {
  const draw = model.get("draw"), whole = Math.floor(draw), part = draw - whole;
  const at = (n) => describe({ get: (key) => (key === "draw" ? n : model.get(key)) });
  const all = model.get("draws").map((_, n) => at(n)), s = all[whole];
  s.edge = Math.max(...all.map(({ edge }) => edge)); // or the axis would jump
  s.ghosts = all.map(({ after }) => after);
  s.followed = Math.floor(s.tokens / 2);
  if (!part) return s;
  const after = s.after.map((p, i) => p + part * (s.ghosts[whole + 1][i] - p));
  return { ...s, after, sine: after.map((p) => Math.sin(s.theta * p)), crossed: [] };
}

const openingWords = (s) =>
  `Draw ${s.draw}: shift ${real(s.shift)}, jitters up to ${real(s.max_local_shift)}, ` +
  `scale ${real(s.scale)}. The order ${s.crossed.length ? "has changed" : "is kept"}. Pale: ` +
  `token ${s.followed} in all draws.`;

/** The time line of the opening: dragged from draw to draw. */
function draggedLine(model, draws) {
  const { canvas, draw } = timeLine("Tokens before and after a draw. Drag to the side or press " +
    "arrow keys for another draw.");
  return { canvas, draw, ...moving(model, canvas, "draw", count(0, draws - 1),
    (x) => (x / canvas.clientWidth) * draws - 0.5) };
}

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
  const smooth = ["draw", "max_global_shift", "max_local_shift", "max_scale"];
  return shell({ model, el }, { traits: TRAITS, specs, pictures, state: between, smooth, words, facts,
    tables: [{ head, rows: textRows }], links: { draw: (n) => count(0, draws - 1).includes(n) },
    simple: { pictures: [draggedLine(model, draws)], words: openingWords,
      specs: [{ kind: "play", key: "draw", label: "draw again and again", ms: 1200, way: 700,
        values: () => count(0, draws - 1) }] } });
}

export default { render };
