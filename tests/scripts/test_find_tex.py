"""TeX: one sentence where it is missing, before anything is built or installed."""

import re
import shutil
import subprocess
import sys

import find_tex
import make_pdf
import pytest
from build_book import ROOT

PACKAGES = " ".join(find_tex.PACKAGES)


def is_advice(sentence):
    """Whether a sentence says what is missing, and what to do."""
    said = re.match(r"The PDF needs XeLaTeX .* latexmk was not found: ", sentence)
    return said and sentence.endswith(f"--no-install-recommends {PACKAGES}")


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine without TeX, and nobody who may install it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(find_tex, "can_install", lambda: False)
    return tmp_path


@pytest.mark.parametrize("options", [[], ["--install"]])
def test_without_tex_one_sentence_says_what_to_install(
    bare, monkeypatch, capsys, options
):
    monkeypatch.setattr(sys, "argv", ["find_tex.py", *options])
    assert find_tex.main() == 2
    [sentence] = capsys.readouterr().err.splitlines()
    assert is_advice(sentence)


def test_a_missing_tex_is_installed_where_that_is_possible(bare, monkeypatch):
    installed = []
    monkeypatch.setattr(sys, "argv", ["find_tex.py", "--install"])
    monkeypatch.setattr(find_tex, "can_install", lambda: True)
    monkeypatch.setattr(find_tex, "install", lambda *names: installed.extend(names))
    assert find_tex.main() == 2  # the packages did not bring it
    assert installed == list(find_tex.PACKAGES)


def test_a_lost_font_counts_as_missing_too(monkeypatch):
    monkeypatch.setattr(find_tex.shutil, "which", lambda name: name)
    monkeypatch.setattr(find_tex, "has_file", lambda name: "Serif" not in name)
    assert find_tex.missing() == ["FreeSerif.otf"]


def test_nothing_is_printed_without_tex(bare, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["make_pdf.py"])
    monkeypatch.setattr(make_pdf, "make_latex", pytest.fail)
    with pytest.raises(SystemExit) as end:
        make_pdf.main()
    assert end.value.code == 2
    assert is_advice(capsys.readouterr().err.strip())


def test_make_says_so_before_it_builds_or_installs_anything(bare):
    make = shutil.which("make", path="/usr/bin:/bin:/usr/local/bin")
    assert make, "make has to be installed, as for every target"
    home = bare / "project"
    (home / "scripts").mkdir(parents=True)
    for name in ("Makefile", "scripts/find_tex.py", "scripts/find_browser.py"):
        shutil.copy(ROOT / name, home / name)
    before = sorted(home.rglob("*"))
    command = [make, "-C", home, "pdf", f"PYTHON={sys.executable} -B"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert is_advice(found.stderr.splitlines()[0])
    assert sorted(home.rglob("*")) == before
