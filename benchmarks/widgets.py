"""Measure how soon widgets answer: ``python benchmarks/widgets.py [PAGE ...]``.

Every control and picture of every widget on the built site is moved by events such as a
key or a slider causes. The time of one runs from the event to the end of the next
repaint: scripts, layout and painting, on the whole page that the widget stands on. Of
that, "scripts" is its own code. "words" is the time of a frame in which one sentence of
the widget changes and nothing else: no widget can be faster. Compare widgets of one run
with each other, not those of two runs: the machine may have been busy.

The bounds that are printed beside the times fail nothing: a busy machine exceeds them.
"""

import os
import statistics
import sys
from typing import Any, NamedTuple

from record import ROOT

sys.path.extend([str(ROOT / "scripts"), str(ROOT / "tests/site")])

import browsing
import build_book

WIDTHS = (1280, 360)
#: Milliseconds that the median and the 95th percentile should not exceed.
MEDIAN, LATE = 4, 16

#: Moves each control over its range, there and back, and each picture by keys. Returns
#: [what was moved, milliseconds, those of scripts] of each event that changed what the
#: widget shows or says, those of the first round left out: scripts are compiled in it.
#: The event comes at the start of a frame; the message arrives when that frame has been
#: painted.
MOVE = """async (root, rounds) => {
  const frame = (act) => new Promise((done) => requestAnimationFrame(async () => {
    const start = performance.now();
    const { port1, port2 } = new MessageChannel();
    let scripts = 0;
    port1.onmessage = () => done([performance.now() - start, scripts]);
    port2.postMessage(null);
    act();
    await null; // widgets draw in a microtask
    scripts = performance.now() - start;
  }));
  const fire = (node, type) => node.dispatchEvent(new Event(type, { bubbles: true }));
  const put = (node, value) => () => {
    const [name, type] = node.tagName === "SELECT"
      ? ["selectedIndex", "change"] : ["value", "input"];
    node[name] = value;
    fire(node, type);
  };
  const press = (node, key) => () => node.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const KEYS = ["ArrowRight", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowUp",
    "ArrowLeft", "End", "ArrowLeft", "ArrowDown", "Home", "Escape"];
  function moves(node) {
    if (node.tagName === "CANVAS") return KEYS.map((key) => press(node, key));
    if (node.type === "checkbox") return [0, 1].map(() => () => node.click());
    const select = node.tagName === "SELECT";
    const [now, last] = select
      ? [node.selectedIndex, node.options.length - 1] : [+node.value, +node.max];
    const stride = Math.max(1, Math.round(last / 12)), up = [];
    for (let i = 0; i <= last; i += stride) up.push(i);
    return [...up, ...up.toReversed(), now].map((value) => put(node, value));
  }
  const text = (part) => root.querySelector(part)?.textContent;
  const told = () =>
    [root.dataset.shown, text(".pe-readout"), text(".pe-facts")].join();
  root.scrollIntoView({ block: "center" });
  const times = [];
  const parts = "select[data-key], input[data-key], canvas[tabindex]";
  for (let round = 0; round < rounds; round++)
    for (const node of root.querySelectorAll(parts)) {
      if (!node.checkVisibility() || node.disabled) continue;
      for (const move of moves(node)) {
        const before = told(), ms = await frame(move);
        const name = node.dataset.key ?? "picture";
        if (round > 0 && told() !== before) times.push([name, ...ms]);
      }
    }
  const words = root.querySelector(".pe-readout"), before = words.textContent;
  for (let i = 0; i < 21; i++) {
    const ms = await frame(() => { words.textContent = `Sentence number ${i}.`; });
    times.push(["words", ...ms]);
  }
  words.textContent = before;
  return times;
}"""


class Row(NamedTuple):
    """Times of one widget at one width of the window, in milliseconds."""

    page: str
    widget: str
    width: int
    median: float
    late: float
    scripts: float
    words: float
    slowest: str

    def __str__(self) -> str:
        """Return a line of the table."""
        mark = "  above" if self.median > MEDIAN or self.late > LATE else ""
        return (
            f"{self.page:18} {self.widget:26} {self.width:5} {self.median:7.1f} "
            f"{self.late:7.1f} {self.scripts:8.1f} {self.words:6.1f}  "
            f"{self.slowest}{mark}"
        )


def summary(times: list[tuple[str, float, float]]) -> tuple[Any, ...]:
    """Return the numbers of a `Row`, and its control with the highest median."""
    of: dict[str, list[float]] = {}
    for name, ms, _ in times:
        of.setdefault(name, []).append(ms)
    words = statistics.median(of.pop("words"))
    medians = {name: statistics.median(values) for name, values in of.items()}
    slowest = max(medians, key=medians.__getitem__)
    all_times = [ms for values in of.values() for ms in values]
    late = statistics.quantiles(all_times, n=20, method="inclusive")[-1]
    scripts = statistics.median(own for name, _, own in times if name != "words")
    return (
        statistics.median(all_times),
        late,
        scripts,
        words,
        f"{slowest} {medians[slowest]:.1f}",
    )


def measure(browser: Any, address: str, page_name: str, rounds: int) -> list[Row]:
    """Return the rows of all widgets of a page, at each width."""
    rows = []
    for width in WIDTHS:
        page = browsing.open_page(browser, f"{address}book/{page_name}", width=width)
        slug = page_name.removesuffix(".html")
        for root in page.locator(".pe-widget").all():
            times = root.evaluate(MOVE, rounds)
            place = root.evaluate("root => root.parentElement.id")
            if len({name for name, *_ in times}) > 1:
                name = place.removeprefix("posenc-")
                rows.append(Row(slug, name, width, *summary(times)))
                print(rows[-1], flush=True)
        page.context.close()
    return rows


def main() -> None:
    """Measure the widgets of the pages that are named, or of all."""
    if not build_book.is_current():
        sys.exit("This needs a built site: run `python scripts/build_book.py`")
    names = sorted(path.name for path in build_book.SITE.glob("book/*.html"))
    if len(sys.argv) > 1:
        names = [f"{slug}.html" for slug in sys.argv[1:]]
    print(f"load {os.getloadavg()[0]:.1f}; bounds {MEDIAN} and {LATE} ms")
    head = "width  median    95 %  scripts  words  slowest control"
    print(f"{'page':18} {'widget':26} {head}")
    rows = []
    with browsing.served(build_book.SITE) as address, browsing.launched() as browser:
        for name in names:
            rows += measure(browser, address, name, rounds=3)
    usual = statistics.median(row.median for row in rows)
    print(f"load {os.getloadavg()[0]:.1f}; the usual median is {usual:.1f} ms")
    for row in sorted(rows, key=lambda row: -row.median)[:10]:
        print(f"{row.median / usual:5.1f} times that: {row}")


if __name__ == "__main__":
    main()
