// What every widget needs, part two: colors, canvas, pointer and keyboard, the matrix.
import { element, KEYS } from "./kit.js";

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

/** Writes words on a canvas: `at` may hold align, baseline, color, size and bold. */
export function write(context, words, x, y, at = {}) {
  context.fillStyle = at.color;
  context.textAlign = at.align ?? "center";
  context.textBaseline = at.baseline ?? "middle";
  context.font = `${at.bold ? "bold " : ""}${at.size ?? 12}px system-ui, sans-serif`;
  context.fillText(words, x, y);
}

/**
 * Lets pointer and keyboard choose an item of a canvas. `at(x, y)` finds the item there
 * or null, `step(key)` the item that a key leads to or null, `choose(item, x, y)` is told.
 * A click keeps the choice until the focus goes; Escape and leaving give it up.
 */
export function explore(canvas, { at, step, choose }) {
  const point = (event) => choose(at(event.offsetX, event.offsetY), event.offsetX, event.offsetY);
  const focused = () => document.activeElement === canvas;
  canvas.addEventListener("pointermove", point);
  canvas.addEventListener("pointerdown", point);
  canvas.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch" && !focused()) choose(null);
  });
  canvas.addEventListener("focus", () => {
    if (canvas.matches(":focus-visible")) choose(step(""));
  });
  canvas.addEventListener("blur", () => choose(null));
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const item = event.key === "Escape" ? null : step(event.key);
    if (item === undefined) return;
    event.preventDefault();
    choose(item);
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
 * Matrix with queries down and keys across. `draw` takes q_len, k_len, the `width` and
 * `height` there is, the theme's `colors`, `selected` ({ q, k } or null) and
 * `cell(r) -> { fill, ink, text, faint }`, which knows the relative position r = k − q
 * alone. So one strip holds every distinct cell and each row of the matrix is a window of
 * it, moved by one: q_len copies instead of q_len × k_len cells. It returns the height
 * of the picture. `at(x, y)` finds a cell.
 */
export function toeplitzMatrix(label) {
  const { canvas, context, begin } = drawing(label);
  const strip = document.createElement("canvas").getContext("2d");
  const margin = { left: 36, top: 36 };
  let grid = { size: 1, q_len: 0, k_len: 0 };

  function drawStrip({ q_len, k_len, cell, colors }, pixels, ratio) {
    const count = q_len + k_len - 1;
    if (strip.canvas.width < count * pixels) strip.canvas.width = count * pixels;
    if (strip.canvas.height < pixels) strip.canvas.height = pixels;
    strip.clearRect(0, 0, count * pixels, pixels);
    const gap = pixels >= 6 * ratio ? Math.round(ratio) : 0;
    const font = Math.min(0.46 * pixels, 13 * ratio);
    for (let i = 0; i < count; i++) {
      const { fill, ink, text, faint } = cell(i - q_len + 1), x = i * pixels;
      strip.globalAlpha = faint ? 0.3 : 1;
      strip.fillStyle = fill;
      strip.fillRect(x, 0, pixels - gap, pixels - gap);
      strip.globalAlpha = 1;
      const color = faint ? colors.muted : ink;
      if (i === q_len - 1) { // relative position 0 is always marked
        const inset = Math.max(0.08 * pixels, ratio), side = pixels - gap - 2 * inset;
        strip.strokeStyle = color;
        strip.lineWidth = Math.max(0.045 * pixels, ratio);
        strip.strokeRect(x + inset, inset, side, side);
      }
      const room = (pixels - gap) / (text.length > 2 ? 2 : 1);
      if (room < 11.5 * ratio) continue;
      write(strip, text, x + (pixels - gap) / 2, (pixels - gap) / 2 + 0.06 * font,
        { color, size: text.length > 2 ? 0.36 * pixels : font });
    }
  }

  function draw(options) {
    const { q_len, k_len, width, height, colors, selected } = options;
    const ratio = window.devicePixelRatio || 1;
    const room = Math.min((width - margin.left) / k_len, height / q_len, 30);
    const pixels = Math.max(Math.floor(room * ratio), 1), size = pixels / ratio;
    grid = { size, q_len, k_len };
    const tall = margin.top + q_len * size + 1;
    begin(Math.max(margin.left + k_len * size, 80), tall);
    drawStrip(options, pixels, ratio);
    context.setTransform(1, 0, 0, 1, 0, 0); // whole device pixels keep cells crisp
    const left = Math.round(margin.left * ratio), top = Math.round(margin.top * ratio);
    for (let q = 0; q < q_len; q++)
      context.drawImage(strip.canvas, (q_len - 1 - q) * pixels, 0, k_len * pixels, pixels,
        left, top + q * pixels, k_len * pixels, pixels);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawHeads(options, size);
    if (selected) drawFrame(selected, size, colors);
    return tall;
  }

  function drawFrame(selected, size, colors) {
    const x = margin.left + selected.k * size, y = margin.top + selected.q * size;
    for (const [color, grow] of [[colors.surface, 2.5], [colors.text, 1]]) {
      context.strokeStyle = color;
      context.lineWidth = 2;
      context.strokeRect(x - grow, y - grow, size + 2 * grow - 1, size + 2 * grow - 1);
    }
  }

  function drawHeads({ q_len, k_len, colors, selected }, size) {
    const every = [1, 2, 4, 8, 16, 32].find((n) => n * size >= 17);
    const head = (count, chosen, color, place) => {
      for (let i = 0; i < count; i++) {
        const bold = i === chosen;
        if (!bold && (i % every || Math.abs(i - chosen) * size < 15)) continue;
        const [x, y] = place((i + 0.5) * size);
        write(context, i, x, y, { color: bold ? color : colors.muted, size: 11, bold });
      }
    };
    const last = margin.left + k_len * size - 7; // or the canvas ends within the number
    head(k_len, selected?.k, colors.key, (d) => [Math.min(margin.left + d, last), margin.top - 9]);
    head(q_len, selected?.q, colors.query, (d) => [margin.left - 11, margin.top + d]);
    const start = { size: 13, align: "left" };
    write(context, "key →", margin.left, 9, { ...start, color: colors.key });
    context.save();
    context.translate(8, margin.top);
    context.rotate(-Math.PI / 2);
    write(context, "← query", 0, 0, { ...start, align: "right", color: colors.query });
    context.restore();
  }

  function at(x, y) {
    const k = Math.floor((x - margin.left) / grid.size);
    const q = Math.floor((y - margin.top) / grid.size);
    return q >= 0 && k >= 0 && q < grid.q_len && k < grid.k_len ? { q, k } : null;
  }

  /** Cell that a key leads to from `cell`; undefined for a key that leads nowhere. */
  function step(key, cell) {
    if (!cell || key === "") return { q: cell?.q ?? 0, k: cell?.k ?? 0 };
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    moves.Home = [0, -cell.k];
    moves.End = [0, grid.k_len];
    moves.PageUp = [-cell.q, 0];
    moves.PageDown = [grid.q_len, 0];
    if (!moves[key]) return undefined;
    const keep = (value, length) => Math.max(0, Math.min(value, length - 1));
    const [down, right] = moves[key];
    return { q: keep(cell.q + down, grid.q_len), k: keep(cell.k + right, grid.k_len) };
  }

  return { canvas, draw, at, step };
}
