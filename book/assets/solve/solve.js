// Exercises answered on the page, and cells tried with other code. Until a reader begins,
// this adds buttons and asks for nothing: the rest is in desk.mjs.
// DOM: after .cell.tag_stub[data-exercise] comes .pe-answer[data-exercise][data-passed]
// [data-state=idle|busy] with button[data-do], .pe-state and .pe-shown[aria-live].
{
  const { src, dataset } = document.currentScript;
  const here = new URL(".", src).href;
  const totals = JSON.parse(dataset.totals);
  const status = new Map(); // exercise -> "passed" or "failed"
  const words = {
    passed: "✓ passed",
    failed: "✗ not right yet",
    unanswered: "○ not answered yet",
  };
  const kept = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // storage is blocked
    }
  };

  function make(name, set, ...inside) {
    const made = Object.assign(document.createElement(name), set);
    made.append(...inside);
    return made;
  }

  // What the progress says: lines of JSON, as notebooks keep it.
  function note(text) {
    status.clear();
    for (const line of (text ?? "").split("\n")) {
      try {
        const { exercise, passed } = JSON.parse(line);
        if (typeof exercise === "string" && status.get(exercise) !== "passed") status.set(exercise, passed ? "passed" : "failed");
      } catch {} // an empty or a damaged line
    }
    for (const box of document.querySelectorAll(".pe-answer[data-exercise]")) {
      const found = status.get(box.dataset.exercise) ?? "unanswered";
      box.dataset.passed = found === "passed";
      box.querySelector(".pe-state").className = `pe-state pe-${found}`;
      const state = box.querySelector(".pe-state");
      if (box.dataset.state === "idle" && state.textContent !== words[found]) state.textContent = words[found];
    }
    for (const link of document.querySelectorAll(".bd-sidebar-primary a")) {
      const slug = link.pathname.match(/(\w+)\.html$/)?.[1];
      const total = link.getAttribute("href") === "#" ? totals[dataset.page] : totals[slug];
      if (!total) continue;
      const names = [...status].filter(([name, how]) => how === "passed" && name.startsWith(`${slug}.`));
      let count = link.querySelector(".pe-solved");
      if (!count && names.length) link.append(" ", (count = make("span", { className: "pe-solved" })));
      if (count) count.textContent = `${Math.min(names.length, total)} of ${total} solved`;
    }
  }

  function bar(box, actions, ...more) {
    const buttons = actions.map(([what, text]) => {
      const button = make("button", { type: "button", textContent: text });
      button.dataset.do = what;
      button.onclick = () => act(box, what);
      return button;
    });
    const state = make("span", { className: "pe-state" });
    const shown = make("div", { className: "pe-shown" });
    shown.setAttribute("aria-live", "polite");
    box.append(make("div", { className: "pe-bar" }, ...buttons, state, ...more), shown);
    box.dataset.state = "idle";
  }

  const notebook = document.querySelector(".pe-lite")?.href; // of the whole chapter
  const STOP = ["stop", "Stop"]; // shown while something runs
  let desk;
  async function act(box, what) {
    desk ??= import(`${here}desk.mjs`).then((module) =>
      module.default({ here, page: dataset.page, note, make }),
    );
    try {
      (await desk)(box, what);
    } catch {
      desk = undefined; // so that the next click tries again
      const text = "A part of the book could not be loaded. Look at your connection, and try again.";
      box.querySelector(".pe-shown").replaceChildren(make("p", { textContent: text }));
    }
  }

  function equip(cell) {
    const { exercise, cell: number } = cell.dataset;
    const box = make("div", { className: exercise ? "pe-answer" : "pe-try" });
    if (exercise) {
      box.dataset.exercise = exercise;
      const title = cell.previousElementSibling?.querySelector(".admonition-title")?.textContent;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", `Your answer: ${title ?? exercise}`);
      const links = notebook ? [make("a", { href: `${notebook}&exercise=${exercise}`, textContent: "Open in the notebook" })] : [];
      bar(box, [["edit", "Answer here"], ["run", "Run"], ["check", "Check"], ["hint", "Hint"], ["reset", "Start over"], STOP], ...links);
      const answer = kept(`posenc-answer:${exercise}`);
      if (answer !== null) box.querySelector("[data-do=edit]").textContent = "Go on with your answer";
      cell.after(box);
    } else {
      box.dataset.cell = number;
      bar(box, [["edit", "Try it"], ["run", "Run"], ["reset", "Start over"], STOP]);
      cell.querySelector(".cell_input").append(box);
    }
  }

  const server = "To answer here, serve the folder of this site: run <code>python -m http.server</code> in it, and open <code>localhost:8000</code>.";
  const cells = [...document.querySelectorAll(".cell:is([data-exercise], [data-cell])")];
  if (location.protocol !== "file:") {
    cells.forEach(equip);
    const link = make("a", { href: `${here}progress.html`, textContent: "Your progress in the exercises" });
    const item = make("li", { className: "toctree-l1" }, link);
    document.querySelector(".bd-sidebar-primary .bd-toc-item")?.append(make("ul", { className: "nav bd-sidenav" }, item));
  }
  else
    for (const cell of document.querySelectorAll(".cell[data-exercise]"))
      cell.after(make("p", { className: "pe-served", innerHTML: server }));
  for (const cell of document.querySelectorAll(".cell[data-needs]"))
    cell.querySelector(".cell_input").append(make("p", { className: "pe-served", textContent: `This cell needs ${cell.dataset.needs}. No browser has that: run the notebook on a computer.` }));
  note(kept("posenc-progress"));

  // Who has been here has the files: on a fast line that costs nothing Python gets ready
  // when an exercise comes into view.
  const { effectiveType, saveData, type } = navigator.connection ?? {};
  const isCheap = effectiveType === "4g" && !saveData && type !== "cellular";
  const boxes = document.querySelectorAll(".pe-answer");
  if (isCheap && boxes.length && kept("posenc-progress")) {
    const observer = new IntersectionObserver((entries) => {
      const seen = entries.find((entry) => entry.isIntersecting);
      if (!seen) return;
      observer.disconnect();
      act(seen.target, "warm");
    });
    boxes.forEach((box) => observer.observe(box));
  }
  addEventListener("storage", ({ key, newValue }) => key === "posenc-progress" && note(newValue));
  addEventListener("pageshow", ({ persisted }) => persisted && note(kept("posenc-progress")));
}
