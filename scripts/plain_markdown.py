"""Turn a chapter's MyST Markdown into the plain Markdown that every notebook shows.

Directives become headings, quotations or ``$$`` blocks; roles become words. What has no
rule here is an error, so that nothing reaches a reader half-converted.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pybtex.database import BibliographyData, parse_file

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"^(?P<fence>`{3,}|:{3,})\{(?P<name>[\w:-]+)\}[ ]?(?P<title>.*)$")
ROLE = re.compile(r"\{(?P<name>[\w:-]+)\}`(?P<text>[^`]+)`")
TARGET = re.compile(r"^\([\w:-]+\)=\s*$")
PROVED = ("theorem", "lemma", "proposition", "corollary", "definition", "proof")
QUOTED = ("note", "tip", "warning", "important", "seealso", "hint", "admonition")


@dataclass
class Chapter:
    """What the conversion of one chapter has to know and to remember."""

    slug: str
    teacher: bool = False
    glued: dict[str, str] = field(default_factory=dict)
    equations: dict[str, int] = field(default_factory=dict)
    proved: int = 0
    exercises: int = 0


def has_exercises(source: str) -> bool:
    """Whether a page has something to answer, and so a notebook of its own."""
    return ":tags: [stub" in source


def plain(text: str, chapter: Chapter) -> str:
    """Convert one Markdown cell; literal code in it stays as it is."""
    lines, out, number = text.split("\n"), [], 0
    while number < len(lines):
        line = lines[number]
        opening = FENCE.match(line)
        if opening:
            body, number = _body(lines, number, opening["fence"])
            name, title = opening["name"], opening["title"].strip()
            out.append(_directive(name, title, body, chapter))
        elif line.startswith("```"):
            body, number = _body(lines, number, "```")
            out.append("\n".join([line, *body, "```"]))
        else:
            number += 1
            if not TARGET.match(line):
                out.append(_roles(line, chapter))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).strip()


def _body(lines: list[str], start: int, fence: str) -> tuple[list[str], int]:
    """Lines between the fence at `start` and the one that closes it."""
    for end in range(start + 1, len(lines)):
        if lines[end].strip() == fence:
            return lines[start + 1 : end], end + 1
    msg = f"no closing {fence} for the line: {lines[start]}"
    raise ValueError(msg)


def _directive(name: str, title: str, body: list[str], chapter: Chapter) -> str:
    options, content = _options(body)
    text = "\n".join(content)
    if name == "math":
        return _math(text, options, chapter)
    if name in ("only", "bibliography"):
        kept = name == "only" and (chapter.teacher or "teacher" not in title)
        return plain(text, chapter) if kept else ""
    if name == "exercise":
        chapter.exercises += 1
        heading = f"### Exercise {chapter.exercises}: {_roles(title, chapter)}"
        return f"{heading}\n\n{plain(text, chapter)}\n"
    if name.removeprefix("prf:") in PROVED:
        kind = name.removeprefix("prf:").capitalize()
        if kind != "Proof":
            chapter.proved += 1
            kind = f"{kind} {chapter.proved}" + (f" ({title})" if title else "")
        return _quote(f"**{_roles(kind, chapter)}.**", text, chapter)
    if name in (*QUOTED, "dropdown"):
        words = title or name.capitalize()
        return _quote(f"**{_roles(words, chapter)}**", text, chapter)
    msg = f"book/{chapter.slug}.md: no rule for the directive {{{name}}}; add one here"
    raise ValueError(msg)


def _options(body: list[str]) -> tuple[dict[str, str], list[str]]:
    """Split the ``:option: value`` lines at the top of a directive from its content."""
    options: dict[str, str] = {}
    for count, line in enumerate(body):
        found = re.match(r"^:([\w-]+):\s*(.*)$", line)
        if not found:
            return options, body[count:]
        options[found[1]] = found[2]
    return options, []


def _math(text: str, options: dict[str, str], chapter: Chapter) -> str:
    tag = ""
    if "label" in options:
        number = equation_number(options["label"], chapter)
        tag = rf" \tag{{{number}}}"
    return f"$$\n{_macros(text.strip())}{tag}\n$$"


def _quote(heading: str, text: str, chapter: Chapter) -> str:
    content = f"{heading}\n\n{plain(text, chapter)}"
    return "\n".join(f"> {line}".rstrip() for line in content.split("\n"))


def equation_number(label: str, chapter: Chapter) -> int:
    """Number of a labelled equation, in the order in which labels are first met."""
    return chapter.equations.setdefault(label, len(chapter.equations) + 1)


def _macros(formula: str) -> str:
    r"""Drop the book's color macros: ``\query{q}`` becomes ``{q}``."""
    return re.sub(r"\\(query|key|val|pos)(?=\s*\{)", "", formula)


def _roles(line: str, chapter: Chapter) -> str:
    def words(found: re.Match[str]) -> str:
        name, text = found["name"], found["text"]
        if name not in RULES:
            msg = (
                f"book/{chapter.slug}.md: no rule for the role {{{name}}}; add one here"
            )
            raise ValueError(msg)
        return RULES[name](text, chapter)

    converted = ROLE.sub(words, line)
    # A formula may go over several lines, so code is what is told apart.
    parts = re.split(r"(`[^`]*`)", converted)
    return "".join(_macros(part) if part[:1] != "`" else part for part in parts)


def _titled(text: str) -> tuple[str, str]:
    """Words and target of ``words <target>``."""
    found = re.match(r"^(.*?)\s*<([^>]+)>$", text)
    return (found[1], found[2]) if found else (text, text)


def _document(text: str, chapter: Chapter) -> str:
    words, target = _titled(text)
    source = (ROOT / "book" / f"{target}.md").read_text()
    if words == target:
        words = re.search(r"^# (.+)$", source, re.MULTILINE)[1]  # type: ignore[index]
    return f"[{words}]({target}.ipynb)" if has_exercises(source) else f"*{words}*"


def _cite(text: str, *, parentheses: bool) -> str:
    entries = []
    for key in text.split(","):
        entry = _bibliography().entries[key.strip()]
        names = [
            str(person.last_names[-1]).strip("{}") for person in entry.persons["author"]
        ]
        who = names[0] if len(names) == 1 else f"{names[0]} et al."
        who = " and ".join(names) if len(names) == 2 else who
        year = entry.fields["year"]
        entries.append(f"{who}, {year}" if parentheses else f"{who} ({year})")
    return f"({'; '.join(entries)})" if parentheses else ", ".join(entries)


def _bibliography() -> BibliographyData:
    return parse_file(ROOT / "book/references.bib")


def _glued(text: str, chapter: Chapter) -> str:
    name = text.split(":")[0]
    return chapter.glued[name]


RULES: dict[str, Callable[[str, Chapter], str]] = {
    "cite:t": lambda text, _: _cite(text, parentheses=False),
    "cite:p": lambda text, _: _cite(text, parentheses=True),
    "doc": _document,
    "ref": lambda text, _: f"*{_titled(text)[0]}*",
    "numref": lambda text, _: f"*{_titled(text)[0]}*",
    "prf:ref": lambda text, _: f"*{_titled(text)[0]}*",
    "eq": lambda text, chapter: f"({equation_number(text, chapter)})",
    "glue:text": _glued,
    "math": lambda text, _: f"${text}$",
    "term": lambda text, _: _titled(text)[0],
    "kbd": lambda text, _: f"**{text}**",
    "query": lambda text, _: f"**{text}**",
    "key": lambda text, _: f"**{text}**",
    "value": lambda text, _: f"**{text}**",
    "position": lambda text, _: f"**{text}**",
}
