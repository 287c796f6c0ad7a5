// Bars of right answers at one length of the test: beyond the trained length most of them fall.
import { disk, drawing, polyline, ring, write } from "../../kit/widgets/canvas.js";
import { count, createWidget, grouped, moving } from "../../kit/widgets/widget.js";

const ROW = 28, TOP = 4, BAR = 18, NAME = 108, PERCENT = 54, SIDE = 26, AXIS = 66;

const percent = (share) => `${Math.round(100 * share)} %`;

/** All that is shown; on the way between two lengths, shares between theirs. */
function describe(model) {
  const lengths = model.get("lengths"), length = model.get("length");
  const next = Math.max(1, lengths.findIndex((n) => n >= length)), [low, high] = [lengths[next - 1], lengths[next]];
  const part = Math.log(length / low) / Math.log(high / low);
  const bars = model.get("bars").map(({ title, role, shares }) => {
    const runs = shares[next].map((share, i) => shares[next - 1][i] + part * (share - shares[next - 1][i]));
    return { title, role, runs, mean: runs.reduce((a, b) => a + b) / runs.length };
  });
  const place = next - 1 + part;
  return { lengths, length, place, bars, shown: { length, place, bars } };
}

function words({ lengths, length, bars }) {
  const right = bars.filter(({ mean }) => mean >= 0.95).length, below = bars.filter(({ mean }) => mean < 0.5).length;
  const where = length === lengths[0] ? ", as in training" : ` (trained: up to ${lengths[0]})`;
  return `${grouped(length)} tokens${where}. At least 95 % right: ${right} of the ${bars.length} encodings that learned it; less than half right: ${below}.`;
}

function picture(model) {
  const { canvas, context, begin } = drawing("Bars of right answers, one for each encoding. Drag to " +
    "the side or press arrow keys to change the length of the test.");
  const lengths = model.get("lengths"), last = lengths.length - 1;
  let unit = 1;

  function draw(s, { width, colors }) {
    const bottom = TOP + ROW * s.bars.length, axis = bottom + 18, full = width - NAME - PERCENT;
    unit = (width - 2 * SIDE) / last;
    begin(width, bottom + AXIS);
    s.bars.forEach(({ title, role, runs, mean }, i) => {
      const middle = TOP + ROW * (i + 0.5), x = (share) => NAME + share * full;
      write(context, title, NAME - 8, middle, { size: 13, align: "right", color: colors[role] });
      context.fillStyle = colors.raised;
      context.fillRect(NAME, middle - BAR / 2, full, BAR);
      context.fillStyle = colors[role];
      context.globalAlpha = 0.55;
      context.fillRect(NAME, middle - BAR / 2, mean * full, BAR);
      context.globalAlpha = 1;
      for (const share of runs) {
        disk(context, x(share), middle, 3.5, colors[role]);
        ring(context, x(share), middle, 4, colors.surface, 1);
      }
      write(context, percent(mean), width, middle, { size: 13, bold: true, align: "right", color: colors.text });
    });
    polyline(context, colors.line, [[SIDE, axis], [width - SIDE, axis]], { thick: 2 });
    count(0, last).forEach((i) => {
      const here = Math.abs(i - s.place) < 0.5;
      disk(context, SIDE + i * unit, axis, 4, colors[i ? "line" : "text"]);
      write(context, grouped(lengths[i]), SIDE + i * unit, axis + 20,
        { size: 12.5, bold: here, color: colors[here ? "text" : "muted"] });
    });
    disk(context, SIDE + s.place * unit, axis, 10, colors.text);
    write(context, "↔", SIDE + s.place * unit, axis, { size: 12, bold: true, color: colors.surface });
    write(context, `tokens of the test (trained: up to ${lengths[0]})`, width / 2, axis + 38,
      { size: 12.5, color: colors.text });
  }
  return { canvas, draw, ...moving(model, canvas, "length", lengths, (x) => (x - SIDE) / unit) };
}

function render({ model, el }) {
  const values = () => model.get("lengths");
  const specs = [
    { kind: "range", key: "length", label: "tokens", values },
    { kind: "play", key: "length", label: "longer and longer texts", ms: 1800, way: 1000, values },
  ];
  return createWidget({ model, el }, {
    traits: ["length"], smooth: ["length"], specs, state: describe, words,
    spoken: words, pictures: [picture(model)], simple: { specs: specs.slice(1) } });
}

export default { render };
