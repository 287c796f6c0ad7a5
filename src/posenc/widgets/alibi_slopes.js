// Picture of all slopes on a logarithmic scale, and of the bias of one head as a heat map.
import { colorTable, drawing, polyline, toeplitzMatrix, write } from "./canvas.js";
import { walk } from "./shell.js";
import { cellOf, slopeWords } from "./alibi_view.js";

const MARGIN = { left: 46, right: 12, top: 14, bottom: 40 };
const HEIGHT = 300, LOW = -8.6, HIGH = 0.2; // logarithms of slopes

/** Dots for the slopes; `choose(head)` is told of a click or Enter on one. */
export function slopePicture(label, choose) {
  const { canvas, context, begin } = drawing(label);
  let s = null, box = null, chosen = null;
  const x = (head) => box.left + ((head - 0.5) / s.num_heads) * (box.right - box.left);
  const y = (slope) => box.top + ((HIGH - Math.log2(slope)) / (HIGH - LOW)) * (box.bottom - box.top);

  function draw(state, { width, colors, chosen: item }) {
    [s, chosen] = [state, item];
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
    for (const [head, radius] of [[s.head, size + 4], [item, size + 2]])
      if (head) ring(head, radius, head === s.head ? 2.2 : 1.2, colors.text);
    heads(colors);
  }

  function mark(head, slope, size, colors) {
    const [cx, cy] = [x(head), y(slope)], added = head > s.power;
    context.beginPath();
    if (added) for (const [dx, dy] of [[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]])
      context.lineTo(cx + dx * size, cy + dy * size);
    else context.arc(cx, cy, size, 0, 2 * Math.PI);
    context.closePath();
    context.fillStyle = context.strokeStyle = added ? colors.key : colors.position;
    context.lineWidth = 1.6;
    if (added) context.stroke();
    else context.fill();
  }

  function ring(head, radius, thick, color) {
    context.strokeStyle = color;
    context.lineWidth = thick;
    context.beginPath();
    context.arc(x(head), y(s.slopes[head - 1]), radius, 0, 2 * Math.PI);
    context.stroke();
  }

  function heads(colors) {
    const bold = chosen ?? s.head, every = [1, 2, 4, 8, 16].find((n) => s.num_heads / n <= 12);
    for (let head = 1; head <= s.num_heads; head++) {
      const close = Math.abs(x(head) - x(bold)) < 17;
      if (head !== bold && ((head - 1) % every || close)) continue;
      write(context, head, x(head), box.bottom + 12, { size: 11, bold: head === bold,
        color: head === bold ? colors.text : colors.muted });
    }
    const middle = (box.left + box.right) / 2;
    write(context, `head (now ${s.head}, slope ${slopeWords(s.slope)})`, middle, box.bottom + 30,
      { size: 13, color: colors.text });
    context.save();
    context.translate(8, box.top);
    context.rotate(-Math.PI / 2);
    write(context, "slope (log scale)", 0, 0, { size: 13, align: "right", color: colors.position });
    context.restore();
  }

  function at(px) {
    if (!box || px < box.left || px > box.right) return null;
    const head = Math.ceil(((px - box.left) / (box.right - box.left)) * s.num_heads);
    return Math.max(1, Math.min(head, s.num_heads));
  }
  const pick = (head) => { if (head) choose(head); };
  canvas.addEventListener("click", (event) => pick(at(event.offsetX)));
  canvas.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    pick(chosen);
  });
  const step = (key, item) => walk(key, item, 1, s.num_heads, s.head);
  return { kind: "head", canvas, draw, at, step };
}

/** Heat map of the bias among the first tokens. */
export function biasPicture(label, hex) {
  const matrix = toeplitzMatrix(label), shade = colorTable(hex);
  const item = (cell) => cell && 100 * cell.q + cell.k;
  function draw(s, { width, colors, chosen }) {
    const scale = s.slope * (s.size - 1), [q, k] = cellOf(chosen ?? 0);
    const cell = (r) => {
      const hidden = s.causal && r > 0;
      const paint = shade(0.5 - Math.abs(r) * s.slope / (2 * scale));
      return { ...(hidden ? { fill: colors.raised, ink: colors.muted } : paint), text: "" };
    };
    matrix.draw({ q_len: s.size, k_len: s.size, width, height: 264, colors, cell,
      selected: chosen === null ? null : { q, k } });
  }
  const step = (key, chosen) => {
    const [q, k] = cellOf(chosen ?? 0);
    const cell = matrix.step(key, chosen === null ? null : { q, k });
    return cell === undefined ? undefined : item(cell);
  };
  return { kind: "cell", canvas: matrix.canvas, draw, at: (px, py) => item(matrix.at(px, py)), step };
}
