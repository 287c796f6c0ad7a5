// What pictures are made of: colors, a canvas, lines and words on it, pointer and keyboard.
import { element, KEYS } from "./controls.js";

/** Color table of matplotlib (rrggbb…) as a function of 0 … 1 that gives fill and ink. */
export function colorTable(hex) {
  const colors = hex.match(/.{6}/g).map((digits) => {
    const [r, g, b] = [0, 2, 4].map((i) => {
      const c = parseInt(digits.slice(i, i + 2), 16) / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    // Black has the higher contrast on colors above this luminance, white below (WCAG).
    const light = 0.2126 * r + 0.7152 * g + 0.0722 * b > Math.sqrt(1.05 * 0.05) - 0.05;
    return { fill: "#" + digits, ink: light ? "#000000" : "#ffffff" };
  });
  return (t) => colors[Math.min(Math.floor(t * colors.length), colors.length - 1)];
}

/** Colors of the page's theme by role, as defined in figures/palette.py. */
export function themeColors(node) {
  const style = getComputedStyle(node);
  const roles = ["query", "key", "value", "position", "text", "muted", "line", "surface", "raised"];
  return Object.fromEntries(roles.map((r) => [r, style.getPropertyValue("--pe-" + r)]));
}

/** Canvas that can take the focus; `begin` clears it and sets its size in CSS pixels. */
export function drawing(label) {
  const options = { tabindex: 0, role: "application", "aria-label": label, ...KEYS };
  const canvas = element("canvas", options);
  const context = canvas.getContext("2d");
  function begin(width, height) {
    const ratio = window.devicePixelRatio || 1;
    const size = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== size[0] || canvas.height !== size[1]) {
      [canvas.width, canvas.height] = size;
      canvas.style.width = width + "px";
      canvas.style.height = height + "px";
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    return context;
  }
  return { canvas, context, begin };
}

/** A line through points [x, y]. */
export function polyline(context, color, points, { dash = [], thick = 1 } = {}) {
  context.strokeStyle = color;
  context.lineWidth = thick;
  context.setLineDash(dash);
  context.beginPath();
  points.forEach((point) => context.lineTo(...point));
  context.stroke();
  context.setLineDash([]);
}

/** Upward, for the words beside a vertical axis. */
export const UP = -Math.PI / 2;

/**
 * Writes words on a canvas: `at` may hold align, baseline, color, size, bold, halo (a color)
 * and turn.
 */
export function write(context, words, x, y, at = {}) {
  context.fillStyle = at.color;
  context.textAlign = at.align ?? "center";
  context.textBaseline = at.baseline ?? "middle";
  context.font = `${at.bold ? "bold " : ""}${at.size ?? 12}px system-ui, sans-serif`;
  if (at.halo) {
    context.save();
    Object.assign(context, { strokeStyle: at.halo, lineWidth: 4, lineJoin: "round" });
    context.strokeText(words, x, y);
    context.restore();
  }
  if (!at.turn) return context.fillText(words, x, y);
  context.save();
  context.translate(x, y);
  context.rotate(at.turn);
  context.fillText(words, 0, 0);
  context.restore();
}

/** A filled circle, or the sector between two angles. */
export function disk(context, x, y, radius, fill, from = 0, to = 2 * Math.PI) {
  context.beginPath();
  if (to - from < 2 * Math.PI) context.moveTo(x, y);
  context.arc(x, y, radius, from, to);
  context.closePath();
  context.fillStyle = fill;
  context.fill();
}

/** A circle around a place. */
export function ring(context, x, y, radius, color, thick = 2) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.strokeStyle = color;
  context.lineWidth = thick;
  context.stroke();
}

/** A frame around a rectangle. */
export function outline(context, x, y, wide, high, color, { thick = 2, dash = [] } = {}) {
  context.strokeStyle = color;
  context.lineWidth = thick;
  context.setLineDash(dash);
  context.strokeRect(x, y, wide, high);
  context.setLineDash([]);
}

/**
 * Lets pointer and keyboard choose an item of a canvas. `at(x, y)` finds the item there
 * or null, `step(key)` the item that a key leads to, null, or undefined if it leads
 * nowhere. `point(item, x, y)` is called where the pointer or the focus is, with null where
 * there is none; `choose(item, x, y)` for clicks and for keys, with null for Escape and, if
 * `brief`, when the focus goes; `press(item)` for clicks, Enter and space.
 */
export function explore(canvas, { at, step, point, choose, press, brief }) {
  const where = (event) => [at(event.offsetX, event.offsetY), event.offsetX, event.offsetY];
  canvas.addEventListener("pointermove", (event) => point(...where(event)));
  canvas.addEventListener("pointerdown", (event) => point(...where(event)));
  canvas.addEventListener("click", (event) => {
    const [item, ...place] = where(event);
    choose(item, ...place);
    if (press && item !== null) press(item);
  });
  canvas.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") point(null);
  });
  canvas.addEventListener("focus", () => {
    if (canvas.matches(":focus-visible")) point(step(""));
  });
  canvas.addEventListener("blur", () => (brief ? choose(null) : point(null)));
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const item = event.key === "Escape" ? null : step(event.key);
    if (item !== undefined) {
      event.preventDefault();
      choose(item);
    } else if (press && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      if (step("") !== null) press(step(""));
    }
  });
}

/** Lets clicks and keys move something: `move(item)` receives where. */
export function handle(canvas, at, step, move) {
  canvas.addEventListener("click", (event) => {
    const item = at(event.offsetX, event.offsetY);
    if (item !== null) move(item);
  });
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const item = step(event.key);
    if (item === undefined || item === null) return;
    event.preventDefault();
    move(item);
  });
}

/** Box of words beside the pointer; the status line says the same to screen readers. */
export function tooltip(parent) {
  const node = element("div", { class: "pe-tip", "aria-hidden": "true", hidden: "" });
  parent.append(node);
  return {
    show(words, x, y) {
      node.textContent = words;
      node.hidden = false;
      const room = parent.clientWidth - node.offsetWidth;
      node.style.left = Math.max(0, Math.min(x + 14, room)) + "px";
      node.style.top = y + 18 + "px";
    },
    hide() { node.hidden = true; },
  };
}

/**
 * Lets mouse and finger drag. `start(x, y)` tells what is gripped, or null; `move(grip, x,
 * y)` receives where it goes. With `hold`, a finger on a grip does not scroll the page; where
 * `start` takes every place, `hold()` tells afterwards whether that one is a grip, or null.
 */
export function drag(canvas, { start, move, hold = false }) {
  let grip = null;
  canvas.style.cursor = "grab";
  canvas.addEventListener("pointerdown", (event) => {
    grip = start(event.offsetX, event.offsetY);
    if (grip !== null && event.isTrusted) canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (grip !== null && event.buttons) move(grip, event.offsetX, event.offsetY);
  });
  for (const end of ["pointerup", "pointercancel"])
    canvas.addEventListener(end, () => { grip = null; });
  if (!hold) return;
  const grips = hold === true ? start : hold;
  canvas.addEventListener("touchstart", (event) => {
    const box = canvas.getBoundingClientRect(), { clientX, clientY } = event.touches[0];
    const shown = box.width / canvas.offsetWidth; // slides show it larger than it is
    if (grips((clientX - box.left) / shown, (clientY - box.top) / shown) !== null)
      event.preventDefault();
  }, { passive: false });
}
