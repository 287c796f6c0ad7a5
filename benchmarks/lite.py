"""Time until Python answers in the reader's browser. ``python benchmarks/lite.py``.

One chapter's notebook is opened in Chromium, from a server on this machine: by a reader
who comes for the first time, and by the same one, whose browser has kept what it
compiled, for the fifth time. Needs a built site, with Pyodide's files.
"""

import sys
import time
from typing import Any

from record import ROOT, save, visits

sys.path.extend([str(ROOT / "scripts"), str(ROOT / "tests/site")])

import browsing
import build_book
import build_lite
from find_browser import find_browser
from playwright.sync_api import sync_playwright

SLUG, REPEATS, VISITS = "t5", 3, 5
#: Stages that a reader waits for, in order.
SHOWN = "!document.getElementById('run').disabled"
FIGURE = """() => [...window.jupyterapp.shell.currentWidget.content.model.cells]
  .some(({ type, outputs }) =>
    type === "code" && JSON.stringify(outputs.toJSON()).includes("<img"))"""
FIRST_TEXT = """async () => {
  const { sessionContext } = window.jupyterapp.shell.currentWidget;
  await sessionContext.ready;
  const { kernel } = sessionContext.session;
  await kernel.info;
  const asked = kernel.requestExecute({ code: "print(1 + 1)" });
  await new Promise((done) => {
    asked.onIOPub = ({ content }) => content.text && done();
  });
}"""


def open_notebook(context: Any, address: str) -> dict[str, float]:
    """Return the seconds until each thing is there, and what was fetched for it."""
    page = context.new_page()
    page.set_default_timeout(180_000)
    fetched = []
    page.on(
        "response",
        lambda answer: fetched.append(int(answer.headers.get("content-length") or 0)),
    )
    start = time.perf_counter()
    page.goto(f"{address}lite/run.html?notebook={SLUG}")
    page.wait_for_function(SHOWN)
    times = {"notebook shown": time.perf_counter() - start}
    inside = page.locator("iframe").element_handle().content_frame()
    inside.evaluate(FIRST_TEXT)
    times["first text"] = time.perf_counter() - start
    page.click("#run")
    inside.wait_for_function(FIGURE)
    times["first figure"] = time.perf_counter() - start
    page.close()
    return {**times, "megabytes": sum(fetched) / 1e6}


def visit(address: str, profile: str) -> dict[str, float]:
    """Open the notebook in a browser that is started for it and keeps a profile."""
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=find_browser(), args=list(browsing.FLAGS)
        )
        times = open_notebook(context, address)
        context.close()
    return times


def measure(address: str) -> dict[str, dict[str, float]]:
    """Return medians for a first visit and for a later one."""
    return visits(
        lambda profile: visit(address, profile),
        repeats=REPEATS,
        count=VISITS,
        last="fifth visit",
    )


def main() -> None:
    """Measure the site that is built."""
    bundle, sentence = build_lite.choose()
    if bundle is None or not build_book.is_current():
        sys.exit(f"This needs a built site, and Pyodide's files. {sentence}")
    with browsing.served(build_book.SITE) as address:
        # Without a snapshot of memory, which older results were compared with.
        results = {"without": measure(address)}
    print(results)
    save("lite", results, seed=0)


if __name__ == "__main__":
    main()
