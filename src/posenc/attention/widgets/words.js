// Words in a row that can be put in another order: by dragging, by arrow keys, by tapping.
import { element, KEYS } from "../../kit/widgets/kit.js";

const WORD_STYLE = `
.pe-words { display: flex; flex-wrap: wrap; gap: 0.4rem; margin: 0.3rem 0 0.5rem; }
.pe-words + .pe-row { margin-bottom: 1rem; }
.pe-widget .pe-word { min-height: 34px; padding: 0.1rem 0.7rem; cursor: grab; touch-action: none;
  user-select: none; -webkit-user-select: none; font-weight: 600; background: var(--pe-surface); }
.pe-widget .pe-word[data-twin] { border-bottom: 3px solid var(--pe-query); }
.pe-widget .pe-word[data-held] { border-color: var(--pe-query); background: var(--pe-raised);
  cursor: grabbing; }
.pe-hint { margin: 0; color: var(--pe-muted); font-size: 13px; }
`;

/** List with the item at `from` moved to `to`. */
export function movedTo(items, from, to) {
  const rest = items.filter((_, i) => i !== from);
  return [...rest.slice(0, to), items[from], ...rest.slice(to)];
}

/** `put(order)` is told of every new order; `refresh(s)` shows what describe gave. */
export function wordRow(put) {
  const row = element("div", {
    class: "pe-words", role: "group",
    "aria-label": "Words in their new order. Arrow keys move the word that has the focus.",
  });
  const actions = element("div", { class: "pe-row" });
  const hint = element("p", { class: "pe-hint" },
    "Drag a word, tap it, or focus it and press ← or →.");
  const node = element("div", {}, element("style", {}, WORD_STYLE), hint, row, actions);
  let state = null, chips = [], held = null;

  const move = (word, to) => {
    const from = state.order.indexOf(word), last = state.length - 1;
    const place = Math.max(0, Math.min(to, last));
    if (place !== from) put(movedTo(state.order, from, place));
  };
  const onward = (word) => {
    const place = state.order.indexOf(word) + 1;
    move(word, place === state.length ? 0 : place);
  };

  function makeChip(name, word) {
    const chip = element("button", { type: "button", class: "pe-word", ...KEYS }, name);
    if (state.twins?.includes(word)) chip.dataset.twin = "";
    chip.addEventListener("keydown", (event) => {
      const place = state.order.indexOf(word);
      const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0,
        End: state.length - 1 }[event.key];
      if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      move(word, to);
    });
    chip.addEventListener("click", (event) => { if (!event.detail) onward(word); });
    chip.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      held = { word, start: event.clientX, dragged: false };
      chip.dataset.held = "";
      row.setPointerCapture(event.pointerId); // the row stays, the word may move in it
    });
    return chip;
  }

  row.addEventListener("pointermove", (event) => {
    if (!held) return;
    held.dragged ||= Math.abs(event.clientX - held.start) > 4;
    const from = state.order.indexOf(held.word), { clientX: x, clientY: y } = event;
    const to = state.order.findIndex((word) => {
      const box = chips[word].getBoundingClientRect();
      return x >= box.left && x <= box.right && y >= box.top - 8 && y <= box.bottom + 8;
    });
    if (to < 0 || to === from) return;
    const box = chips[state.order[to]].getBoundingClientRect();
    const sameLine = Math.abs(box.top - chips[held.word].getBoundingClientRect().top) < 4;
    const middle = (box.left + box.right) / 2; // beyond it, or the two would change forever
    if (!sameLine || (to > from ? x > middle : x < middle)) move(held.word, to);
  });
  const release = (event) => {
    if (!held) return;
    const { word, dragged } = held;
    delete chips[word].dataset.held;
    held = null;
    if (event.type === "pointerup" && !dragged) onward(word);
  };
  row.addEventListener("pointerup", release);
  row.addEventListener("pointercancel", release);

  const act = (label, change) => {
    const button = element("button", { type: "button", ...KEYS }, label);
    button.addEventListener("click", () => put(change(state)));
    actions.append(button);
    return button;
  };
  act("reverse", (s) => [...s.order].reverse());
  const swap = act("swap the equal words", ({ order, twins: [a, b] }) =>
    order.map((n) => (n === a ? b : n === b ? a : n)));
  act("shuffle", (s) => {
    const ranks = s.order.map(() => Math.random());
    const next = [...s.order].sort((a, b) => ranks[a] - ranks[b]);
    return next.join() === s.order.join() ? movedTo(next, 0, s.length - 1) : next;
  });
  act("original order", (s) => [...s.order].sort((a, b) => a - b));

  function refresh(next) {
    const other = state?.words !== next.words && state?.words.join() !== next.words.join();
    state = next;
    if (other) chips = state.names.map(makeChip);
    const shown = state.order.map((word) => chips[word]);
    if (shown.some((chip, i) => row.children[i] !== chip) || row.children.length > shown.length) {
      const focused = row.contains(document.activeElement) ? document.activeElement : null;
      row.replaceChildren(...shown);
      if (focused?.isConnected) focused.focus({ preventScroll: true });
    }
    shown.forEach((chip, place) => chip.setAttribute(
      "aria-label", `${chip.textContent}, place ${place + 1} of ${state.length}`));
    swap.disabled = !state.twins;
  }

  return { node, refresh };
}
