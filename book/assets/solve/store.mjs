// What readers keep: answers and progress, in this browser alone. Several tabs share it.

export const PROGRESS = "posenc-progress";
const here = new Map(); // where the browser keeps nothing: as long as the page is open
let blocked = false;

export const isBlocked = () => blocked;

export function read(key) {
  try {
    return here.get(key) ?? localStorage.getItem(key);
  } catch {
    blocked = true;
    return here.get(key) ?? null;
  }
}

function write(key, value) {
  here.delete(key);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    blocked = true; // or full
    if (value !== null) here.set(key, value);
  }
}

// Adds lines; two tabs that do so at once lose nothing.
export async function addProgress(lines) {
  const add = () => write(PROGRESS, `${(read(PROGRESS) ?? "").trimEnd()}\n${lines.trim()}\n`);
  let added = false;
  const once = () => (added ||= (add(), true));
  // A browser that keeps nothing grants no lock, either.
  await navigator.locks?.request(PROGRESS, once).catch(() => {});
  once();
  return read(PROGRESS);
}

// The same answer in another tab: the last change is in both, and can be undone in both.
export function follow(key, changed) {
  let known = read(key);
  const look = () => {
    const now = read(key);
    if (now !== known) changed((known = now));
  };
  addEventListener("storage", (event) => event.key === key && look());
  addEventListener("visibilitychange", look);
  addEventListener("pageshow", look);
  return (text) => {
    known = text;
    write(key, text);
  };
}
