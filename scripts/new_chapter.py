"""Make the files of a new chapter: ``python scripts/new_chapter.py SLUG "Title"``.

The files are those of ``scripts/chapter``, a whole chapter: page, array code, torch
module, picture, widget, exercises with their judges, benchmark, facts, tests.
It builds and passes as it is; replace its content piece by piece.
``book/contributing.md`` says what belongs where.
"""

import argparse
import keyword
import re
import sys
from itertools import groupby
from pathlib import Path

from posenc.pages import course

ROOT = Path(__file__).parents[1]
TEMPLATES = Path(__file__).parent / "chapter"


def new_files(slug: str, title: str, root: Path = ROOT) -> dict[Path, str]:
    """Content of every file that a new chapter needs, and of the table of contents.

    Parameters
    ----------
    slug : str
        Short name, as in ``book/<slug>.md`` and ``posenc.<slug>``.
    title : str
        Heading of the chapter.
    root : Path, optional
        Folder of the book.

    Raises
    ------
    ValueError
        If the slug cannot name a module, or something of that name is there already.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", slug) or keyword.iskeyword(slug):
        msg = (
            "slug must be small letters, digits and underscores, beginning with a "
            f"letter, and no word of Python's, got {slug!r}"
        )
        raise ValueError(msg)
    if not title.strip() or not title.isprintable() or set(title) & {'"', "\\"}:
        msg = f"title must be one line of text without quotes, got {title!r}"
        raise ValueError(msg)
    words = _words(slug, title)
    files = {}
    for template in sorted(p for p in TEMPLATES.rglob("*.*") if p.is_file()):
        name, text = (
            _filled(text, words)
            for text in (
                template.relative_to(TEMPLATES).as_posix(),
                template.read_text(encoding="utf-8"),
            )
        )
        files[root / name] = _imports_sorted(text)
    taken = [path for path in files if path.exists()]
    if (folder := root / "src" / "posenc" / slug).exists():
        taken.append(folder)
    if taken:
        msg = (
            f"slug must be new, but {taken[0].relative_to(root)} exists: choose another"
        )
        raise ValueError(msg)
    return {**files, root / "_toc.yml": _contents(slug, root)}


def _words(slug: str, title: str) -> dict[str, str]:
    """What the placeholders of the templates stand for."""
    name = "".join(part.capitalize() for part in slug.split("_"))
    return {
        "SLUG": slug,
        "TITLE": title,
        "CLASS": name,
        # As `posenc.kit.widgets.base` derives it from the name of the class.
        "FRONT": re.sub(r"(?<!^)(?=[A-Z])", "_", f"{name}Line").lower(),
        "WEEK": str(len(course.plans()["term"]) + 1),
    }


def _filled(text: str, words: dict[str, str]) -> str:
    return re.sub("|".join(words), lambda found: words[found[0]], text)


def _imports_sorted(text: str) -> str:
    """Imports from posenc in their order: where the slug belongs depends on it."""
    lines = text.split("\n")
    ours = [i for i, line in enumerate(lines) if line.startswith("from posenc.")]
    for _, run in groupby(enumerate(ours), lambda pair: pair[1] - pair[0]):
        places = [place for _, place in run]  # lines that follow one another
        block = slice(places[0], places[-1] + 1)
        lines[block] = sorted(lines[block])
    return "\n".join(lines)


def _contents(slug: str, root: Path) -> str:
    """The table of contents with the chapter behind the last numbered one."""
    parts = (root / "_toc.yml").read_text(encoding="utf-8").split("  - caption: ")
    last = max(i for i, part in enumerate(parts) if "numbered: true" in part)
    parts[last] = f"{parts[last].rstrip()}\n      - file: book/{slug}\n"
    return "  - caption: ".join(parts)


def main() -> None:
    """Parse the command line, write the files, and say what is left to do."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("slug", help="short name: small letters, digits, underscores")
    parser.add_argument("title", help="heading of the chapter")
    options = parser.parse_args()
    try:
        files = new_files(options.slug, options.title)
    except ValueError as error:
        sys.exit(str(error))
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))
    print(
        "\nNext: make notebooks, then make test. Left to you: letters in "
        "book/notation.md, words in\nbook/glossary.md, and the content: see "
        "book/contributing.md."
    )


if __name__ == "__main__":
    main()
