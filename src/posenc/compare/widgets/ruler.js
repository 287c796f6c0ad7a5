// The sentence on a ruler of positions: mouse, finger and arrow keys move it.
import { drawing, outline, polyline, write } from "../../kit/widgets/canvas.js";
import { count, moving } from "../../kit/widgets/widget.js";

const WORD = { high: 28, top: 4 }, LINE = 58, HIGH = 88;

/** A picture that moves the trait "shift"; the words hang above their positions. */
export function sentenceRuler(model, label) {
  const { canvas, context, begin } = drawing(label);
  const last = model.get("sines").length - 1;
  let pitch = 1, grip = 1.5, box = 1, left = 0;

  // Registered before `moving`: it tells which word the pointer took hold of.
  canvas.addEventListener("pointerdown", ({ offsetX, offsetY }) => {
    const inside = offsetX >= left && offsetX <= left + 3 * box && offsetY < LINE - 8;
    grip = inside ? offsetX / pitch - model.get("shift") : 1.5;
  });

  function draw(s, { width, colors }) {
    pitch = width / (last + 1);
    box = Math.max(pitch, 52);
    begin(width, HIGH);
    const x = (position) => (position + 0.5) * pitch;
    const middle = x(s.place + 1);
    left = Math.max(1, Math.min(middle - 1.5 * box, width - 3 * box - 1));
    polyline(context, colors.line, [[x(0), LINE], [x(last), LINE]], { thick: 2 });
    const every = pitch < 18 ? 5 : 1;
    // Three numbers of two digits need more room than three marks on a phone.
    const apart = Math.max(pitch, 18);
    const among = Math.max(apart + 5, Math.min(x(s.shift + 1), width - 8 - apart));
    for (const n of count(0, last)) {
      const away = n - s.shift, here = away >= 0 && away <= 2;
      const near = every > 1 && away > -2 && away < 4;
      polyline(context, here ? colors.position : colors.line, [[x(n), LINE], [x(n), LINE + 6]],
        { thick: here ? 3 : 1 });
      if (here || (n % every === 0 && !near))
        write(context, n, here ? among + (away - 1) * apart : x(n), LINE + 15, { bold: here,
          size: here && pitch > 16 ? 13 : 10.5, color: here ? colors.position : colors.muted });
    }
    s.words.forEach((word, i) => {
      const at = left + (i + 0.5) * box, foot = WORD.top + WORD.high;
      polyline(context, colors.position, [[at, foot], [at, foot + 4], [x(s.place + i), LINE]],
        { thick: 2 });
      context.fillStyle = colors.raised;
      context.fillRect(left + i * box, WORD.top, box, WORD.high);
      write(context, word, at, WORD.top + WORD.high / 2, { size: 14, bold: true,
        color: colors.text });
    });
    outline(context, left, WORD.top, 3 * box, WORD.high, colors.position);
    return HIGH;
  }

  const shifts = count(0, last - 2);
  return { canvas, draw, ...moving(model, canvas, "shift", shifts,
    (x) => x / pitch - grip) };
}
