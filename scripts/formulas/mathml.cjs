// Formulas as MathML, for readers without JavaScript: the MathJax of the pages, under Node.
// Argument: a folder with MathJax. Input: { macros, formulas: [{ tex, display }] } as JSON.
// Output: { mathml: [...] }, or { formula, error } for the first that MathJax cannot read.
//
// Browsers draw less of MathML than MathJax writes ("MathML Core"). So what they ignore is
// left out, what they need is put in its place, and noscript.css does what tables need.

const { readFileSync } = require("node:fs");
const { join } = require("node:path");

// It looks for a page when it is loaded, and finds an empty one.
const none = () => [];
globalThis.window = globalThis;
globalThis.document = {
  getElementById: () => null,
  getElementsByTagName: none,
  querySelectorAll: none,
  documentElement: { querySelectorAll: none },
};
globalThis.MathJax = { startup: { ready() {}, typeset: false }, loader: { ready() {} } };
require(join(process.argv[2], "tex-chtml.js"));
require(join(process.argv[2], "input/tex/extensions/html.js"));

const { TeX } = MathJax._.input.tex_ts;
const { MmlFactory } = MathJax._.core.MmlTree.MmlFactory;
const { TEXCLASS } = MathJax._.core.MmlTree.MmlNode;
const { HTMLMathItem } = MathJax._.handlers.html.HTMLMathItem;

// What the pages use; there, html is loaded in addition, and unknown commands are shown.
const PACKAGES = ["base", "ams", "newcommand", "configmacros", "html"];
const APPLIED = "\u2061"; // between a function and its argument
const THIN = "0.167em";
const SPACES = { thickmathspace: "0.278em", mediummathspace: "0.222em", thinmathspace: THIN };
// Attributes that browsers know, of those that MathJax sets.
const KNOWN = /^(class|displaystyle|lspace|maxsize|minsize|movablelimits|rspace|stretchy|symmetric|width|height|depth|linethickness|mathvariant)$/;
// Class of a table, by how its columns are aligned: see noscript.css.
const ALIGNED = [[/^right left/, "pe-pairs"], [/^right/, "pe-right"], [/^left/, "pe-left"]];
const DOUBLE = { C: "ℂ", H: "ℍ", N: "ℕ", P: "ℙ", Q: "ℚ", R: "ℝ", Z: "ℤ" };

const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

