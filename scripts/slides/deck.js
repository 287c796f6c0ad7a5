// Behavior of the slides. Loaded in the head: the theme is chosen before the first paint.
// Without this script, and on a phone, the slides are a page to scroll.

const WIDTH = 1280, HEIGHT = 720;
const WIDGETS = [960, 1400]; // widths in which widgets are tried: many panels want more
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
  function fits(scale) {
    setScale(body, scale, clientWidth / scale);
    const high = body.offsetHeight * scale > clientHeight + 1;
    return !high && body.scrollWidth <= body.clientWidth + 1;
  }
  // From the largest down: what fits at one size need not fit at a smaller one.
  for (let scale = body.querySelector("img") ? 1 : 1.25; scale > 0.3; scale -= 0.01)
    if (fits(scale)) return;
}

const frames = () =>
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

/** Makes widgets as large as their slides allow: in which width is each largest? */
async function enlarge(bodies) {
  const best = new Map();
  for (const width of WIDGETS) {
    for (const body of bodies) setScale(body, 1, width);
    await frames(); // widgets draw themselves anew
    for (const body of bodies) {
      const { clientWidth, clientHeight } = body.parentElement;
      const scale = Math.min(clientHeight / body.offsetHeight, clientWidth / width);
      if (scale > (best.get(body)?.scale ?? 0)) best.set(body, { scale, width });
    }
  }
  for (const [body, { scale, width }] of best) setScale(body, scale, width);
  await frames();
  // Some grow when they are used.
  const shrink = new ResizeObserver((entries) => {
    for (const { target: body } of entries) {
      const { scale, width } = best.get(body), room = body.parentElement.clientHeight;
      if (body.offsetHeight) setScale(body, Math.min(scale, room / body.offsetHeight), width);
    }
  });
  for (const body of bodies) shrink.observe(body);
}

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
  const main = document.querySelector("main");
  main.classList.add("reveal");
  main.firstElementChild.classList.add("slides");
  await window.MathJax.startup.promise;
  await frames(); // fonts of formulas are asked for when these are laid out
  await document.fonts.ready;
  const bodies = [...document.querySelectorAll(".pe-fit")];
  const live = bodies.filter((body) => body.querySelector(".pe-widget"));
  for (const body of live) body.dataset.preventSwipe = "";
  bodies.filter((body) => !live.includes(body)).forEach(fit);
  await enlarge(live);
  root.classList.remove("pe-measuring");
  await window.Reveal.initialize({
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
