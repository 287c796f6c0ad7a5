"""Pyodide is fetched whole, whatever the server does, or the build says why not."""

import hashlib
import http.server
import json
import re
import threading

import build_lite
import pyodide_bundle
import pyodide_release
import pytest

#: One file that takes several reads, and a small one.
FILES = {"pyodide.asm.wasm": bytes(range(256)) * 1000, "pyodide.mjs": b"core"}
LOCK = b'{"packages": {}}'
WHEEL = "a_b-1.0-py3-none-any.whl"
LARGE = "/pyodide.asm.wasm"


class Server(http.server.ThreadingHTTPServer):
    """Serves `FILES`; `faults` of the faulty file are used up, one for each request."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.faulty, self.faults, self.asked = LARGE, [], []
        self.release = f"http://127.0.0.1:{self.server_port}/"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        content, fault = FILES[self.path[1:]], None
        if self.path == self.server.faulty and self.server.faults:
            fault = self.server.faults.pop(0)
        if fault == "fails":
            self.send_error(500)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if fault == "lies":
            content = content[::-1]
        self.wfile.write(content[:-9] if fault == "truncates" else content)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def house(tmp_path, monkeypatch, server):
    """A cache of its own, a manifest of these files, an index that has one wheel."""
    files = {**FILES, "pyodide-lock.json": LOCK, WHEEL: b"wheel"}
    manifest = {
        "release": server.release,
        "sha256": {n: hashlib.sha256(c).hexdigest() for n, c in files.items()},
        "from_index": [WHEEL],
    }
    (tmp_path / "pyodide.json").write_text(json.dumps(manifest))
    (tmp_path / "pyodide-lock.json").write_bytes(LOCK)
    for module in (pyodide_bundle, pyodide_release):
        monkeypatch.setattr(module, "MANIFEST", tmp_path / "pyodide.json")
    monkeypatch.setattr(pyodide_release, "LOCK", tmp_path / "pyodide-lock.json")
    monkeypatch.setattr(pyodide_bundle, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(pyodide_release, "WAITS", (0, 0, 0))
    monkeypatch.delenv("POSENC_PYODIDE", raising=False)

    def fetch_wheels(requirements, folder):
        assert f"a-b==1.0 --hash=sha256:{manifest['sha256'][WHEEL]}" in (
            requirements.read_text()
        )
        (folder / WHEEL).write_bytes(b"wheel")

    monkeypatch.setattr(pyodide_release, "fetch_wheels", fetch_wheels)
    return tmp_path


def held():
    """Files in the cache, by name."""
    return {p.name: p.read_bytes() for p in pyodide_bundle.cached().iterdir()}


WHOLE = {**FILES, "pyodide-lock.json": LOCK, WHEEL: b"wheel"}


def test_all_is_fetched_once_and_a_damaged_file_anew(house, server, capsys):
    assert pyodide_bundle.find_bundle() is None
    assert "Pyodide was fetched" in pyodide_release.complete()
    assert held() == WHOLE
    assert re.search(r"Pyodide: 100%.* 2/2 ", capsys.readouterr().err)
    assert pyodide_bundle.find_bundle().folder == pyodide_bundle.cached()
    assert len(server.asked) == len(FILES)
    assert pyodide_release.complete() == ""
    assert len(server.asked) == len(FILES)
    (pyodide_bundle.cached() / "pyodide.mjs").write_bytes(b"damaged")
    server.asked.clear()
    assert pyodide_bundle.find_bundle() is None
    pyodide_release.complete()
    assert server.asked == ["/pyodide.mjs"]
    assert held() == WHOLE


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("fails", "Internal Server Error"),
        ("truncates", "IncompleteRead"),
        ("lies", "its sha256 is"),
    ],
)
def test_after_some_tries_it_says_why_and_takes_no_wrong_file(
    house, server, fault, reason
):
    server.faults = [fault] * len(pyodide_release.WAITS)
    said = pyodide_release.complete()
    assert said.startswith("Pyodide could not be fetched, so it is left out: ")
    assert f"{server.release}pyodide.asm.wasm must be a file with sha256" in said
    assert reason in said
    assert server.asked == [LARGE] * len(pyodide_release.WAITS)
    assert "pyodide.asm.wasm" not in held()
    assert build_lite.choose()[0] is None


@pytest.fixture(scope="module")
def real():
    return json.loads(pyodide_bundle.MANIFEST.read_text("utf-8"))


def test_the_manifest_says_where_each_file_comes_from(real):
    names = set(real["sha256"])
    lock = pyodide_release.LOCK.name
    assert {*real["from_index"]} < names - {lock}
    assert real["pyodide"] in real["release"]
    assert pyodide_bundle.sha256(pyodide_release.LOCK) == real["sha256"][lock]
    held = json.loads(pyodide_release.LOCK.read_text("utf-8"))["packages"]
    assert {e["file_name"]: e["sha256"] for e in held.values()} == {
        name: checksum
        for name, checksum in real["sha256"].items()
        if name.endswith(".whl")
    }


def test_readers_without_our_copy_fetch_the_same_release(real):
    extension = build_lite.labextension(build_lite.KERNEL)
    scripts = [path.read_text("utf-8") for path in extension.rglob("*.js")]
    assert any(f"{real['release']}pyodide.mjs" in script for script in scripts)
