// Opens a chapter's notebook below a bar that can download it and start it again.
const asked = new URLSearchParams(location.search);
const slug = asked.get("notebook") ?? "";
const exercise = asked.get("exercise");
const file = `${slug}.ipynb`;
const element = (id) => document.getElementById(id);
const frame = document.createElement("iframe");
frame.title = "Notebook";
// Milliseconds after which a reader hears that something is wrong.
const PATIENCE = 1000 * (window.posencPatience ?? 20);
let opened = 0; // times that the notebook was opened or closed
let kept = ""; // what the bar says about the reader's work
let notebooks; // notebooks.mjs, which comes only where the book is served
let sharing = Promise.resolve();

// The site's own choice of colors, or else the system's.
let isDark = matchMedia("(prefers-color-scheme: dark)").matches;
try {
  const mode = localStorage.getItem("mode");
  if (mode === "light" || mode === "dark") isDark = mode === "dark";
} catch {} // storage is blocked
document.documentElement.style.colorScheme = isDark ? "dark" : "light";

function say(text, ...more) {
  element("message").replaceChildren(text, ...more);
  element("message").hidden = false;
  element("message").dataset.about = "";
}

function link(text, attributes) {
  return Object.assign(document.createElement("a"), { textContent: text, ...attributes });
}

async function savedCopy() {
  const found = await notebooks.withStores("readonly", (store) => notebooks.answer(store.get(file)));
  return found?.[0]?.content;
}

function app() {
  return frame.contentWindow?.jupyterapp;
}

// One after the other. Where storage is full or blocked, pages and notebooks keep their own.
function share() {
  const shared = () => app() && notebooks.share(app().serviceManager.contents);
  sharing = sharing.then(shared).catch(() => {});
}

// While the notebook is still opening this fails, and nothing is there to be saved.
async function save() {
  if (app()?.commands.hasCommand("docmanager:save")) {
    await app().commands.execute("docmanager:save").catch(() => {});
  }
}

// The notebook as it is open, for a browser that blocks storage.
function openCopy() {
  const context = app()?.shell.currentWidget?.context;
  return context?.isReady ? context.model.toJSON() : undefined;
}

async function download() {
  await save();
  const saved = await savedCopy().catch(openCopy);
  const text = saved ? JSON.stringify(saved, null, 1) : await (await fetch(`files/${file}`)).text();
  const url = URL.createObjectURL(new Blob([text], { type: "application/x-ipynb+json" }));
  link("", { href: url, download: file }).click();
  URL.revokeObjectURL(url);
}

async function startAgain() {
  close(); // what is open there would save itself once more
  const failed = await notebooks.remove(file).then(() => false, () => true);
  open();
  if (failed)
    say(
      "This browser does not let the page delete your copy. If it is still here, take ",
      link("the notebook as it is published", { href: `files/${file}`, download: file }),
      ".",
    );
}

async function runAll() {
  const turn = opened;
  element("run").disabled = true;
  element("kept").textContent = "Python is starting …";
  await pythonIsThere();
  if (turn !== opened) return;
  element("kept").textContent = kept;
  element("run").disabled = false;
  await app().commands.execute("notebook:run-all-cells");
}

const pause = () => new Promise((done) => setTimeout(done, 100));

// The button works as soon as the notebook is there; Python may still be starting.
async function offerRun() {
  const turn = opened;
  const late = setTimeout(sayLate, PATIENCE);
  const shown = () =>
    app()?.commands.hasCommand("notebook:run-all-cells") &&
    frame.contentDocument?.querySelector(".jp-Notebook .jp-Cell");
  while (turn === opened && !shown()) await pause();
  if (turn === opened) {
    element("run").disabled = false;
    app().serviceManager.contents.fileChanged.connect((_, { newValue }) => {
      if (newValue?.path === notebooks.FILE) share();
    });
    share();
    color();
    if (exercise) goTo(exercise);
    await pythonIsThere();
  }
  clearTimeout(late);
  if (turn === opened && element("message").dataset.about === "late") element("message").hidden = true;
}

// JupyterLab follows the system by itself (overrides.json), until it is told otherwise: for
// which it must have read its settings, so it is told until it does.
async function color() {
  const theme = isDark ? "JupyterLab Dark" : "JupyterLab Light";
  const turn = opened;
  for (let tries = 0; tries < 20 && turn === opened; tries++) {
    if (frame.contentDocument.body.dataset.jpThemeLight === String(!isDark)) return;
    app().commands.execute("apputils:change-theme", { theme }).catch(() => {});
    for (let waits = 0; waits < 5; waits++) await pause();
  }
}

