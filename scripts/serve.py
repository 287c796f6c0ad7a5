"""Serve the book on this machine, and build again what is edited meanwhile.

``python scripts/serve.py`` looks after all pages, ``python scripts/serve.py rope`` only
after one: what a change does to others waits. The browser loads a page anew when it has
been built. Sphinx is ready for the next build when it has done one: see `Builder`.
"""

import argparse
import contextlib
import functools
import http.server
import importlib
import multiprocessing
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any

import build_book
import yaml
from build_book import ROOT, SITE
from freshness import SHARED, SOURCES, Stamp
from link_row import LITE_VARIABLE

#: Touched after each build.
BUILT = build_book.BUILD / "built"
#: Where a page asks whether there has been a build since.
ASK = "/_built"
#: Goes into each page: it asks, and loads itself anew.
RELOAD = """<script>
(async () => {
  for (;;) {
    const answer = await fetch("%s?%d").catch(() => null);
    if (answer?.status === 205) location.reload();
    if (!answer?.ok) await new Promise((wait) => setTimeout(wait, 1000));
  }
})();
</script>"""
#: Seconds between looks at the sources; and until a page is told that nothing happened.
PAUSE, PATIENCE = 0.2, 20.0


def built() -> int:
    """When the last build ended, in nanoseconds; 0 if there was none."""
    return BUILT.stat().st_mtime_ns if BUILT.exists() else 0


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the site; pages load themselves anew after a build."""

    def do_GET(self) -> None:
        """Answer with a file; with a page that asks for builds; or about builds."""
        path, _, query = self.path.partition("?")
        file = Path(self.translate_path(path))
        if path == ASK:
            self.answer_when_built(query)
        elif file.suffix == ".html" and file.is_file():
            text = file.read_text("utf-8") + RELOAD % (ASK, built())
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(text.encode())
        else:
            super().do_GET()

    def answer_when_built(self, seen: str) -> None:
        """Wait for a build other than the one that was seen."""
        patient_until = time.monotonic() + PATIENCE
        while (same := seen == str(built())) and time.monotonic() < patient_until:
            time.sleep(PAUSE)
        self.send_response(HTTPStatus.NO_CONTENT if same else HTTPStatus.RESET_CONTENT)
        self.end_headers()

    def end_headers(self) -> None:
        """Let the browser keep nothing: it may be another file a moment later."""
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_request(self, *_: Any) -> None:
        """Say nothing about what is found."""


def serve(port: int) -> None:
    """Serve `SITE` on the loopback address until interrupted."""
    handler = functools.partial(Handler, directory=SITE)
    with (
        http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server,
        contextlib.suppress(KeyboardInterrupt),
    ):
        server.serve_forever()


#: Imported in advance, besides Sphinx's extensions.
TOOLS = ("jupyter_book.sphinx", "jupyter_cache.cache.main", "nbclient")


def load_sphinx() -> None:
    """Import what each build needs, but nothing of this project."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    own = config["sphinx"].get("local_extensions", {})
    extensions = set(config["sphinx"]["config"].get("extensions", ())) - set(own)
    for name in (*TOOLS, *sorted(extensions)):
        importlib.import_module(name)


def forget_project() -> None:
    """Let the project's modules be imported anew."""
    for name, module in list(sys.modules.items()):
        file = Path(getattr(module, "__file__", None) or "/")
        inside = file.relative_to(ROOT).parts if file.is_relative_to(ROOT) else ()
        if inside and inside[0] in ("src", "scripts") and name != "__main__":
            del sys.modules[name]


