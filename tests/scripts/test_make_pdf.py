"""The PDF: one sentence where TeX is missing, and nothing that TeX complains about."""

import re
import subprocess
import sys

import build_book
import make_pdf
import pytest
import yaml

LOG = r"""This is XeTeX
Missing character: There is no ✓ (U+2713) in font LMRoman10/OT:mapping=tex-text;!
Missing character: There is no ✓ (U+2713) in font LMRoman10/OT:mapping=tex-text;!
LaTeX Warning: Reference `book/t5:nothing' on page 3 undefined on input line 40.
LaTeX Warning: Citation `nobody' on page 3 undefined on input line 41.
LaTeX Warning: Label `twice' multiply defined.
Overfull \hbox (12.5pt too wide) in paragraph at lines 5--6
[]\TU/DejaVuSansMono(0)/m/n/9 a_very_long_name
Overfull \hbox (2.5pt too wide) in paragraph at lines 7--8
[]\TU/DejaVuSansMono(0)/m/n/9 a_long_name
Overfull \hbox (12.5pt too wide) in paragraph at lines 9--10
[]\TU/FreeSerif(0)/m/n/10.95 a word
Overfull \vbox (1.7pt too high) detected at line 4430
LaTeX Warning: Label(s) may have changed. Rerun to get cross-references right.
"""


def test_every_complaint_is_found_once():
    assert make_pdf.complaints(LOG) == [
        "Missing character: There is no ✓ (U+2713) in font "
        "LMRoman10/OT:mapping=tex-text;!",
        "LaTeX Warning: Reference `book/t5:nothing' on page 3 undefined on input "
        "line 40.",
        "LaTeX Warning: Citation `nobody' on page 3 undefined on input line 41.",
        "LaTeX Warning: Label `twice' multiply defined.",
        r"Code in the margin, 12.5 pt: []\TU/DejaVuSansMono(0)/m/n/9 a_very_long_name",
    ]


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine without TeX, and nobody who may install it; its empty build folder."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(make_pdf, "can_install", lambda: False)
    monkeypatch.setattr(build_book, "BUILD", tmp_path / "_build")
    monkeypatch.setattr(sys, "argv", ["make_pdf.py"])
    return tmp_path / "_build"


@pytest.mark.parametrize("options", [[], ["--install"]])
def test_without_tex_one_sentence_says_what_to_install(
    bare, monkeypatch, capsys, options
):
    monkeypatch.setattr(sys, "argv", ["make_pdf.py", *options])
    with pytest.raises(SystemExit) as end:
        make_pdf.main()
    assert end.value.code == 2
    [sentence] = capsys.readouterr().err.splitlines()
    assert re.match(r"The PDF needs XeLaTeX .* latexmk was not found: .*", sentence)
    assert sentence.endswith(f"apt-get install --no-install-recommends {PACKAGES}")
    assert not bare.exists()


PACKAGES = " ".join(make_pdf.PACKAGES)


def test_a_missing_tex_is_installed_where_that_is_possible(bare, monkeypatch):
    installed = []
    monkeypatch.setattr(sys, "argv", ["make_pdf.py", "--install"])
    monkeypatch.setattr(make_pdf, "can_install", lambda: True)
    monkeypatch.setattr(make_pdf, "install", lambda *names: installed.extend(names))
    with pytest.raises(SystemExit):  # the packages did not bring it
        make_pdf.main()
    assert installed == list(make_pdf.PACKAGES)


def test_a_lost_font_counts_as_missing_too(monkeypatch):
    monkeypatch.setattr(make_pdf.shutil, "which", lambda name: name)
    monkeypatch.setattr(make_pdf, "has_file", lambda name: "Serif" not in name)
    assert make_pdf.missing() == ["FreeSerif.otf"]


def test_a_stale_site_is_not_printed(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["make_pdf.py"])
    monkeypatch.setattr(make_pdf, "missing", list)
    monkeypatch.setattr(build_book, "is_current", lambda: False)
    with pytest.raises(SystemExit, match=r"built from other sources .*: run `python"):
        make_pdf.main()


def chapters():
    """Title of every page that the table of contents names."""
    toc = yaml.safe_load((build_book.ROOT / "_toc.yml").read_text("utf-8"))
    for part in toc["parts"]:
        for chapter in part["chapters"]:
            text = (build_book.ROOT / f"{chapter['file']}.md").read_text("utf-8")
            yield re.search(r"^# (.+)$", text, re.MULTILINE)[1]


def words(text):
    """Text with one blank between words, as a line break may be anywhere."""
    return " ".join(text.split())


@pytest.fixture(scope="module")
def printed():
    """Text of the whole book in print."""
    if lacking := make_pdf.missing():
        pytest.fail(make_pdf.advice(lacking), pytrace=False)
    script = build_book.ROOT / "scripts" / "make_pdf.py"
    subprocess.run([sys.executable, script], check=True)
    pdf = build_book.BUILD / f"{make_pdf.NAME}.pdf"
    command = ["pdftotext", "-layout", pdf, "-"]
    text = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    return words(text.replace("’", "'"))  # print curls apostrophes


@pytest.mark.slow
def test_the_printed_book_is_whole(printed):
    contents, _, body = printed.partition("Who it is for")
    missing = [t for t in chapters() if t not in contents or t not in body]
    assert missing == []
    for first in ("Fig. 13.1: ", "Theorem 13.1 (", "Exercise 13.1 ("):
        assert body.count(first) >= 1, f"chapters are numbered: {first} is missing"
    assert "Map of the book" not in printed
    assert "Download notebook" not in printed


@pytest.mark.slow
def test_nothing_is_printed_that_only_a_screen_can_show(printed):
    unwanted = ["<IPython", " object at 0x", "<div", "<svg", "??", "\ufffd"]
    assert [text for text in unwanted if text in printed] == []


@pytest.mark.slow
def test_readers_of_the_pdf_see_its_title_and_its_author(printed):
    pdf = build_book.BUILD / f"{make_pdf.NAME}.pdf"
    facts = subprocess.run(["pdfinfo", pdf], capture_output=True, check=True)
    settings = yaml.safe_load((build_book.ROOT / "_config.yml").read_text("utf-8"))
    about = words(facts.stdout.decode())
    assert about.startswith(
        f"Title: {settings['title']} Author: {settings['author']} Creator:"
    )
