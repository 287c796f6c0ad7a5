// The pages' own behavior. Loaded in the head, so the first part runs before the first
// paint; the theme's script looks at the reader's system only after it.

const root = document.documentElement;
try {
  root.dataset.mode = localStorage.getItem("mode") ?? "auto";
} catch {
  root.dataset.mode = "auto"; // storage is blocked
}
if (root.dataset.mode === "auto") {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "dark" : "light";
}

// Search results quote their pages, which a page opened from the disk may not read.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// Browsers let Python run only in pages that come from a server.
if (location.protocol === "file:")
  addEventListener("DOMContentLoaded", () => {
    const help =
      "To run it in the browser, open this site from a server: <code>make serve</code> " +
      "or <code>python -m http.server</code>.";
    for (const link of document.querySelectorAll("a.pe-lite"))
      link.parentElement.innerHTML = help;
  });

// What scrolls inside its column has to be reachable from the keyboard. The theme sees to
// that for code and tables once the page has stood still for a while, which it does not
// as long as a picture moves: so they are watched here, as formulas are. Columns change
// their width with the window, and appear when a folded box is opened.
addEventListener("load", () => {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries)
      target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
  });
  const boxes = "pre, .cell_output > .output, .pst-scrollable-table-container";
  for (const box of document.querySelectorAll(boxes)) observer.observe(box);
});

function fit(formula, column) {
  formula.classList.remove("pe-wide");
  const wide = formula.hasAttribute("display")
    ? formula.scrollWidth > formula.clientWidth
    : formula.getBoundingClientRect().width > column.clientWidth;
  formula.classList.toggle("pe-wide", wide);
  const marks = formula.hasAttribute("display") && formula.querySelector(LETTERS);
  if (wide || marks) formula.tabIndex = 0;
  else formula.removeAttribute("tabindex");
  fade(formula);
}

// A formula fades where it goes on to the right: fingers see no scrollbar.
function fade(formula) {
  const left = formula.scrollWidth - formula.clientWidth - formula.scrollLeft;
  formula.classList.toggle("pe-more", formula.matches(".pe-wide") && left > 1);
}
const scrolled = ({ target }) => target.matches?.(".pe-wide") && fade(target);
addEventListener("scroll", scrolled, { capture: true, passive: true });

addEventListener("load", async () => {
  await window.MathJax?.startup?.promise;
  const formulas = new Map(); // column -> its formulas
  for (const formula of document.querySelectorAll("mjx-container")) {
    const column = formula.parentElement.closest("p, li, dd, td, th, div, figcaption");
    formulas.set(column, [...(formulas.get(column) ?? []), formula]);
  }
  const refit = ({ target }) => formulas.get(target).forEach((f) => fit(f, target));
  const observer = new ResizeObserver((entries) =>
    requestAnimationFrame(() => entries.forEach(refit)),
  );
  for (const column of formulas.keys()) observer.observe(column);
});

// Words that set a widget: buttons, once there is a script to follow them.
addEventListener("DOMContentLoaded", () => {
  for (const button of document.querySelectorAll("button.pe-set")) {
    button.disabled = false;
    button.addEventListener("click", () => {
      const name = button.dataset.widget.toLowerCase();
      // The one above these words: an opening picture may be of the same kind.
      const places = [...document.querySelectorAll(`div[id^="posenc-${name}-"]`)]
        .filter(({ id }) => /-\d+$/.test(id));
      const above = (place) =>
        place.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING;
      const place = places.findLast(above) ?? places[0];
      place.dispatchEvent(new CustomEvent("pe-set", { detail: JSON.parse(button.dataset.values) }));
      const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
      // A widget higher than the window has its picture on top.
      const { clientHeight } = document.documentElement, { top } = place.getBoundingClientRect();
      const high = place.offsetHeight > clientHeight, block = high ? "start" : "nearest";
      if (high && top >= 0 && top < clientHeight / 2) return; // the buttons stay in view, too
      place.scrollIntoView({ block, behavior: calm ? "auto" : "smooth" });
    });
  }
});

// A letter of a formula that is a query, key, value or position marks what it stands for: while
// it is pointed at, the pictures of widgets keep that color alone. A finger taps it, and the
// keyboard goes to the formula: Enter marks the next of its letters, Escape ends.
const ROLES = ["query", "key", "value", "position"];
const LETTERS = ROLES.map((role) => `mjx-container .pe-${role}`).join();
const roleOf = (letter) => ROLES.find((role) => letter?.classList.contains(`pe-${role}`));
function markRole(role) {
  if (role) document.body.dataset.mark = role;
  else delete document.body.dataset.mark;
}
for (const type of ["pointerover", "click"])
  addEventListener(type, ({ target, pointerType }) => {
    if (type === "pointerover" && pointerType !== "mouse") return;
    markRole(roleOf(target.closest?.(LETTERS)));
  });
addEventListener("keydown", ({ key, target }) => {
  if (key === "Escape") return markRole();
  if (key !== "Enter" || !target.matches("mjx-container")) return;
  const roles = [...new Set([...target.querySelectorAll(LETTERS)].map(roleOf))];
  markRole(roles[roles.indexOf(document.body.dataset.mark) + 1]);
});
addEventListener("focusout", ({ target }) => target.matches?.("mjx-container") && markRole());

// Words of the glossary: the first sentence of a definition stands beside its word while
// the pointer is on one of them, or the focus of the keyboard.
addEventListener("keydown", ({ key }) => {
  if (key === "Escape") document.querySelector(".pe-term:popover-open")?.hidePopover();
});
addEventListener("DOMContentLoaded", () => {
  let leaving = 0;
  for (const link of document.querySelectorAll('a[href^="glossary.html#term-"]')) {
    const box = document.getElementById(`about-${link.hash.slice(1)}`);
    const show = () => { clearTimeout(leaving); box.showPopover({ source: link }); };
    const hide = () => { clearTimeout(leaving); leaving = setTimeout(() => box.hidePopover(), 200); };
    link.setAttribute("aria-describedby", box.id);
    link.addEventListener("focus", () => link.matches(":focus-visible") && show());
    link.addEventListener("blur", hide);
    for (const part of [link, box]) {
      part.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && show());
      part.addEventListener("pointerleave", hide);
    }
    // A finger follows the link, or presses the mark behind it.
    const mark = document.createElement("button");
    mark.className = "pe-what";
    mark.textContent = "?";
    mark.ariaLabel = `What is “${link.textContent}”?`;
    mark.popoverTargetElement = box;
    link.after(mark);
  }
});