class Builder:
    """A fork of this process in which Sphinx is ready to build once.

    When it has built, the next one gets ready: what this takes nobody waits for.
    """

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        lite = Stamp(ROOT).read()["lite"]
        os.environ[LITE_VARIABLE] = "1" if lite else ""
        self._pipe, theirs = multiprocessing.Pipe()
        self._sources = state_of_sources()
        self._process = multiprocessing.Process(
            target=_build_when_asked, args=(theirs, self._pipe), daemon=True
        )
        self._process.start()
        theirs.close()

    def build(self, pages: list[str]) -> int:
        """Build the pages, such as ``book/rope``, or all; return the exit status."""
        now = state_of_sources()
        changed = {n for n, was in now.items() if self._sources.get(n) != was}
        status = self._ask(pages, changed | (self._sources.keys() - now.keys()))
        if status == OUTDATED:
            self._begin()
            status = self._ask(pages, set())
        self._begin()
        return status

    def _ask(self, pages: list[str], changed: set[str]) -> int:
        with contextlib.suppress(BrokenPipeError):  # it failed while getting ready
            self._pipe.send((pages, changed))
        self._process.join()
        return self._process.exitcode or 0


#: Exit status of a builder that was made from what has changed since.
OUTDATED = 75


def _build_when_asked(pipe: Any, other_end: Any) -> None:
    """Be a builder."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    other_end.close()  # or this end would never hear that the parent has gone
    forget_project()
    environment = ROOT / "_build/.doctrees/environment.pickle"

    def date() -> int:
        return environment.stat().st_mtime_ns if environment.exists() else 0

    before = date()

    def wait(app: Any) -> list[str]:
        try:
            pages, changed = pipe.recv()
        except EOFError:
            os._exit(0)
        used = {str(ROOT / name) for name in (*SHARED, *app.book_modules)}
        if changed & used or date() != before:
            os._exit(OUTDATED)
        found: list[str] = pages
        return found

    run_sphinx = importlib.import_module("run_sphinx")
    sys.exit(run_sphinx.run(ROOT, [], wait))


def state_of_sources() -> dict[str, tuple[int, int]]:
    """Date and size of each source, without what Python and editors leave there."""
    state = {}
    for name in SOURCES:
        place = ROOT / name
        for path in place.rglob("*") if place.is_dir() else [place]:
            if path.suffix != ".pyc" and path.name[0] not in ".#" and path.is_file():
                found = path.stat()
                state[str(path)] = (found.st_mtime_ns, found.st_size)
    return state


def rebuild(slug: str | None, run: Callable[[list[str]], int]) -> None:
    """Build the page, or all that is not current, and say how long it took."""
    slugs = [slug] if slug else build_book.slugs()
    stale = [name for name in slugs if not build_book.is_current(name)]
    if not stale:
        return
    begun = time.monotonic()
    print(f"Building {', '.join(stale)} …", flush=True)
    status = build_book.build(*stale, run=run)
    if status:
        print("The page stays as it was: see above, mend it and save.")
    else:
        BUILT.touch()
    print(f"… {time.monotonic() - begun:.1f} seconds", flush=True)


def watch(slug: str | None) -> None:
    """Build again whenever a source has changed, and has stopped changing."""
    done, builder = None, Builder()
    while True:
        now = state_of_sources()
        if now != done:
            time.sleep(PAUSE)
            if now == state_of_sources():
                rebuild(slug, builder.build)
                done = now
        else:
            time.sleep(PAUSE)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument(
        "slug",
        nargs="?",
        choices=build_book.slugs(),
        metavar="SLUG",
        help="the only page to build again, such as rope",
    )
    options = parser.parse_args()
    try:
        socket.create_server(("127.0.0.1", options.port)).close()
    except OSError as error:
        parser.error(f"port {options.port}: {error.strerror}; choose another: --port")
    build_book.prepare_environment()
    if "fork" in multiprocessing.get_all_start_methods():
        multiprocessing.set_start_method("fork")
    server = multiprocessing.Process(target=serve, args=(options.port,), daemon=True)
    server.start()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # and end the others, too
    page = f"book/{options.slug}.html" if options.slug else ""
    print(f"The book is at http://127.0.0.1:{options.port}/{page} (Ctrl-C ends it)")
    load_sphinx()
    with contextlib.suppress(KeyboardInterrupt):
        watch(options.slug)
    print()


if __name__ == "__main__":
    main()
