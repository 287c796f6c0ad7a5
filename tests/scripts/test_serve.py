"""The book is served; a page that is edited is built again and loads itself anew."""

import os
import socket
import subprocess
import sys
import threading
import types
import urllib.request
from http.server import ThreadingHTTPServer

import pytest
import serve
from build_book import ROOT


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A site of one page, served as `serve` does it, at an address."""
    (tmp_path / "html").mkdir()
    (tmp_path / "html/page.html").write_text("<p>Text</p>")
    (tmp_path / "html/style.css").write_text("p {}")
    monkeypatch.setattr(serve, "BUILT", tmp_path / "built")
    monkeypatch.setattr(serve, "PATIENCE", 0.0)

    def handler(*args):
        return serve.Handler(*args, directory=tmp_path / "html")

    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def get(address):
    with urllib.request.urlopen(address, timeout=10) as answer:
        return answer.status, answer.read().decode()


def test_pages_ask_for_builds_and_other_files_are_as_they_are(site):
    serve.BUILT.touch()
    status, page = get(f"{site}/page.html")
    assert status == 200
    assert page.startswith("<p>Text</p>")
    assert f"{serve.ASK}?{serve.built()}" in page
    assert get(f"{site}/style.css") == (200, "p {}")


def test_nothing_is_kept_by_the_browser(site):
    for name in ("page.html", "style.css"):
        with urllib.request.urlopen(f"{site}/{name}", timeout=10) as answer:
            assert answer.headers["Cache-Control"] == "no-store"


def test_a_page_loads_itself_anew_after_a_build(site):
    before = serve.built()
    assert get(f"{site}{serve.ASK}?{before}")[0] == 204
    serve.BUILT.touch()
    assert get(f"{site}{serve.ASK}?{before}")[0] == 205
    assert get(f"{site}{serve.ASK}?{serve.built()}")[0] == 204


def test_a_page_that_waits_is_told_at_once(site, monkeypatch):
    monkeypatch.setattr(serve, "PATIENCE", 60.0)
    timer = threading.Timer(0.3, serve.BUILT.touch)
    timer.start()
    assert get(f"{site}{serve.ASK}?0")[0] == 205
    timer.join()


@pytest.fixture
def builds(tmp_path, monkeypatch):
    """Which pages are built; those in ``stale`` are not current."""
    found = types.SimpleNamespace(stale={"a", "b"}, built=[], status=0, run=print)

    def build(*slugs, run):
        assert run is found.run
        found.built.append(slugs)
        return found.status

    monkeypatch.setattr(serve, "BUILT", tmp_path / "built")
    monkeypatch.setattr(serve.build_book, "slugs", lambda: ["a", "b", "c"])
    monkeypatch.setattr(serve.build_book, "is_current", lambda s: s not in found.stale)
    monkeypatch.setattr(serve.build_book, "build", build)
    return found


@pytest.mark.parametrize(
    ("slug", "built"), [(None, [("a", "b")]), ("b", [("b",)]), ("c", [])]
)
def test_what_is_not_current_is_built(builds, slug, built):
    serve.rebuild(slug, builds.run)
    assert builds.built == built
    assert bool(serve.built()) == bool(built)


def test_a_build_that_fails_leaves_the_page_alone(builds, capsys):
    builds.status = 1
    serve.rebuild("a", builds.run)
    assert not serve.built()
    assert "mend it and save" in capsys.readouterr().out


@pytest.fixture
def house(tmp_path, monkeypatch):
    for name in ("book/a.md", "src/b.py", "_toc.yml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1")
    monkeypatch.setattr(serve, "ROOT", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("book/a.md", True),
        ("src/new.js", True),
        ("_toc.yml", True),
        ("src/.b.py.swp", False),
        ("src/b.pyc", False),
        ("tests/test_b.py", False),
    ],
)
def test_changes_of_sources_are_seen(house, name, seen):
    before = serve.state_of_sources()
    (house / name).parent.mkdir(exist_ok=True)
    (house / name).write_text("22")
    assert (serve.state_of_sources() != before) == seen


def test_a_change_is_built_once_and_when_it_has_ended(house, monkeypatch):
    calls, pauses = [], iter(range(20))
    monkeypatch.setattr(serve, "Builder", lambda: types.SimpleNamespace(build=None))
    monkeypatch.setattr(serve, "rebuild", lambda slug, run: calls.append(slug))

    def pause(_):
        step = next(pauses)
        if step < 5:  # somebody is still writing
            (house / "book/a.md").write_text("1" * (step + 2))
            assert not calls
        if step == 10:
            raise KeyboardInterrupt

    monkeypatch.setattr(serve.time, "sleep", pause)
    with pytest.raises(KeyboardInterrupt):
        serve.watch("a")
    assert calls == ["a"]


def test_a_fork_has_sphinx_but_no_module_of_the_project(monkeypatch):
    __import__("posenc.core.angles")
    names = ("posenc", "posenc.core.angles", "serve", "sphinx", "yaml")
    before = {name: sys.modules[name] for name in names if name in sys.modules}
    saved = dict(sys.modules)
    try:
        serve.forget_project()
        left = {name for name in before if name in sys.modules}
    finally:
        sys.modules.clear()
        sys.modules.update(saved)
    assert left == before.keys() - {"posenc", "posenc.core.angles", "serve"}


def test_an_unknown_page_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["serve.py", "ropes"])
    with pytest.raises(SystemExit):
        serve.main()
    assert "invalid choice: 'ropes'" in capsys.readouterr().err


CONFIG = f"""\
title: House
only_build_toc_files: true
execute: {{execute_notebooks: "off"}}
sphinx:
  local_extensions: {{run_cells: "{ROOT / "scripts"}"}}
"""


#: Runs in a process of its own, as `make serve` does: Sphinx looks at every object that
#: there is, and fails if another test has left a dead reference.
EDITS = """
import os, sys
from pathlib import Path
import build_book, serve

house = Path(sys.argv[1])
for name in ("BUILD", "SITE", "ROOT"):
    path = getattr(build_book, name).relative_to(build_book.ROOT)
    setattr(build_book, name, house / path)
serve.ROOT = house
page, config = house / "book/index.md", house / "_config.yml"
assert build_book.build(lite=False) == 0

def shows(text):
    page.write_text("# Title\\n\\n" + text)
    status = build_book.build("index", run=builder.build)
    return status == 0 and text in (house / "_build/html/book/index.html").read_text()

builder = serve.Builder()
shown = [shows(text) for text in ("One.", "Two.", "{doc}`nothing`", "{doc}`nothing`")]
config.write_text(config.read_text().replace("House", "Another House"))
print([*shown, shows("Three.")])
builder._process.kill()
"""


@pytest.mark.slow
def test_a_builder_shows_what_has_changed_each_time(house):
    (house / "_config.yml").write_text(CONFIG)
    (house / "_toc.yml").write_text("format: jb-book\nroot: book/index\n")
    (house / "requirements.txt").touch()
    (house / "book/index.md").write_text("# Title\n")
    done = subprocess.run(
        [sys.executable, "-c", EDITS, str(house)],
        env=os.environ | {"PYTHONPATH": f"{ROOT}/scripts", "POSENC_LITE": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    last = done.stdout.splitlines()[-1]
    assert last == "[True, True, False, False, True]", done.stderr


def test_a_port_that_is_taken_is_refused(monkeypatch, capsys):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        monkeypatch.setattr(sys, "argv", ["serve.py", "--port", port])
        with pytest.raises(SystemExit):
            serve.main()
    assert f"port {port}" in capsys.readouterr().err
