// The text of TurnedPair as a ruler with two markers, and what moves them.
import { signed } from "../../kit/widgets/kit.js";
import { disk, drag, drawing, polyline, write } from "../../kit/widgets/canvas.js";
import { count, setAll } from "../../kit/widgets/shell.js";

/** Moves both positions, if both stay in the text. */
export function moveBoth(model, dm, dn) {
  const last = model.get("last_position");
  const [m, n] = [model.get("m") + dm, model.get("n") + dn];
  if (Math.min(m, n) < 0 || Math.max(m, n) > last) return;
  setAll(model, { m, n });
  model.save_changes();
}

/** Arrow keys move positions: nothing is chosen, the model changes. */
export const keys = (model) => (key) => {
  const moves = { ArrowLeft: [-1, -1], ArrowRight: [1, 1], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  if (key === "") return null;
  if (!moves[key]) return undefined;
  moveBoth(model, ...moves[key]);
  return null;
};

/**
 * The text as a ruler: markers of q and k are dragged along it, the bracket between them
 * moves both, and how far k is from q stands on it.
 */
export function ruler(model) {
  const last = model.get("last_position"), SIDE = 18, HIGH = 78, LINE = 50;
  const { canvas, context, begin } = drawing("The text as a ruler with the positions of q and k, " +
    "which can be dragged. Left and right arrow keys move both, up and down the key alone.");
  let now = null, unit = 1;
  const x = (position) => SIDE + position * unit;

  function grip(px, py) {
    const near = (position) => Math.abs(px - x(position)) < 16;
    if (py > LINE - 14 && near(now.n) && (now.n !== now.m || py < LINE)) return "n";
    if (py > LINE - 14 && near(now.m)) return "m";
    const between = (px - x(now.m)) * (px - x(now.n)) < 0;
    return between || near(now.m) || near(now.n) ? { both: px / unit - model.get("m") } : null;
  }

  drag(canvas, { hold: true, start: grip, move: (held, px) => {
    const place = Math.max(0, Math.min(Math.round((px - SIDE) / unit), last));
    if (held.both === undefined) model.set(held, place);
    else {
      const [low, high] = [model.get("m"), model.get("n")].sort((a, b) => a - b);
      const wanted = Math.round(px / unit - held.both) - model.get("m");
      const by = Math.max(-low, Math.min(wanted, last - high));
      return moveBoth(model, by, by);
    }
    model.save_changes();
  } });

  function marker(letter, position, fill, color) {
    disk(context, x(position), LINE, 9, fill);
    write(context, letter, x(position), LINE, { size: 12, bold: true, color });
  }

  function draw(s, { width, colors }) {
    now = s;
    unit = (width - 2 * SIDE) / last;
    begin(width, HIGH);
    polyline(context, colors.line, [[x(0), LINE], [x(last), LINE]]);
    for (const p of count(0, last)) {
      disk(context, x(p), LINE, 2, colors.muted);
      if (p % 4 === 0) write(context, String(p), x(p), HIGH - 8, { color: colors.muted });
    }
    const [left, right] = [x(Math.min(s.m, s.n)), x(Math.max(s.m, s.n))], high = 26;
    polyline(context, colors.position,
      [[left, LINE - 12], [left, high], [right, high], [right, LINE - 12]], { thick: 2 });
    const words = `key − query = ${signed(Math.round(s.r))}`;
    const room = 62, middle = Math.max(room, Math.min((left + right) / 2, width - room));
    write(context, words, middle, 12, { size: 13, bold: true, color: colors.position });
    marker("q", s.m, colors.query, colors.surface);
    marker("k", s.n, colors.key, colors.surface);
  }
  return { kind: "ruler", canvas, draw, across: true, at: () => null, step: keys(model) };
}
