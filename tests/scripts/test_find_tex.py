"""A missing TeX is reported in one sentence, and installed where that is possible."""

import re
import sys

import find_tex
import make_pdf
import pytest


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine without TeX, and no right to install it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(find_tex, "can_install", lambda: False)
    monkeypatch.setattr(make_pdf, "make_latex", pytest.fail)
    monkeypatch.setattr(sys, "argv", ["find_tex.py", "--install"])


@pytest.mark.parametrize("main", [find_tex.main, make_pdf.main])
def test_missing_tex_is_reported_in_one_sentence(bare, monkeypatch, capsys, main):
    monkeypatch.setattr(sys, "argv", [*sys.argv[: 1 + (main is find_tex.main)]])
    with pytest.raises(SystemExit) as end:
        sys.exit(main())
    assert end.value.code == 2
    [sentence] = capsys.readouterr().err.splitlines()
    assert re.match(r"The PDF needs XeLaTeX .* latexmk was not found: ", sentence)
    assert sentence.endswith(" ".join(find_tex.PACKAGES))
