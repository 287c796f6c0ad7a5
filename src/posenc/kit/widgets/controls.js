// What every widget needs of the page: following it and the model, controls, words.

/** Element with attributes and children. */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Number with a sign and a real minus; a whole zero has none. */
export function signed(n, digits = 0) {
  if (n === 0 && !digits) return "0";
  return (n < 0 ? "−" : "+") + Math.abs(n).toFixed(digits);
}

/** Calls `update` once after any of `keys` has changed, however many did; returns a stop. */
export function watch(model, keys, update) {
  let waiting = false, stopped = false;
  const run = () => { waiting = false; if (!stopped) update(); };
  const changed = () => { if (!waiting) { waiting = true; queueMicrotask(run); } };
  for (const key of keys) model.on("change:" + key, changed);
  return () => { stopped = true; };
}

/**
 * Calls `update` when the page's theme, the role that a formula marks, or the width of `node`
 * changes; returns a stop.
 */
export function watchPage(node, update) {
  let width = node.clientWidth;
  const redraw = () => { width = node.clientWidth; update(); };
  const resized = () => { if (node.clientWidth !== width) redraw(); };
  // JupyterLab hides its notebooks while it changes the theme, often for less than a frame.
  const themes = new MutationObserver(() => { redraw(); requestAnimationFrame(resized); });
  const attributeFilter = ["data-theme", "data-jp-theme-light", "data-mark"];
  for (const root of [document.documentElement, document.body])
    themes.observe(root, { attributes: true, attributeFilter });
  const sizes = new ResizeObserver(resized);
  sizes.observe(node);
  return () => { themes.disconnect(); sizes.disconnect(); };
}

// JupyterLab leaves the keys alone of a focused element that carries this attribute.
export const KEYS = { "data-lm-suppress-shortcuts": "true" };

/**
 * Labeled controls bound to traits. Each spec has a `kind`, a `label` and, all but the
 * button, the `key` of its trait:
 * range: `values()` lists what can be chosen now, `text(value)` words it; `hidden()` tells
 * whether its place is empty;
 * select: `options` lists [value, words]; several: the same, and [mark, color] of a value
 * that has one; its trait is a list. checkbox: a boolean; button: `press()`; play: made
 * by `createWidget`, its `part`.
 * `choose(value)` may set more than the one trait. Call `refresh` when a trait changed.
 */
export function controls(model, specs) {
  const makers = { range, select, several, checkbox, button };
  const made = specs.map((spec) => {
    const put = (value) => {
      if (spec.choose) spec.choose(value);
      else model.set(spec.key, value);
      model.save_changes();
    };
    return spec.part ?? makers[spec.kind](model, spec, put);
  });
  const refresh = () => made.forEach((control) => control.refresh());
  refresh();
  const small = (i) => ["checkbox", "button", "play"].includes(specs[i].kind);
  const [wide, narrow] = [false, true].map((kind) =>
    made.filter((_, i) => small(i) === kind).map((control) => control.node));
  const row = element("div", { class: "pe-row" }, ...narrow);
  return { node: element("div", { class: "pe-controls" }, ...wide, row), row, refresh };
}

function range(model, { key, label, values, text = String, hidden = () => false }, put) {
  const input = element("input", { type: "range", min: 0, "data-key": key, ...KEYS });
  const output = element("output", { "aria-hidden": "true" });
  input.addEventListener("input", () => put(values()[input.value]));
  const refresh = () => {
    const choices = values();
    input.max = choices.length - 1;
    input.value = choices.indexOf(model.get(key));
    output.textContent = text(model.get(key));
    input.setAttribute("aria-valuetext", text(model.get(key)));
    node.style.visibility = hidden() ? "hidden" : "";
  };
  const name = element("label", {}, element("span", {}, label), input);
  const node = element("div", { class: "pe-control" }, name, output);
  return { node, refresh };
}

function select(model, { key, label, options }, put) {
  const input = element("select", { "data-key": key, ...KEYS });
  input.append(...options.map(([, words]) => element("option", {}, words)));
  input.addEventListener("change", () => put(options[input.selectedIndex][0]));
  const refresh = () => {
    input.selectedIndex = options.findIndex(([value]) => value === model.get(key));
  };
  const name = element("label", {}, element("span", {}, label), input);
  return { node: element("div", { class: "pe-control" }, name), refresh };
}

function several(model, { key, label, options }, put) {
  const inputs = options.map(([value]) =>
    element("input", { type: "checkbox", value, "data-key": key, ...KEYS }));
  const chosen = () => inputs.filter((input) => input.checked).map((input) => input.value);
  const refresh = () => {
    for (const input of inputs) input.checked = model.get(key).includes(input.value);
  };
  const labels = options.map(([, words, look], i) => {
    inputs[i].addEventListener("change", () => { put(chosen()); refresh(); });
    const mark = look ? [element("span", { class: "pe-mark", "aria-hidden": "true",
      style: `color: var(--pe-${look[1]})` }, look[0])] : [];
    return element("label", { class: "pe-check" }, inputs[i], ...mark,
      element("span", {}, words));
  });
  const legend = element("legend", {}, label);
  return { node: element("fieldset", { class: "pe-several" }, legend, ...labels), refresh };
}

function checkbox(model, { key, label }, put) {
  const input = element("input", { type: "checkbox", "data-key": key, ...KEYS });
  input.addEventListener("change", () => put(input.checked));
  const refresh = () => { input.checked = model.get(key); };
  const name = element("label", { class: "pe-check" }, input, element("span", {}, label));
  return { node: element("div", { class: "pe-control" }, name), refresh };
}

function button(model, { label, press }) {
  const node = element("button", { type: "button", ...KEYS }, label);
  node.addEventListener("click", () => { press(); model.save_changes(); });
  return { node, refresh() {} };
}

/** Says a text to screen readers once changes have paused. */
export function speaker(parent) {
  const node = element("div", { class: "pe-spoken", role: "status" });
  let timer = 0;
  parent.append(node);
  return (words) => {
    clearTimeout(timer);
    timer = setTimeout(() => { node.textContent = words; }, 500);
  };
}

/** The picture as a table of text, folded; `rows()` is called only while it is open. */
export function textTable(summary, head, rows) {
  const body = element("tbody");
  const headers = head.map((words) => element("th", { scope: "col" }, words));
  const row = ([first, ...rest]) => element("tr", {},
    element("th", { scope: "row" }, first), ...rest.map((words) => element("td", {}, words)));
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...headers)), body);
  const node = element("details", { class: "pe-text" }, element("summary", KEYS, summary));
  node.append(element("div", { class: "pe-scroll", tabindex: 0, ...KEYS }, table));
  const refresh = () => {
    if (node.open) body.replaceChildren(...rows().map(row));
  };
  node.addEventListener("toggle", refresh);
  return { node, refresh };
}
