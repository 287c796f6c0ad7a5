"""Length of each chapter, now and at an earlier commit.

``python scripts/length.py [--against COMMIT]`` counts words and lines of code that a
reader has in front of him: text in front of the exercises, without what is folded,
removed, or for teachers alone. What stands behind the exercises (optional, costs,
libraries) is not compared with the first edition: the whole pages of chapters 1 to 6,
without answers, have grown by up to 27 % since. A test keeps them at today's length.
"""

import argparse
import re
import subprocess
import sys
from typing import NamedTuple

import page_parser
from folds import LABELS

from posenc.core.chapters import chapters

#: The first edition as it was reviewed. No chapter grows beyond it.
FIRST_EDITION = "f005256"
#: Tags of cells whose code no reader sees unless he asks for it.
FOLDED = {"hide-input", "hide-cell", "remove-input", "remove-cell", "solution"}
#: Directives that are tasks, or for teachers.
_APART = {"exercise", "exercise-start", "solution", "solution-start", "only"}
#: Answers to exercises, which are no part of a page's length.
_ANSWER = re.compile(
    r"^(`{3,})\{solution-start\}.*?\{solution-end\}\n`{3,}$", re.M | re.S
)
#: Values that the words of a button set, which are not read.
_SETTING = re.compile(r"(\{try\}`[^`<]*)<[^`]*`")


class Length(NamedTuple):
    """Words of text, and lines of code."""

    words: int
    code: int


def length(text: str, *, whole: bool = False) -> Length:
    """Count words and code lines of a page up to its exercises, or without answers."""
    words = code = 0
    text = _ANSWER.sub("", text) if whole else text.split("\n## Exercises\n", 1)[0]
    for cell in page_parser.cells(text):
        if cell.is_code:
            caption = cell.blocks[0].options.get("mystnb", {}).get("figure", {})
            words += _words(caption.get("caption", ""))
            if not FOLDED & set(cell.tags):
                code += sum(bool(line.strip()) for line in cell.source.split("\n"))
            continue
        words += sum(_words(_seen(block)) for block in cell.blocks if _is_read(block))
    return Length(words, code)


def _seen(block: page_parser.Block) -> str:
    """Return what a reader sees of a block; of a fold, its title."""
    folded = block.name in LABELS or block.options.get("class") == "dropdown"
    return block.argument if folded else block.source


def _is_read(block: page_parser.Block) -> bool:
    return block.kind != "label" and block.name not in _APART


def _words(text: str) -> int:
    text = _SETTING.sub(r"\1`", text)
    return len(re.findall(r"[^\W\d_][\w’'-]*", text))


def _page(slug: str, commit: str) -> str | None:
    """Return the source of a page at a commit; None if that commit does not have it."""
    shown = _git("show", f"{commit}:book/{slug}.md")
    return None if shown.returncode else shown.stdout


def _git(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", *command],
        capture_output=True,
        text=True,
        check=False,
        cwd=page_parser.ROOT,
    )


def main() -> None:
    """Print both lengths of each chapter; exit code 1 if one has grown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", default=FIRST_EDITION, metavar="COMMIT")
    commit = parser.parse_args().against
    if _git("cat-file", "-e", f"{commit}^{{commit}}").returncode:
        sys.exit(f"--against must be a commit of this repository, got {commit!r}")
    grown = []
    print(f"{'':18}{'words':>7}{'were':>7}{'code':>7}{'was':>6}")
    for slug in chapters():
        now, before = length(page_parser.page(slug)), _page(slug, commit)
        if before is None:
            print(f"{slug:18}{now.words:7}{'new':>7}{now.code:7}{'new':>6}")
            continue
        then = length(before)
        print(f"{slug:18}{now.words:7}{then.words:7}{now.code:7}{then.code:6}")
        if now.words > then.words or now.code > then.code:
            grown.append(slug)
    if grown:
        sys.exit(f"Longer than at {commit}: {', '.join(grown)}.")


if __name__ == "__main__":
    main()