function element(name, attributes, inside) {
  const all = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value)).replace(/"/g, "&quot;")}"`);
  return `<${name}${all.join("")}>${inside}</${name}>`;
}

function known(node) {
  const all = Object.entries(node.attributes.getAllAttributes());
  return Object.fromEntries(all.filter(([key]) => KNOWN.test(key)).map(([key, value]) => [key, SPACES[value] ?? value]));
}

const textOf = (node) => (node.kind === "text" ? node.getText() : node.childNodes.map((child) => (child ? textOf(child) : "")).join(""));

// Letters that are bold or have double strokes are signs of their own.
function inVariant(text, variant) {
  const shifted = (upper, lower, digit) => (letter) => {
    const code = letter.charCodeAt(0);
    if (letter >= "a") return String.fromCodePoint(lower + code - 97);
    if (letter >= "A") return String.fromCodePoint(upper + code - 65);
    return String.fromCodePoint(digit + code - 48);
  };
  const shift = { bold: shifted(0x1d400, 0x1d41a, 0x1d7ce), "double-struck": shifted(0x1d538, 0x1d552, 0x1d7d8) }[variant];
  if (!shift || !/^[A-Za-z0-9]+$/.test(text)) return null;
  return text.replace(/./g, (letter) => (variant === "double-struck" && DOUBLE[letter]) || shift(letter));
}

// Boxes around a single thing say nothing, unless they have a class.
const contents = ({ childNodes }) => (childNodes.length === 1 && childNodes[0].isInferred ? childNodes[0].childNodes : childNodes);
function bare(node) {
  const box = ["TeXAtom", "mrow", "mstyle", "inferredMrow"].includes(node.kind);
  const needed = !box || contents(node).length !== 1 || known(node).class || node.attributes.getExplicit("displaystyle") !== undefined;
  return needed ? node : bare(contents(node)[0]);
}

// Spaces around an operator whose class in TeX is not the one of its sign.
function spaced(node, texClass) {
  const attributes = known(node);
  if (texClass !== TEXCLASS.ORD && /^\w{2,}$/.test(textOf(node))) attributes.lspace = attributes.rspace = THIN;
  if (texClass === TEXCLASS.OPEN) attributes.form = "prefix";
  if (texClass === TEXCLASS.CLOSE) attributes.form = "postfix";
  if (texClass === TEXCLASS.ORD) Object.assign(attributes, { lspace: "0", rspace: "0" });
  if (texClass === TEXCLASS.REL) attributes.lspace = attributes.rspace = SPACES.thickmathspace;
  return attributes;
}

// Between a function, such as ln, and what stands before it or behind it.
const isOrdinary = (node) => node && !["mo", "mspace"].includes(edge(node).kind);
const isClosed = (node) => node && /^[)\]}⌋⌉]$/.test(textOf(edge(node, -1)));
function edge(node, side = 0) {
  const inner = bare(node);
  const inside = ["mrow", "TeXAtom", "mstyle"].includes(inner.kind) || inner.isInferred;
  const next = inner.childNodes?.at?.(side);
  return inside && next ? edge(next, side) : inner;
}

function row(children) {
  return children.map((child, at) => {
    const [before, after] = [children[at - 1], children[at + 1]];
    if (child.kind === "mo" && textOf(child) === APPLIED)
      return element("mo", isOrdinary(after) ? { rspace: THIN } : {}, APPLIED);
    const isFunction = after && textOf(after) === APPLIED;
    const isSign = at === 1 && before.kind === "mo";
    const apart = isFunction && (isOrdinary(before) || isClosed(before) || isSign) && textOf(before) !== APPLIED;
    return (apart ? element("mspace", { width: THIN }, "") : "") + written(child);
  }).join("");
}

function accented(node) {
  const attributes = known(node);
  for (const [at, name] of [[node.under, "accentunder"], [node.over, "accent"]])
    if (at && node.childNodes[at]?.coreMO?.().attributes.get("accent")) attributes[name] = "true";
  return attributes;
}

function table(node, display) {
  const cells = node.childNodes.map((line) => line.childNodes);
  if (display && cells.length === 1 && cells[0].length === 1) return row(cells[0][0].childNodes);
  const columns = node.attributes.getExplicit("columnalign") ?? "";
  const look = ALIGNED.find(([pattern]) => pattern.test(columns))?.[1];
  const attributes = { ...known(node), ...(look && { class: look }) };
  const lines = cells.map((line) => element("mtr", {}, line.map((cell) => element("mtd", {}, row(cell.childNodes))).join("")));
  return element("mtable", attributes, lines.join(""));
}

function written(node, display = false) {
  const { kind, childNodes } = node;
  if (kind === "text") return escaped(node.getText());
  if (node.isInferred) return row(childNodes);
  if (kind === "merror") throw new Error(textOf(node));
  const inner = bare(node);
  if (inner !== node) {
    if (inner.kind === "mo" && kind === "TeXAtom") return element("mo", spaced(inner, node.texClass), row(inner.childNodes));
    return written(inner, display);
  }
  if (kind === "mtable") return table(node, display);
  const inside = row(childNodes.filter(Boolean));
  if (kind === "mo") return element("mo", spaced(node, node.getProperty("texClass")), inside.replace("\u2015", "\u00af"));
  if (/^m(under|over|underover)$/.test(kind)) return element(kind, accented(node), inside);
  const attributes = known(node);
  if (kind === "mi" || kind === "mn") {
    const sign = inVariant(textOf(node), attributes.mathvariant);
    const isUpright = attributes.mathvariant === "normal" && !/^\p{L}$/u.test(textOf(node));
    if (sign || isUpright) delete attributes.mathvariant; // other signs are so anyway
    return element(kind, attributes, sign ?? inside);
  }
  // Nothing, between signs: a box would be a space to browsers, and lose theirs.
  if (kind === "TeXAtom" && !inside) return element("mi", attributes, "");
  return element(kind === "TeXAtom" ? "mrow" : kind, attributes, inside);
}

const { macros, formulas } = JSON.parse(readFileSync(0, "utf-8"));
const reader = new TeX({ packages: PACKAGES, macros, formatError: (_, error) => { throw error; } });
reader.setMmlFactory(new MmlFactory());

function mathml({ tex, display }) {
  const root = reader.compile(new HTMLMathItem(tex, reader, display), {});
  const [body] = root.childNodes;
  const inside = body.childNodes.length === 1 ? written(body.childNodes[0], display) : row(body.childNodes);
  return element("math", display ? { display: "block" } : {}, inside);
}

const answer = { mathml: [] };
for (const formula of formulas) {
  try {
    answer.mathml.push(mathml(formula));
  } catch (error) {
    Object.assign(answer, { formula: formula.tex, error: error.message });
    break;
  }
}
process.stdout.write(JSON.stringify(answer));
