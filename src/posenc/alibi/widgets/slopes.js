// Picture of all slopes on a logarithmic scale, and of the bias of one head as a heat map.
import {
  colorTable, disk, drawing, polyline, ring, UP, write,
} from "../../kit/widgets/canvas.js";
import { cellGrid, pairPlan } from "../../kit/widgets/cells.js";
import { walk } from "../../kit/widgets/shell.js";
import { slopeWords } from "./state.js";

const MARGIN = { left: 54, right: 12, top: 14, bottom: 40 };
const HEIGHT = 230, LOW = -8.6, HIGH = 0.2; // logarithms of slopes

/** Dots for the slopes; `press(head)` is told of a click or Enter on one. */
export function slopePicture(label, press) {
  const { canvas, context, begin } = drawing(label);
  let s = null, box = null;
  const x = (head) => box.left + ((head - 0.5) / s.num_heads) * (box.right - box.left);
  const y = (slope) => box.top + ((HIGH - Math.log2(slope)) / (HIGH - LOW)) * (box.bottom - box.top);

  function draw(state, { width, colors, chosen }) {
    s = state;
    begin(width, HEIGHT);
    box = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top,
      bottom: HEIGHT - MARGIN.bottom };
    for (const power of [0, 2, 4, 6, 8]) {
      const at = y(2 ** -power);
      polyline(context, colors.raised, [[box.left, at], [box.right, at]]);
      write(context, power ? `1/${2 ** power}` : "1", box.left - 6, at,
        { size: 11, align: "right", color: colors.muted });
    }
    polyline(context, colors.line, [[box.left, box.bottom], [box.right, box.bottom]]);
    const size = Math.max(2.2, Math.min(5, 0.32 * (box.right - box.left) / s.num_heads));
    s.slopes.forEach((slope, i) => mark(i + 1, slope, size, colors));
    for (const [head, radius] of [[s.head, size + 4], [chosen, size + 2]])
      if (head) ring(context, x(head), y(s.slopes[head - 1]), radius, colors.text,
        head === s.head ? 2.2 : 1.2);
    heads(colors, chosen ?? s.head);
  }

  /** A dot, or a diamond for a slope that was added. */
  function mark(head, slope, size, colors) {
    const [cx, cy] = [x(head), y(slope)];
    if (head <= s.power) return disk(context, cx, cy, size, colors.position);
    const far = 1.3 * size, corners = [[0, -far], [far, 0], [0, far], [-far, 0], [0, -far]];
    polyline(context, colors.key, corners.map(([dx, dy]) => [cx + dx, cy + dy]), { thick: 1.6 });
  }

  function heads(colors, bold) {
    const every = [1, 2, 4, 8, 16].find((n) => s.num_heads / n <= 12);
    for (let head = 1; head <= s.num_heads; head++) {
      const close = Math.abs(x(head) - x(bold)) < 17;
      if (head !== bold && ((head - 1) % every || close)) continue;
      write(context, head, x(head), box.bottom + 12, { size: 11, bold: head === bold,
        color: head === bold ? colors.text : colors.muted });
    }
    const middle = (box.left + box.right) / 2;
    write(context, `head (now ${s.head}, slope ${slopeWords(s.slope)})`, middle, box.bottom + 30,
      { size: 13, color: colors.text });
    write(context, "slope (log scale)", 8, box.top,
      { size: 13, align: "right", turn: UP, color: colors.position });
  }

  function at(px) {
    if (!box || px < box.left || px > box.right) return null;
    const head = Math.ceil(((px - box.left) / (box.right - box.left)) * s.num_heads);
    return Math.max(1, Math.min(head, s.num_heads));
  }
  const step = (key, item) => walk(key, item, 1, s.num_heads, s.head);
  return { kind: "head", canvas, draw, at, step, press };
}

const BAR = { high: 10, below: 12, words: 26 }; // the scale of colors under the heat map

/**
 * Heat map of the bias among the first tokens, and below it its scale: from `deepest`, and
 * all that is lower, to 0, the same for every slope.
 */
export function biasPicture(label, hex, deepest) {
  const table = colorTable(hex), shade = (bias) => table(0.5 - Math.max(bias, deepest) / (2 * deepest));
  return cellGrid(label, "cell", (s, frame) => {
    const hidden = { fill: frame.colors.raised, ink: frame.colors.muted };
    const cell = (q, k) => (s.causal && k > q ? hidden : shade(-s.slope * Math.abs(k - q)));
    const plan = pairPlan({ q_len: s.size, k_len: s.size, cell }, frame, 198);
    const top = plan.height + BAR.below, { left } = plan.grids[0];
    const width = Math.max(plan.width, Math.min(frame.width, left + 200));
    return { ...plan, width, height: top + BAR.high + BAR.words,
      over: (context) => scale(context, { left, top, right: width - 7 }, frame.colors) };
  });

  function scale(context, { left, top, right }, colors) {
    for (let x = left; x < right; x++) {
      context.fillStyle = shade(deepest * (1 - (x - left) / (right - 1 - left))).fill;
      context.fillRect(x, top, Math.min(1, right - x), BAR.high);
    }
    for (const bias of [deepest, deepest / 2, 0]) {
      const low = bias === deepest, words = String(bias).replace("-", "−") + (low ? " or less" : "");
      write(context, words, left + (1 - bias / deepest) * (right - left), top + BAR.high + 11,
        { size: 11, align: low ? "left" : bias ? "center" : "right", color: colors.muted });
    }
    write(context, "bias", left - 6, top + BAR.high / 2, { size: 13, align: "right", color: colors.text });
  }
}
