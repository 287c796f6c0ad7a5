"""Open pages of the built site in a real browser and note what they do."""

import functools
import http.server
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from find_browser import ADVICE, find_browser
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

#: The browser's own traffic (updates, accounts) is switched off, and no name but this
#: machine's is resolved: a page that asks another host fails here, and leaks nothing.
FLAGS = (
    "--no-sandbox",  # root in a container has no user to drop to
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)

#: Milliseconds that a page may take for anything. Tests wait for states: this ends only
#: what hangs, on the busiest machine too.
PATIENCE = 240_000

#: What a page still does after its load event: formulas, fonts, one repaint.
SETTLE = """async () => {
  await window.MathJax?.startup?.promise;
  await document.fonts.ready;
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""

#: Keeps the theme that the page has when its body appears: the first to be painted.
NOTE_FIRST_THEME = """new MutationObserver((_, observer) => {
  if (!document.body) return;
  window.firstTheme = document.documentElement.dataset.theme;
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });"""


@dataclass
class Record:
    """What happened in one page since it was opened."""

    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        """Note every request and everything that goes wrong in `page`."""

        def console(message):
            if message.type in {"error", "warning"}:
                self.errors.append(f"console {message.type}: {message.text}")

        def failed(request):
            # Given up on purpose: by a page that leads on to another, and (csp) by a
            # browser that is told to run no script but finds one preloaded.
            if request.failure in {"net::ERR_ABORTED", "csp"}:
                return
            self.errors.append(f"request failed: {request.url} ({request.failure})")

        def response(answer):
            if answer.status >= 400:
                self.errors.append(f"request failed: {answer.url} ({answer.status})")

        page.on("request", lambda request: self.requests.append(request.url))
        page.on("websocket", lambda socket: self.requests.append(socket.url))
        page.on("console", console)
        page.on("pageerror", lambda error: self.errors.append(f"script error: {error}"))
        page.on("requestfailed", failed)
        page.on("response", response)


@contextmanager
def launched() -> Iterator[Browser]:
    """Start a browser, and end it; a missing one is an error that says what to do."""
    program = find_browser()
    if program is None:
        raise FileNotFoundError(ADVICE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def new_context(browser: Browser, **settings: Any) -> BrowserContext:
    """Open a context of `browser` in which nothing is given up before `PATIENCE`."""
    context = browser.new_context(**settings)
    context.set_default_timeout(PATIENCE)
    return context


def open_page(
    browser: Browser,
    url: str,
    *,
    width: int = 1280,
    height: int = 800,
    dark: bool = False,
    javascript: bool = True,
    moving: bool = False,
) -> Page:
    """Open `url` as a new reader would, with an empty cache; notes in `page.record`.

    The page is returned once its formulas and fonts are there. Close it with
    ``page.context.close()``. Motion is reduced, so that nothing is measured or
    photographed halfway; with `moving` it is not, and the test turns the page's clock.
    """
    context = new_context(
        browser,
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        reduced_motion="no-preference" if moving else "reduce",
        java_script_enabled=javascript,
    )
    context.add_init_script(NOTE_FIRST_THEME)
    page = context.new_page()
    page.record = Record()
    page.record.watch(page)
    if moving:
        page.clock.install()
        open_moving(page, url)
        return page
    page.goto(url)
    if javascript:
        page.evaluate(SETTLE)
    return page


def open_moving(page: Page, url: str) -> None:
    """Open `url` in a page whose clock runs, and stop the clock."""
    page.record.errors.clear()
    page.goto(url)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serve files without a line on stderr for each."""

    def log_message(self, *_):
        pass


class QuietServer(http.server.ThreadingHTTPServer):
    """A server that bears with browsers which hang up early."""

    def handle_error(self, request, client_address):
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve `folder` on a free port of this machine; give the address, with a slash."""
    handler = functools.partial(QuietHandler, directory=folder)
    with QuietServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
