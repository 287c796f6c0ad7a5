// Opens a chapter's notebook below a bar that can download it and start it again.
// JupyterLite keeps what is saved in IndexedDB: STORE is the name that build_lite.py sets.
const STORE = "where-am-i";
const slug = new URLSearchParams(location.search).get("notebook") ?? "";
const file = `${slug}.ipynb`;
const element = (id) => document.getElementById(id);
const frame = document.createElement("iframe");
frame.title = "Notebook";

function say(text, ...more) {
  element("message").replaceChildren(text, ...more);
  element("message").hidden = false;
}

function link(text, attributes) {
  return Object.assign(document.createElement("a"), { textContent: text, ...attributes });
}

function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

// Calls `work` with the stores of what is kept, if there are any.
async function withStores(mode, work) {
  const kept = await indexedDB.databases();
  if (!kept.some(({ name }) => name === STORE)) return undefined;
  const database = await answer(indexedDB.open(STORE));
  try {
    const names = ["files", "checkpoints"].filter((n) => database.objectStoreNames.contains(n));
    if (!names.length) return undefined;
    const transaction = database.transaction(names, mode);
    return await Promise.all(names.map((name) => work(transaction.objectStore(name))));
  } finally {
    database.close();
  }
}

async function savedCopy() {
  const found = await withStores("readonly", (store) => answer(store.get(file)));
  return found?.[0]?.content;
}

function app() {
  return frame.contentWindow?.jupyterapp;
}

async function save() {
  if (app()?.commands.hasCommand("docmanager:save")) {
    await app().commands.execute("docmanager:save");
  }
}

async function download() {
  await save();
  const saved = await savedCopy();
  const text = saved ? JSON.stringify(saved, null, 1) : await (await fetch(`files/${file}`)).text();
  const url = URL.createObjectURL(new Blob([text], { type: "application/x-ipynb+json" }));
  link("", { href: url, download: file }).click();
  URL.revokeObjectURL(url);
}

async function startAgain() {
  element("run").disabled = true; // until the new one is there
  frame.remove(); // what is open there would save itself once more
  await withStores("readwrite", (store) => answer(store.delete(file)));
  element("message").hidden = true;
  open();
}

async function runAll() {
  element("run").disabled = true;
  const before = element("kept").textContent;
  element("kept").textContent = "Python is starting …";
  const { sessionContext } = app().shell.currentWidget;
  await sessionContext.ready;
  await sessionContext.session?.kernel?.info; // cells that are run before it are lost
  element("kept").textContent = before;
  element("run").disabled = false;
  await app().commands.execute("notebook:run-all-cells");
}

// The button works as soon as the notebook is there; Python may still be starting.
function offerRun() {
  const ready = app()?.commands.hasCommand("notebook:run-all-cells");
  const shown = frame.contentDocument?.querySelector(".jp-Notebook .jp-Cell");
  element("run").disabled = !(ready && shown);
  if (element("run").disabled) setTimeout(offerRun, 100);
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
  const editions = await (await fetch("editions.json", { cache: "no-cache" })).json();
  if (!Object.hasOwn(editions, slug)) {
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
  const saved = await savedCopy();
  if (saved) {
    element("kept").textContent = "This is your own copy, kept in this browser.";
    const mine = saved.metadata?.posenc?.edition;
    if (mine !== editions[slug]) {
      say(
        "A newer edition of this notebook has been published since you began; below is your copy of the older one. “Download” keeps your work, “Start again” opens the new edition.",
      );
    }
  } else {
    element("kept").textContent = "What you change here is kept in this browser.";
  }
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
  open();
}

start();