// Cells that are run before the kernel has said what it is are lost.
async function pythonIsThere() {
  const { sessionContext } = app().shell.currentWidget;
  await sessionContext.ready;
  await sessionContext.session?.kernel?.info;
}

// Python is still waited for: a slow line takes longer, and then this goes away.
function sayLate() {
  offerAgain(`Python has not come within ${PATIENCE / 1000} seconds.`);
}

function offerAgain(problem) {
  const again = Object.assign(document.createElement("button"), { textContent: "Try again" });
  again.onclick = async () => {
    again.disabled = true;
    if (!frame.isConnected) return location.reload(); // nothing has been opened yet
    await Promise.race([save(), new Promise((done) => setTimeout(done, 2000))]);
    close();
    open();
  };
  say(
    `${problem} Is the connection slow, or gone? `,
    again,
    " or ",
    link("download the notebook", { href: `files/${file}`, download: file }),
    " and open it in Jupyter.",
  );
  element("message").dataset.about = "late";
}

// To the text of an exercise: it comes before the cell for the answer, and that before
// the check. Cells out of sight have guessed heights, and move it when they are drawn: for
// a second it is looked for again, unless the reader moves.
async function goTo(name) {
  const { content, context } = app().shell.currentWidget;
  await context.ready; // an empty notebook comes first
  const { widgets } = content;
  const check = widgets.findIndex(({ model }) => model.sharedModel.source.includes(`check("${name}"`));
  const isBefore = (test) => widgets.slice(0, check).findLastIndex(({ model }) => test(model));
  const answer = isBefore((model) => model.getMetadata("tags")?.includes("stub"));
  if (check < 0 || answer < 0) return; // the reader has taken it out
  content.activeCellIndex = answer;
  let moved = false;
  for (const kind of ["wheel", "pointerdown", "keydown", "touchstart"])
    frame.contentWindow.addEventListener(kind, () => (moved = true), { once: true, capture: true });
  for (let turn = 0; turn < 10 && !moved; turn++) {
    await content.scrollToItem(answer - 1, "start", 0);
    await new Promise((done) => setTimeout(done, 100));
  }
}

// Takes the notebook away; who waits for it stops.
function close() {
  opened += 1;
  frame.remove();
  element("run").disabled = true;
  element("message").hidden = true;
  element("kept").textContent = kept;
}

function ask() {
  element("sure").returnValue = "";
  element("sure").showModal();
}

function open() {
  frame.src = `notebooks/index.html?path=${encodeURIComponent(file)}`;
  document.querySelector("main").append(frame);
  offerRun();
}

async function start() {
  if (location.protocol === "file:") {
    say(
      "Python in the browser works only where the book is served: from the web, or on your computer with “make serve”. Here you can ",
      link("save the notebook", { href: `files/${file}`, download: file }),
      " and open it in Jupyter.",
    );
    return;
  }
  const late = setTimeout(sayLate, PATIENCE);
  let editions;
  try {
    ({ default: notebooks } = await import("./notebooks.mjs"));
    editions = await (await fetch("editions.json", { cache: "no-cache" })).json();
  } catch {
    clearTimeout(late);
    offerAgain("The list of notebooks did not come.");
    return;
  }
  if (!Object.hasOwn(editions, slug)) {
    clearTimeout(late);
    say(`There is no notebook “${slug}”. There are: `);
    const links = Object.keys(editions).flatMap((name) => [
      link(name, { href: `?notebook=${name}` }),
      " ",
    ]);
    element("message").append(...links);
    return;
  }
  element("chapter").href = `../book/${slug}.html`;
  element("chapter").textContent = "← Back to the chapter";
  document.title = `${slug} – Python in your browser`;
  kept = "What you change here is kept in this browser.";
  const saved = await savedCopy().catch(() => {
    kept = "This browser may not keep your work: download it before you leave.";
  });
  if (saved) {
    kept = "This is your own copy, kept in this browser.";
    const mine = saved.metadata?.posenc?.edition;
    if (mine !== editions[slug]) {
      say(
        "A newer edition of this notebook has been published since you began; below is your copy of the older one. “Download” keeps your work, “Start again” opens the new edition.",
      );
    }
  }
  element("kept").textContent = kept;
  element("run").onclick = runAll;
  element("download").disabled = element("again").disabled = false;
  element("download").onclick = download;
  element("again").onclick = ask;
  element("sure").onclose = async () => {
    const { returnValue } = element("sure");
    if (returnValue === "download") await download();
    if (returnValue === "again") await startAgain();
  };
  document.addEventListener("visibilitychange", () => document.hidden && save());
  addEventListener("storage", ({ key }) => key === notebooks.PROGRESS && share());
  clearTimeout(late);
  open();
}

start();
