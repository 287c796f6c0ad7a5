"""The zip holds the whole site, always in the same bytes, and nothing stale."""

import os
import shlex
import zipfile

import build_book
import make_zip
import pytest


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A small site that `build_book` takes for the real one."""
    for name, text in {"index.html": "<h1>", "book/ä b.html": "ä", "a.js": "1"}.items():
        path = tmp_path / "html" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    monkeypatch.setattr(build_book, "BUILD", tmp_path)
    monkeypatch.setattr(build_book, "SITE", tmp_path / "html")
    return tmp_path / "html"


@pytest.mark.parametrize("place", ["", "lite/", "lite/pypi/"])
def test_the_archive_is_the_site_in_one_folder_with_a_readme(
    site, tmp_path, place, monkeypatch
):
    wheel = site / place / "posenc-9.1.0-py3-none-any.whl"
    if place:
        wheel.parent.mkdir(parents=True)
        wheel.write_bytes(b"")
    monkeypatch.setattr(build_book, "is_current", lambda: False)
    with pytest.raises(SystemExit, match=r"built from other sources .*: run `python"):
        make_zip.main()
    assert not (tmp_path / "where-am-i.zip").exists()
    monkeypatch.setattr(build_book, "is_current", lambda: True)
    make_zip.main()
    with zipfile.ZipFile(tmp_path / "where-am-i.zip") as archive:
        contents = {name: archive.read(name).decode() for name in archive.namelist()}
    readme = contents.pop("where-am-i/README.txt")
    assert contents == {
        f"where-am-i/{path.relative_to(site).as_posix()}": path.read_text("utf-8")
        for path in site.rglob("*.*")
    }
    assert "open index.html" in readme
    assert "python -m http.server" in readme
    commands = [line for line in readme.splitlines() if "pip install" in line]
    assert len(commands) == (2 if place else 0)
    if place:
        online, offline = map(shlex.split, commands)
        assert site / online[-1].removesuffix("[book]") == site / offline[-1] == wheel
        assert "--no-deps" in offline


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
