"""Time until an answer is judged on the page. ``python benchmarks/solve.py``.

A right answer to the first exercise of one chapter is checked in Chromium: by a reader
who comes for the first time, then by the same one on a third visit, then once more on
the open page. The server is on this machine and compresses, as hosts do; the line is as
fast as it can be, or one of 20 Mbit/s. Needs a built site, with Pyodide's files.
"""

import contextlib
import functools
import gzip
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from record import ROOT, save, visits

sys.path.extend([str(ROOT / "scripts"), str(ROOT / "tests/site")])

import browsing
import build_book
from find_browser import find_browser
from playwright.sync_api import sync_playwright

SLUG, NAME, REPEATS, VISITS = "t5", "t5.buckets_by_hand", 3, 3
ANSWER = "my_buckets = [0, 2, 3, 4, 7, 9, 10, 11, 5]\n"
#: Bits each second, and seconds to and fro.
LINES = {"loopback": None, "20 Mbit/s": (20e6, 0.02)}
PACKED = (".gz", ".zip", ".png", ".woff2")


class Compressing(browsing.QuietHandler):
    """Server that compresses files with gzip and lets browsers keep them."""

    def answer(self) -> None:
        """Answer a request with a file."""
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        body = path.read_bytes() if path.suffix in PACKED else _compressed(path)
        self.send_response(200)
        if path.suffix not in PACKED:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=3600")
        self.end_headers()
        self.wfile.write(body)

    do_GET = answer  # noqa: N815 (the name that http.server calls)


@functools.cache
def _compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 6)


@contextlib.contextmanager
def served() -> Iterator[str]:
    """Serve the site with `Compressing`."""
    handler = functools.partial(Compressing, directory=str(build_book.SITE))
    with browsing.QuietServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def visit(address: str, profile: str, line: tuple[float, float] | None) -> Any:
    """Return seconds until the first and the next verdict, and megabytes fetched."""
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=find_browser(), args=list(browsing.FLAGS)
        )
        page = context.new_page()
        fetched: list[float] = []
        network = context.new_cdp_session(page)
        network.send("Network.enable")
        if line:
            speed = {"downloadThroughput": line[0] / 8, "uploadThroughput": line[0] / 8}
            limits = {"offline": False, "latency": 1000 * line[1], **speed}
            network.send("Network.emulateNetworkConditions", limits)
        page.on("requestfinished", lambda r: fetched.append(_size(r)))
        page.goto(f"{address}book/{SLUG}.html")
        page.evaluate(browsing.SETTLE)
        key = f"posenc-answer:{NAME}"
        page.evaluate("(kept) => localStorage.setItem(...kept)", [key, ANSWER])
        before = sum(fetched)
        times = [judged(page), judged(page)]
        context.close()
    return {
        "first verdict": times[0],
        "next verdict": times[1],
        "megabytes": (sum(fetched) - before) / 1e6,
    }


def _size(request: Any) -> float:
    return max(0.0, request.sizes()["responseBodySize"])  # less if it was kept


#: Presses Check, and waits in the page: Playwright looks only every half second.
JUDGED = """(box) => new Promise((done) => {
  box.querySelector(".pe-shown").replaceChildren();
  const start = performance.now();
  new MutationObserver(() => {
    if (box.querySelector(".pe-check")) done((performance.now() - start) / 1000);
  }).observe(box, { childList: true, subtree: true });
  box.querySelector("[data-do=check]").click();
})"""


def judged(page: Any) -> float:
    """Press Check; return the seconds until the answer is there."""
    box = page.locator(f'.pe-answer[data-exercise="{NAME}"]')
    return float(box.evaluate(JUDGED))


def measure(address: str, line: tuple[float, float] | None) -> dict[str, Any]:
    """Return medians for a first visit and for the third."""
    return visits(
        lambda profile: visit(address, profile, line),
        repeats=REPEATS,
        count=VISITS,
        last="third visit",
    )


def main() -> None:
    """Measure all lines."""
    if not build_book.is_current():
        sys.exit("This needs a built site: run `python scripts/build_book.py`.")
    script = build_book.SITE / "solve/solve.js"
    results: dict[str, Any] = {"bytes before a click": len(_compressed(script))}
    with served() as address:
        for name, line in LINES.items():
            results[name] = measure(address, line)
            print(name, results[name], flush=True)
    save("solve", results, seed=0)


if __name__ == "__main__":
    main()
