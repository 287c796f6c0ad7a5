// Behavior of the slides. Loaded in the head: the theme is chosen before the first paint.
// Without this script, and on a phone, the slides are a page to scroll.

const WIDTH = 1280, HEIGHT = 720;
const WIDGET = 960; // for which widgets are laid out
const root = document.documentElement;
const narrow = matchMedia("(max-width: 700px)");
const printing = /print-pdf/.test(location.search);

function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage is blocked
  }
}

function show(theme) {
  root.dataset.theme = theme;
}

const dark = matchMedia("(prefers-color-scheme: dark)").matches;
const chosen = { light: "light", dark: "dark" }[kept("mode")];
show(printing ? "light" : (chosen ?? (dark ? "dark" : "light")));

/** Sets the scale of what a slide shows, and its width before that. */
function setScale(body, scale, width) {
  body.style.width = width + "px";
  body.style.marginLeft = (body.parentElement.clientWidth - width * scale) / 2 + "px";
  body.style.transform = `scale(${scale})`;
}

/** Makes text and pictures as large as their slide allows: they flow anew at each size. */
function fit(body) {
  const { clientWidth, clientHeight } = body.parentElement;
  for (let scale = body.querySelector("img") ? 1 : 1.25; scale > 0.3; scale -= 0.02) {
    setScale(body, scale, clientWidth / scale);
    const fits = body.offsetHeight * scale <= clientHeight + 1;
    if (fits && body.scrollWidth <= body.clientWidth + 1) break;
  }
}

/** Makes a widget as large as its slide allows; it has drawn itself for its width. */
function enlarge(body) {
  const { clientWidth, clientHeight } = body.parentElement;
  setScale(body, Math.min(clientHeight / body.offsetHeight, clientWidth / WIDGET), WIDGET);
}

const frames = () =>
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

/** Keys belong to a widget while it has the focus; Escape gives them back. */
function keyboardCondition(event) {
  const widget = event?.target.closest?.(".pe-widget, .pe-bar");
  if (widget && event.key === "Escape") event.target.blur();
  return !widget;
}

async function start() {
  document.getElementById("pe-theme").addEventListener("click", () => {
    show(root.dataset.theme === "dark" ? "light" : "dark");
  });
  narrow.addEventListener("change", () => location.reload());
  if (narrow.matches && !printing) return;
  root.classList.add("pe-deck", "pe-measuring");
  await MathJax.startup.promise;
  await document.fonts.ready;
  const bodies = [...document.querySelectorAll(".pe-fit")];
  const live = bodies.filter((body) => body.querySelector(".pe-widget"));
  for (const body of live) {
    setScale(body, 1, WIDGET);
    body.dataset.preventSwipe = "";
  }
  await frames();
  for (const body of bodies) (live.includes(body) ? enlarge : fit)(body);
  root.classList.remove("pe-measuring");
  await Reveal.initialize({
    width: WIDTH,
    height: HEIGHT,
    margin: 0,
    maxScale: 4,
    center: false,
    hash: true,
    keyboardCondition,
    scrollActivationWidth: 0,
    slideNumber: "c/t",
    transition: matchMedia("(prefers-reduced-motion: reduce)").matches ? "none" : "slide",
    viewDistance: bodies.length, // widgets keep their sizes
    mobileViewDistance: bodies.length,
    pdfMaxPagesPerSlide: 1,
  });
}

// After the deferred scripts and the widgets' modules.
addEventListener("load", start);
