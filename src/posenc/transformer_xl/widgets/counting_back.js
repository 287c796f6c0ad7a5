// Two segments: below, numbers that start again; above, a query that counts back across both.
import { drawing, outline, polyline, write } from "../../kit/widgets/canvas.js";
import { count, createWidget, moving } from "../../kit/widgets/widget.js";

const LINE = 50, WORDS = [72, 110], NUMBERS = 130, ENDS = 156, HEIGHT = 188, SIDE = 8, GAP = 12;

/** All that is shown. */
function describe(model) {
  const { words, segment } = model.get("text"), query = model.get("query"), place = Math.round(query);
  const distances = words.map((_, n) => place - n).filter((distance) => distance >= 0);
  return { words, segment, query, place, distances, shown: { query: place, distances } };
}

const words = ({ words, segment, place }) => `Distances from “${words[place]}” run on across ` +
  `the border. Number ${place - segment} is “${words[place - segment]}” as well.`;

function picture(model) {
  const { canvas, context, begin } = drawing("Two segments of a text with a query that can be " +
    "dragged. Left and right arrow keys move it.");
  const { words, segment } = model.get("text"), last = words.length - 1;
  let wide = 1;
  const x = (n) => SIDE + (n + 0.5) * wide + GAP * Math.max(0, Math.min(n - segment + 1, 1));

  function draw(s, { width, colors }) {
    wide = (width - 2 * SIDE - GAP) / words.length;
    begin(width, HEIGHT);
    const small = wide < 50;
    write(context, "distance: query − key", SIDE, 12, { size: 13, align: "left", color: colors.position });
    polyline(context, colors.position, [[x(0), LINE], [x(s.query), LINE]], { thick: 2 });
    s.distances.forEach((distance, n) => {
      polyline(context, colors.position, [[x(n), LINE], [x(n), WORDS[0] - 4]], { thick: 1.5 });
      write(context, distance, x(n), LINE - 14, { size: 15, bold: true, color: colors.position });
    });
    words.forEach((word, n) => {
      const own = n === s.place, same = n === s.place - segment, left = x(n) - wide / 2 + 2;
      context.fillStyle = own ? colors.query : colors.raised;
      context.fillRect(left, WORDS[0], wide - 4, WORDS[1] - WORDS[0]);
      outline(context, left, WORDS[0], wide - 4, WORDS[1] - WORDS[0], own ? colors.query : colors.key,
        { thick: 1.5, dash: n < segment ? [4, 3] : [] });
      write(context, word, x(n), (WORDS[0] + WORDS[1]) / 2,
        { size: small ? 10 : 14, bold: own && !small, color: own ? colors.surface : colors.text });
      write(context, n % segment, x(n), NUMBERS,
        { size: 13, bold: own || same, color: own || same ? colors.text : colors.muted });
    });
    [["memory", 0], ["segment", segment]].forEach(([name, first]) => {
      const ends = [x(first) - wide / 2 + 3, x(first + segment - 1) + wide / 2 - 3];
      polyline(context, colors.line, ends.map((end) => [end, ENDS - 8]));
      write(context, name, (ends[0] + ends[1]) / 2, ENDS + 8, { size: 13, bold: true, color: colors.text });
    });
  }
  return { canvas, draw, ...moving(model, canvas, "query", count(segment, last),
    (px) => (px - SIDE - GAP) / wide - 0.5 - segment) };
}

function render({ model, el }) {
  const { words: all, segment } = model.get("text"), places = () => count(segment, all.length - 1);
  const specs = [
    { kind: "range", key: "query", label: "query at", values: places },
    { kind: "play", key: "query", label: "read on", ms: 1300, way: 700, values: places },
  ];
  return createWidget({ model, el }, {
    traits: ["query"], smooth: ["query"], specs, state: describe, words,
    spoken: words, pictures: [picture(model)], simple: { specs: specs.slice(1) } });
}

export default { render };
