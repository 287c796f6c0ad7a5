"""The PDF: it is whole, and there is nothing that TeX complains about."""

import re
import subprocess
import sys
import tomllib

import build_book
import find_tex
import make_pdf
import pytest
import yaml

from posenc import __version__

LOG = r"""This is XeTeX
Missing character: There is no ✓ (U+2713) in font LMRoman10/OT:mapping=tex-text;!
Missing character: There is no ✓ (U+2713) in font LMRoman10/OT:mapping=tex-text;!
LaTeX Warning: Reference `book/t5:nothing' on page 3 undefined on input line 40.
LaTeX Warning: Citation `nobody' on page 3 undefined on input line 41.
LaTeX Warning: Label `twice' multiply defined.
Overfull \hbox (12.5pt too wide) in paragraph at lines 5--6
[]\TU/DejaVuSansMono(0)/m/n/9 a_very_long_name
Overfull \hbox (0.9pt too wide) in paragraph at lines 7--8
[]\TU/DejaVuSansMono(0)/m/n/9 a_long_name
Underfull \hbox (badness 10000) in paragraph at lines 7--8
[]\TU/FreeSerif(0)/m/n/10.95 see [3]
Overfull \hbox (1.1pt too wide) in paragraph at lines 9--10
[]\TU/FreeSerif(0)/m/n/10.95 a word of [2]
Overfull \hbox (27.4pt too wide) detected at line 12
[]
Overfull \vbox (1.7pt too high) detected at line 4430
Overfull \hbox (2.0pt too wide) in alignment at lines 20--30
[] []
LaTeX Warning: Label(s) may have changed. Rerun to get cross-references right.
"""


def test_every_complaint_is_found_once_and_ends_the_printing(tmp_path, monkeypatch):
    tex = "of where-am-i.tex"
    assert make_pdf.complaints(LOG) == [
        "Missing character: There is no ✓ (U+2713) in font "
        "LMRoman10/OT:mapping=tex-text;!",
        "LaTeX Warning: Reference `book/t5:nothing' on page 3 undefined on input "
        "line 40.",
        "LaTeX Warning: Citation `nobody' on page 3 undefined on input line 41.",
        "LaTeX Warning: Label `twice' multiply defined.",
        rf"12.5 pt too wide in paragraph at lines 5--6 {tex}: "
        r"[]\TU/DejaVuSansMono(0)/m/n/9 a_very_long_name",
        rf"1.1 pt too wide in paragraph at lines 9--10 {tex}: "
        r"[]\TU/FreeSerif(0)/m/n/10.95 a word of [2]",
        f"27.4 pt too wide detected at line 12 {tex}: []",
        f"2.0 pt too wide in alignment at lines 20--30 {tex}: [] []",
    ]

    def latexmk(*_, **__):
        (tmp_path / "where-am-i.log").write_text(LOG, "utf-8")
        return subprocess.CompletedProcess([], 0, "")

    monkeypatch.setattr(make_pdf.subprocess, "run", latexmk)
    with pytest.raises(SystemExit, match=r"27\.4 pt too wide"):
        make_pdf.make_pdf(tmp_path)


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


def text(*options):
    """Text of the PDF, where print curls apostrophes."""
    pdf = build_book.BUILD / f"{make_pdf.NAME}.pdf"
    command = ["pdftotext", *options, pdf, "-"]
    found = subprocess.run(command, capture_output=True, check=True)
    return found.stdout.decode().replace("’", "'")


@pytest.fixture(scope="module")
def pages():
    """Lines of the printed book, page by page: each page ends with a form feed."""
    if lacking := find_tex.missing():
        pytest.fail(find_tex.advice(lacking), pytrace=False)
    script = build_book.ROOT / "scripts" / "make_pdf.py"
    subprocess.run([sys.executable, script], check=True)
    return [words(page) for page in text("-layout").split("\f")[:-1]]


@pytest.fixture(scope="module")
def printed(pages):
    """Text of the whole book in print, one column after the other."""
    return words(text())


#: More would be a burden to carry, and a sign of pages that hold little. Was 450 before
#: the chapters answered their readers' questions.
MOST_PAGES = 500


@pytest.mark.slow
def test_the_printed_book_is_whole_and_not_too_thick(pages, printed):
    assert len(pages) < MOST_PAGES
    project = tomllib.loads((build_book.ROOT / "pyproject.toml").read_text("utf-8"))
    day = project["tool"]["posenc"]["released"]
    assert f"Edition {__version__}, {day:%B} {day.day}" in pages[0]
    contents, _, body = printed.partition("Who it is for")
    body = body.partition("Solutions Prerequisites")[0]
    missing = [t for t in chapters() if t not in contents or t not in body]
    assert missing == []
    for first in ("Fig. 13.1: ", "Theorem 13.1 (", "Exercise 13.1 ("):
        assert body.count(first) == 1, f"chapters are numbered: {first} is missing"
    assert "Map of the book" not in printed
    assert "Download notebook" not in printed


@pytest.mark.slow
def test_figures_stand_where_they_are_spoken_of(pages):
    latex = build_book.BUILD / "print" / "_build" / "latex" / f"{make_pdf.NAME}.tex"
    placed = re.findall(r"\\begin{figure}(\[.*?\])?", latex.read_text("utf-8"))
    assert len(placed) > 100
    assert set(placed) == {"[H]"}
    little = [page for page in pages if "Fig. " in page and len(page.split()) < 60]
    assert little == [], "pages that hold little but a figure"


@pytest.mark.slow
def test_solutions_are_a_part_of_their_own_and_lead_to_their_exercises(pages):
    texts = (
        path.read_text("utf-8") for path in (build_book.ROOT / "book").glob("*.md")
    )
    exercises = sum(len(re.findall(r"^`+{exercise}", text, re.M)) for text in texts)
    preface = next(i for i, page in enumerate(pages) if "Who it is for" in page)
    paper = dict(enumerate(pages[preface:], start=1))  # pages by their printed numbers
    first = next(n for n, page in paper.items() if " Solutions Prerequisites" in page)
    asked, solved = {}, {}
    for number, page in paper.items():
        for name, there in re.findall(
            r"(Exercise [\d.]+) \((?:(?!Exercise \d).)*?solution on page (\d+)", page
        ):
            asked[name] = (number, int(there))
        for name, there in re.findall(
            r"(Exercise [\d.]+) \((?:(?!Exercise \d).)*?\) page (\d+)", page
        ):
            solved[name] = (int(there), number)
    assert len(asked) == exercises
    assert asked == solved
    assert all(number < first <= there for number, there in asked.values())
    assert not any("Solution to" in page for page in pages)


@pytest.mark.slow
def test_readers_of_the_pdf_see_its_title_and_nothing_for_a_screen(printed):
    unwanted = ["<IPython", " object at 0x", "<div", "<svg", "??", "\ufffd"]
    unwanted += ["Alias for field number"]
    assert [text for text in unwanted if text in printed] == []
    pdf = build_book.BUILD / f"{make_pdf.NAME}.pdf"
    facts = subprocess.run(["pdfinfo", pdf], capture_output=True, check=True)
    settings = yaml.safe_load((build_book.ROOT / "_config.yml").read_text("utf-8"))
    about = words(facts.stdout.decode())
    assert about.startswith(
        f"Title: {settings['title']} Author: {settings['author']} Creator:"
    )
