"""Make the files of a new chapter: ``python scripts/new_chapter.py SLUG "Title"``.

The files are those of ``scripts/chapter``, a chapter of one page with a function, a
picture, an exercise and their tests. It builds and passes as it is; replace its content
piece by piece. ``book/contributing.md`` says what belongs where.
"""

import argparse
import keyword
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEMPLATES = Path(__file__).parent / "chapter"


def new_files(slug: str, title: str, root: Path = ROOT) -> dict[Path, str]:
    """Content of every file that a new chapter needs, and of those that name it.

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
    if not title.strip() or "\n" in title:
        msg = f"title must be one line of text, got {title!r}"
        raise ValueError(msg)
    files = {}
    for template in sorted(p for p in TEMPLATES.rglob("*.*") if p.is_file()):
        name = template.relative_to(TEMPLATES).as_posix().replace("SLUG", slug)
        text = template.read_text(encoding="utf-8")
        files[root / name] = text.replace("SLUG", slug).replace("TITLE", title)
    taken = [path for path in files if path.exists()]
    if taken:
        msg = (
            f"slug must be new, but {taken[0].relative_to(root)} exists: choose another"
        )
        raise ValueError(msg)
    return {**files, **_lists(slug, title, root)}


def _lists(slug: str, title: str, root: Path) -> dict[Path, str]:
    """The files that list all chapters, with one more."""
    toc, package = root / "_toc.yml", root / "src" / "posenc" / "__init__.py"
    contents = toc.read_text(encoding="utf-8")
    parts = contents.split("  - caption: ")
    last = max(i for i, part in enumerate(parts) if "numbered: true" in part)
    parts[last] = f"{parts[last].rstrip()}\n      - file: book/{slug}\n"
    code = package.read_text(encoding="utf-8")
    names = sorted({*re.findall(r"^    (\w+),$", code, re.MULTILINE), slug})
    imports = "".join(f"    {name},\n" for name in names)
    listed = "".join(f'    "{name}",\n' for name in names)
    code = re.sub(r"import \(\n.*?\)", f"import (\n{imports})", code, flags=re.DOTALL)
    code = re.sub(
        r"__all__ = \[\n.*?\]", f"__all__ = [\n{listed}]", code, flags=re.DOTALL
    )
    api = root / "book" / "api.md"
    mark, module = "## The running example", f".. automodule:: posenc.{slug}"
    members = f"## {title}\n\n```{{eval-rst}}\n{module}\n   :members:\n```\n\n"
    reference = api.read_text(encoding="utf-8").replace(mark, members + mark)
    return {toc: "  - caption: ".join(parts), package: code, api: reference}


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
        "\nNext: make notebooks, then make test. Left to you: the card on "
        "book/index.md, letters in\nbook/notation.md, words in book/glossary.md, and "
        "the content: see book/contributing.md."
    )


if __name__ == "__main__":
    main()
