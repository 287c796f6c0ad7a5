// What happens below a cell once a reader begins: an editor, Python, and what it shows.
import area from "./area.mjs";
import python from "./python.mjs";
import { addProgress, follow, isBlocked, read } from "./store.mjs";

const KEPT = "Your answers and your progress stay in this browser: ";
const NOT_KEPT = "This browser cannot keep your answer: copy it before you close this page.";
const LOST = "Your changes to this cell are not kept: they are gone when you leave the page.";

let worker; // one, also where the chapter's file comes at the second try only

export default async function desk({ here, page, note, make }) {
  worker ??= python(new URL("../lite/static/pyodide/", here).href);
  worker.start(); // takes longer than all else
  const editor = import("./codemirror/editor.js").then((module) => module.default, () => area);
  const chapter = await got(`${here}${page}.json`);
  const benches = new Map();
  document.head.append(make("link", { rel: "stylesheet", href: `${here}desk.css` }));

  // Everything about one box, made at its first click.
  function bench(box) {
    const { exercise, cell: number } = box.dataset;
    const cell = exercise ? box.previousElementSibling : box.parentElement;
    const original = cell.querySelector("pre").textContent.replace(/\n$/, "");
    const key = `posenc-answer:${exercise}`;
    const state = box.querySelector(".pe-state");
    const shown = box.querySelector(".pe-shown");
    const button = (what) => box.querySelector(`[data-do=${what}]`);
    state.setAttribute("role", "status");
    let code = (exercise && read(key)) ?? original;
    let view, opening, hints = 0;
    const published = exercise ? null : box.closest(".cell").querySelector(".cell_output");
    const keep = exercise ? follow(key, (text) => view?.replace((code = text ?? original))) : () => {};

    function changed(text) {
      keep((code = text));
      button("reset").hidden = false;
      tell();
    }

    function tell() {
      if (exercise && isBlocked()) box.querySelector(".pe-kept")?.replaceChildren(NOT_KEPT);
    }

    async function open() {
      const place = make("div", { className: "pe-editor" });
      // What is typed is code: elsewhere on the page "/" goes to the search.
      place.onkeydown = (event) => event.ctrlKey || event.metaKey || event.stopPropagation();
      const label = exercise ? `Your answer to ${exercise}` : "Code to try";
      const make_view = await editor;
      const names = Object.keys(chapter.imports);
      const help = (act) => (path) => worker.askIfFree({ act, path, code, setup: imported(code) });
      const settings = { code, label, changed, names, complete: help("complete"), describe: help("describe") };
      view = make_view(place, { ...settings, check: () => act(exercise ? "check" : "run") });
      if (exercise) cell.hidden = true;
      else [...cell.children].forEach((part) => (part.hidden = part !== box));
      box.prepend(place);
      box.classList.add("pe-open");
      button("edit").hidden = true;
      if (!box.querySelector(".pe-kept")) {
        const link = make("a", { href: `${here}progress.html`, textContent: "see, save or delete them" });
        const about = exercise ? [KEPT, link, "."] : [LOST];
        box.append(make("p", { className: "pe-kept" }, ...about));
        tell();
      }
    }

    function message(what) {
      if (what === "hint") return { act: "hint", exercise, number: ++hints };
      const place = exercise ? chapter.places[exercise] : number;
      const steps = chapter.steps.filter(([cell]) => cell < place).map(([, ...step]) => step);
      const check = what === "check" ? chapter.checks[exercise] : "";
      return { act: "run", code, steps, check, look: document.documentElement.dataset.theme };
    }

    function setBusy(busy) {
      box.dataset.state = busy ? "busy" : "idle";
      shown.ariaBusy = String(busy); // it is told when it is complete
      for (const each of box.querySelectorAll(".pe-bar button:not([data-do=stop])")) each.ariaDisabled = String(busy);
    }

    async function ask(what) {
      setBusy(true);
      let printed;
      const print = (text) => {
        if (!printed) shown.replaceChildren((printed = display(["text", ""])));
        printed.append(text);
      };
      const busy = (text) => (state.textContent = text);
      try {
        const { shown: parts, progress } = await worker.ask(message(what), { owner: box, busy, print, late: slow });
        shown.replaceChildren(...parts.map(display));
        if (!parts.length) shown.append(make("p", { textContent: "It ran, and showed nothing." }));
        if (progress) note(await addProgress(progress));
        if (what !== "hint") hints = 0;
        if (published) published.hidden = true;
      } catch (problem) {
        const told = make("p", { className: "pe-problem", textContent: problem.message });
        shown.replaceChildren(...(printed ? [printed] : []), told);
      }
      setBusy(false);
      state.textContent = "";
      note(read("posenc-progress"));
      tell();
    }

    // It is still waited for: a slow line takes longer, and then this goes away.
    function slow(seconds, again) {
      const retry = make("button", { type: "button", textContent: "Try again" });
      retry.onclick = () => {
        shown.replaceChildren();
        again();
      };
      const file = make("a", { href: `${here}../lite/files/${page}.ipynb`, textContent: "download the notebook" });
      file.download = `${page}.ipynb`;
      shown.replaceChildren(make("p", { className: "pe-problem" },
        `Python has not come within ${seconds} seconds. Is the connection slow, or gone? `, retry, " or ", file, " and open it in Jupyter."));
    }

    function reset() {
      const question = "Start over? This throws away what you wrote here, and Python starts again.";
      if (code !== original && !confirm(question)) return;
      worker.restart();
      keep(null);
      code = original;
      view.replace(original);
      shown.replaceChildren();
      if (published) published.hidden = false;
      view.focus();
    }

    async function act(what) {
      if (what === "warm") return worker.start();
      if (what === "stop") return worker.stop(box);
      await (opening ??= open());
      if (box.dataset.state === "busy") return;
      if (what === "edit") {
        view.focus();
        worker.start();
      } else if (what === "reset") reset();
      else await ask(what);
    }

    return act;
  }

  // Statements of the chapter that import what some code speaks of.
  function imported(code) {
    const names = new Set(code.match(/[^\W\d]\w*/g));
    return Object.entries(chapter.imports).filter(([name]) => names.has(name)).map(([, how]) => how);
  }

  function display([kind, content]) {
    if (kind === "html") return make("div", { innerHTML: content }); // the reader's own, or posenc's
    const shown = make("pre", { className: `pe-${kind}`, textContent: content });
    shown.tabIndex = 0; // scrolls
    return shown;
  }

  return (box, what) => {
    if (!benches.has(box)) benches.set(box, bench(box));
    return benches.get(box)(what);
  };
}

async function got(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}
