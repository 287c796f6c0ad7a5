// What notebooks keep in this browser, and the progress that pages share with them.
// JupyterLite keeps files in IndexedDB: STORE is the name that build_lite.py sets.
import { PROGRESS, addProgress, read } from "./store.mjs";

const STORE = "where-am-i";
export const FILE = `${PROGRESS}.jsonl`; // see progress_file.py

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

export const remove = (file) => withStores("readwrite", (store) => answer(store.delete(file)));

// Lines by their content: spaces do not matter. A damaged line stays where it is.
function records(text) {
  const found = new Map();
  for (const line of (text ?? "").split("\n")) {
    try {
      const record = JSON.parse(line);
      if (typeof record.exercise === "string") found.set(JSON.stringify(record), line);
    } catch {}
  }
  return found;
}

// Notebooks and pages keep the same lines in two places: each gets those that it lacks.
// `contents` is JupyterLite's.
async function share(contents) {
  const file = await contents.get(FILE, { content: true, format: "text" }).catch(() => null);
  const there = records(file?.content), here = records(read(PROGRESS));
  const missing = (from, to) => [...from].flatMap(([key, line]) => (to.has(key) ? [] : [line]));
  const forPages = missing(there, here), forNotebooks = missing(here, there);
  if (forPages.length) await addProgress(forPages.join("\n"));
  if (forNotebooks.length) {
    const content = [file?.content ?? "", ...forNotebooks, ""].join("\n");
    await contents.save(FILE, { type: "file", format: "text", content });
  }
}

// For run.js, a classic script, which loads this file when it needs it.
export default { FILE, PROGRESS, answer, remove, share, withStores };
