// Lists all exercises and what is kept of them; saves that as a file, loads or deletes it.
import { FILE, remove } from "./notebooks.mjs";

const WORDS = {
  passed: "✓ passed",
  failed: "✗ not right yet",
  answered: "◐ begun, not checked",
  unanswered: "○ not answered yet",
};
const ANSWER = "posenc-answer:", PROGRESS = "posenc-progress";
const element = (id) => document.getElementById(id);
const say = (text) => (element("said").textContent = text);

let mode = "auto";
try {
  mode = localStorage.getItem("mode") ?? "auto";
} catch {
  say("This browser keeps nothing for this site, so there is nothing to show.");
}
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset.theme = mode === "auto" ? (dark ? "dark" : "light") : mode;

// Titles of chapters and exercises; without them the page still lists what is kept.
const chapters = await fetch("exercises.json").then((answer) => answer.json()).catch(() => ({}));

function make(name, text, set) {
  return Object.assign(document.createElement(name), { textContent: text, ...set });
}

function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage is blocked: said above
  }
}

const isText = (value) => typeof value === "string";
const isCheck = (line) => isText(line?.exercise);

function lines(text) {
  const parsed = (text ?? "").split("\n").map((line) => {
    try {
      return JSON.parse(line);
    } catch {
      return null; // an empty or a damaged line
    }
  });
  return parsed.filter(isCheck);
}

function kept() {
  const answers = {};
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(ANSWER)) answers[key.slice(ANSWER.length)] = localStorage.getItem(key);
  } catch {} // storage is blocked: said above
  return { progress: lines(read(PROGRESS)), answers };
}

function show() {
  const { progress, answers } = kept();
  const found = Object.fromEntries(Object.keys(answers).map((name) => [name, "answered"]));
  for (const { exercise, passed } of progress)
    if (found[exercise] !== "passed") found[exercise] = passed ? "passed" : "failed";
  const all = structuredClone(chapters);
  for (const name of Object.keys(found).sort()) {
    const slug = name.split(".")[0];
    const { exercises } = (all[slug] ??= { title: slug, exercises: [] });
    if (!exercises.some(([known]) => known === name)) exercises.push([name, name.split(".")[1], ""]);
  }
  element("list").replaceChildren();
  let total = 0, solved = 0;
  for (const [slug, { title, exercises }] of Object.entries(all)) {
    const list = make("ul", "");
    let passed = 0;
    for (const [name, words, label] of exercises) {
      const item = make("li", "");
      const how = found[name] ?? "unanswered";
      passed += how === "passed";
      const tries = progress.filter(({ exercise }) => exercise === name).length;
      const said = `${WORDS[how]}${tries ? `, ${tries} ${tries === 1 ? "check" : "checks"}` : ""}`;
      const link = make("a", words, { href: `../book/${slug}.html${label && `#${label}`}` });
      item.append(link, make("span", said, { className: how }));
      list.append(item);
    }
    const head = make("h2", `${title}: ${passed} of ${exercises.length} solved`);
    element("list").append(head, list);
    total += exercises.length;
    solved += passed;
  }
  element("sum").textContent = `You have solved ${solved} of ${total} exercises.`;
  element("save").disabled = element("delete").disabled = !Object.keys(found).length;
}

element("save").onclick = () => {
  const blob = new Blob([JSON.stringify(kept(), null, 1)], { type: "application/json" });
  const url = URL.createObjectURL(blob);
  make("a", "", { href: url, download: "where-am-i-progress.json" }).click();
  URL.revokeObjectURL(url);
};

// Adds what a file holds: checks that are not here, and answers, which replace others only
// if the reader says so.
async function load(file) {
  const { progress, answers } = JSON.parse(await file.text());
  if (answers.constructor !== Object || !Object.values(answers).every(isText) || !progress.every(isCheck))
    throw new TypeError("no file of this page");
  const known = new Set(kept().progress.map((line) => JSON.stringify(line)));
  const added = progress.map((line) => JSON.stringify(line)).filter((line) => !known.has(line));
  const differ = Object.entries(answers).filter(([name, code]) => (read(ANSWER + name) ?? code) !== code);
  const question = `You have other answers here to ${differ.length} of these exercises. Replace them with those of the file?`;
  const replace = differ.length > 0 && confirm(question);
  localStorage.setItem(PROGRESS, [read(PROGRESS)?.trimEnd(), ...added, ""].filter((line) => line !== undefined).join("\n"));
  for (const [name, code] of Object.entries(answers))
    if (replace || read(ANSWER + name) === null) localStorage.setItem(ANSWER + name, code);
  show();
  say("The file is loaded.");
}

element("load").onclick = () => element("file").click();
element("file").onchange = async () => {
  const [file] = element("file").files;
  element("file").value = ""; // so that it can be chosen again
  if (file) await load(file).catch(() => say("This is not a file that this page has saved, or this browser keeps nothing: nothing is changed."));
};

element("delete").onclick = async () => {
  if (!confirm("Delete all answers and all progress that this browser keeps? This cannot be undone.")) return;
  await remove(FILE); // first, or a notebook that is open would bring it back
  for (const key of Object.keys(localStorage))
    if (key.startsWith(ANSWER) || key === PROGRESS) localStorage.removeItem(key);
  show();
  say("Everything is deleted.");
};
addEventListener("storage", show);
show();
