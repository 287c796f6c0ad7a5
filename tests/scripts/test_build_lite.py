"""Python in the browser is made of the right files or of none; the build says so."""

import hashlib
import json
import sys
import zipfile

import browser_notebooks
import build_lite
import nbformat
import pyodide_bundle
import pytest
from pyodide_bundle import BundleError

from posenc.exercises import names
from posenc.pages import display

FILES = {"pyodide.mjs": b"core", "a-1-py3-none-any.whl": b"wheel"}


def fill(folder, files=FILES):
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A checkout and a cache of its own, with a manifest of `FILES`; no bundle yet."""
    checksums = {n: hashlib.sha256(content).hexdigest() for n, content in FILES.items()}
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps({"sha256": checksums}))
    monkeypatch.setattr(pyodide_bundle, "MANIFEST", manifest)
    monkeypatch.setattr(pyodide_bundle, "ROOT", tmp_path / "checkout")
    monkeypatch.setattr(pyodide_bundle, "CACHE", tmp_path / "cache")
    monkeypatch.delenv("POSENC_PYODIDE", raising=False)
    return tmp_path


def test_find_bundle_prefers_the_named_folder_to_the_cache(house, monkeypatch):
    for place in ("shared/pyodide", "checkout/pyodide"):  # neither is looked for
        fill(house / place)
    assert pyodide_bundle.find_bundle() is None
    assert build_lite.choose()[0] is None
    fill(pyodide_bundle.cached())
    assert pyodide_bundle.find_bundle().source == "the cache"
    monkeypatch.setenv("POSENC_PYODIDE", "../beside")
    fill(house / "beside")
    assert pyodide_bundle.find_bundle().folder.samefile(house / "beside")
    monkeypatch.setenv("POSENC_PYODIDE", "nowhere")
    with pytest.raises(BundleError, match="must name a folder, got 'nowhere'"):
        pyodide_bundle.find_bundle()


@pytest.fixture
def chosen(house, monkeypatch):
    """A folder with a bundle that ``POSENC_PYODIDE`` names."""
    monkeypatch.setenv("POSENC_PYODIDE", str(house / "chosen"))
    return fill(house / "chosen")


@pytest.mark.parametrize(
    ("content", "got"), [(b"other", "got d9298a10"), (None, "no such")]
)
def test_another_file_is_refused_with_its_name_and_a_remedy(chosen, content, got):
    path = chosen / "pyodide.mjs"
    path.write_bytes(content) if content else path.unlink()
    with pytest.raises(BundleError, match=r"pyodide\.mjs must have sha256") as caught:
        pyodide_bundle.find_bundle()
    assert got in str(caught.value)
    assert "Put the right file there" in str(caught.value)


def test_wheels_are_of_the_versions_that_the_book_is_built_with():
    def pins(path):
        lines = (line.partition(" ")[0] for line in path.read_text().splitlines())
        return {line.lower().replace("-", "_") for line in lines if "==" in line}

    assert pins(pyodide_bundle.WHEELS) <= pins(pyodide_bundle.ROOT / "requirements.txt")
    assert pins(pyodide_bundle.WHEELS)


def test_the_wheel_of_the_site_holds_no_judge_of_exercises_for_marks(tmp_path):
    """Nor a solution of theirs; and everything else of the package."""
    with zipfile.ZipFile(build_lite.posenc_wheel(tmp_path)) as wheel:
        held = set(wheel.namelist())
        text = b"".join(wheel.read(name) for name in held)
    package = build_lite.ROOT / "src"
    files = {
        path.relative_to(package).as_posix()
        for path in (package / "posenc").rglob("*")
        if path.is_file() and path.suffix in (".py", ".js", ".toml")
    }
    left_out = {name for name in files if name.endswith("/exercises/graded.py")}
    assert left_out
    assert files - held == left_out
    graded = [name for name in names(graded=True) if name not in names()]
    assert graded
    for name in graded:
        assert f"def {name.partition('.')[2]}(".encode() not in text


def notebook():
    cells = [
        nbformat.v4.new_markdown_cell("# Title"),
        nbformat.v4.new_code_cell("import posenc", metadata={"tags": []}),
        nbformat.v4.new_code_cell("import torch", metadata={"tags": ["torch"]}),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"a-{number}"
    return nbformat.v4.new_notebook(cells=cells)


@pytest.mark.parametrize("install", [False, True])
def test_browser_edition_differs_where_it_must(install):
    made = browser_notebooks.browser_notebook(notebook(), "a_b", install=install)
    sources = [cell.source for cell in made.cells]
    assert sources[0] == "# Title"
    assert "Start again" in sources[1]
    assert made.cells[1].id == "a-b-browser"
    assert sources[2].startswith("%pip install -q posenc") == install
    assert sources[2].endswith("%load_ext posenc.pages.display\nimport posenc")
    assert sources[3:] == ["%%needs_torch\nimport torch"]
    nbformat.validate(made)


def test_torch_cells_run_with_torch_and_say_why_they_do_not_without(monkeypatch):
    lines = ["%%needs_torch\n", "import torch\n"]
    assert display.skip_without_torch(lines) == ["import torch\n"]
    assert display.skip_without_torch(lines[1:]) == lines[1:]
    assert display.skip_without_torch([]) == []
    monkeypatch.setitem(sys.modules, "torch", None)
    (line,) = display.skip_without_torch(lines)
    assert line.startswith("print('torch is not here")
    assert display.skip_without_torch(lines[1:]) == lines[1:]
