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

// A formula wider than its column scrolls inside it, and so has to be reachable from the
// keyboard; the theme sees to that for code and tables. Columns change their width with
// the window, and appear when a folded box is opened.
function fit(formula, column) {
  formula.classList.remove("pe-wide");
  const wide = formula.hasAttribute("display")
    ? formula.scrollWidth > formula.clientWidth
    : formula.getBoundingClientRect().width > column.clientWidth;
  formula.classList.toggle("pe-wide", wide);
  if (wide) formula.tabIndex = 0;
  else formula.removeAttribute("tabindex");
}

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
