"""The zip holds the whole site, always in the same bytes, and nothing stale."""

import os
import shlex
import tomllib
import zipfile

import build_book
import make_zip
import pytest


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A small site that `build_book` takes for the real one, and for a current one."""
    for name, text in {"index.html": "<h1>", "book/ä b.html": "ä", "a.js": "1"}.items():
        path = tmp_path / "html" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    monkeypatch.setattr(build_book, "BUILD", tmp_path)
    monkeypatch.setattr(build_book, "SITE", tmp_path / "html")
    monkeypatch.setattr(build_book, "is_current", lambda: True)
    return tmp_path / "html"


def test_the_archive_is_the_site_in_one_folder_with_a_word_of_welcome(site, tmp_path):
    make_zip.main()
    with zipfile.ZipFile(tmp_path / "where-am-i.zip") as archive:
        contents = {name: archive.read(name).decode() for name in archive.namelist()}
    welcome = contents.pop("where-am-i/README.txt")
    assert contents == {
        "where-am-i/a.js": "1",
        "where-am-i/book/ä b.html": "ä",
        "where-am-i/index.html": "<h1>",
    }
    assert "open index.html" in welcome
    assert "python -m http.server" in welcome
    assert "pip" not in welcome


@pytest.mark.parametrize("place", ["lite/", "lite/pypi/"])
def test_it_says_how_to_install_the_package_that_it_carries(site, tmp_path, place):
    place += "posenc-9.1.0-py3-none-any.whl"
    wheel = site / place
    wheel.parent.mkdir(parents=True)
    wheel.write_bytes(b"")
    make_zip.main()
    with zipfile.ZipFile(tmp_path / "where-am-i.zip") as archive:
        welcome = archive.read("where-am-i/README.txt").decode()
    commands = (line for line in welcome.splitlines() if "pip install" in line)
    online, offline = map(shlex.split, commands)
    assert site / online[-1].removesuffix("[book]") == wheel
    assert site / offline[-1] == wheel
    assert "--no-deps" in offline
    project = tomllib.loads((build_book.ROOT / "pyproject.toml").read_text("utf-8"))
    for library in project["project"]["dependencies"]:
        assert library.partition(">=")[0] in welcome


def test_neither_dates_nor_rights_nor_the_order_of_files_change_it(site, tmp_path):
    make_zip.write_zip(site, tmp_path / "first.zip")
    os.utime(site / "a.js", (1, 1))
    (site / "a.js").chmod(0o700)
    page = (site / "index.html").read_bytes()
    (site / "index.html").unlink()
    (site / "index.html").write_bytes(page)
    make_zip.write_zip(site, tmp_path / "second.zip")
    first, second = (tmp_path / f"{n}.zip" for n in ("first", "second"))
    assert first.read_bytes() == second.read_bytes()


def test_it_says_how_large_it_is(site, tmp_path, capsys):
    make_zip.main()
    size = (tmp_path / "where-am-i.zip").stat().st_size / 1e6
    assert capsys.readouterr().out.endswith(f"where-am-i.zip: {size:.1f} MB\n")


def test_a_stale_site_is_refused(site, tmp_path, monkeypatch):
    monkeypatch.setattr(build_book, "is_current", lambda: False)
    with pytest.raises(SystemExit, match=r"built from other sources .*: run `python"):
        make_zip.main()
    assert not (tmp_path / "where-am-i.zip").exists()
