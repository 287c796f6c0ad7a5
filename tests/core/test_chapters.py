"""What the chapters' ``chapter.toml`` say: complete, known, and true of the pages."""

import ast
import importlib.util
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace

import chapter_directives
import page_parser
import pytest
import yaml
from plain_markdown import has_notebook

from posenc.core import chapters as registry
from posenc.core.chapters import (
    PACKAGE,
    chapters,
    insert_after,
    metadata,
    packages,
    with_key,
)
from posenc.exercises import names
from posenc.pages import course

ROOT = Path(__file__).parents[2]
#: Every key that a file may have, and what stands there.
KEYS = {
    "module": str,
    "found": str,
    "quoted": dict,
    "reading": int,
    "doing": int,
    "widgets": list,
    "needs": list,
    "helped_by": list,
    "taught_after": str,
    "homework": list,
    "weeks": dict,
    "exercises": dict,
    "lecture": dict,
    "card": dict,
    "map": dict,
    "question": dict,
    "methods": list,
    "errata": list,
}
#: What no numbered chapter can do without.
OF_A_CHAPTER = {"module", "found", "reading", "card", "map", "question", "weeks"}
TABLES = {
    "lecture": {"minutes": int, "words": str},
    "card": {"title": str, "alt": str, "text": str},
    "map": {"words": str, "at": list},
    "question": {"ask": str, "expect": str},
}


@pytest.mark.parametrize("slug", packages())
def test_keys_are_known_and_complete(slug):
    said = metadata(slug)
    assert said.keys() <= KEYS.keys()
    assert slug not in chapters() or said.keys() >= OF_A_CHAPTER
    for key, value in said.items():
        assert isinstance(value, KEYS[key]), key
        if key in TABLES:
            assert {k: type(v) for k, v in value.items()} == TABLES[key]
    others = {*said.get("needs", []), *said.get("helped_by", [])}
    assert others <= set(chapters())
    for told in said.get("quoted", {}).values():
        assert told.keys() <= {"where", "with"}
        assert told
    exercises = {*said.get("homework", []), *said.get("exercises", {})}
    assert {f"{slug}.{name}" for name in exercises} <= set(names(slug))
    for told in said.get("exercises", {}).values():
        assert told.keys() <= {"rubric", "widgets"}
        assert set(told.get("widgets", [])) <= set(said["widgets"])
        for points, words in told.get("rubric", []):
            assert points > 0
            assert words.endswith(".")


def test_every_key_is_explained():
    """On the page for contributors."""
    section = page_parser.page("contributing").partition("(contributing-facts)=")[2]
    table, rows = section.partition("(contributing-chapter)=")[0], []
    for line in table.splitlines():
        rows += [s.content for s in page_parser.spans(line) if s.kind == "code"]
    inner = {"conventions", "after", "rubric", "where", "with"}
    assert set(rows) == {*KEYS, *inner, "chapter.toml"}


@pytest.mark.parametrize("slug", packages())
def test_a_page_says_how_long_it_takes(slug):
    """A page with exercises, in its opening box, from here."""
    shown = page_parser.roles(page_parser.page(slug), "minutes")
    assert shown == ([slug] if "reading" in metadata(slug) else [])
    if has_notebook(slug):
        minutes = [int(n) for n in re.findall(r"\d+", course.minutes(slug))]
        assert minutes == [metadata(slug)["reading"], metadata(slug)["doing"]]


@pytest.mark.parametrize("slug", packages())
def test_widgets_are_those_of_the_page_and_of_the_package(slug):
    module = f"posenc.{slug}.widgets"
    imported = [
        alias.name
        for cell in page_parser.cells(page_parser.page(slug))
        if cell.is_code
        for node in ast.walk(ast.parse(without_magic(cell.source)))
        if isinstance(node, ast.ImportFrom) and node.module == module
        for alias in node.names
    ]
    assert list(dict.fromkeys(imported)) == course.widgets(slug)
    if imported:
        # One that opens the page may come again where its text needs it.
        assert {*imported} == {*importlib.import_module(module).__all__}


def without_magic(code):
    return "\n".join(line for line in code.splitlines() if line[:1] not in "%!")


def test_minutes_that_are_missing_are_asked_for(monkeypatch):
    monkeypatch.setattr(course, "metadata", {"t5": {"reading": 1}, "t6": {}}.get)
    with pytest.raises(ValueError, match=r"posenc/t5/chapter.toml must .* doing = 60"):
        course.minutes("t5")
    monkeypatch.setattr(course, "metadata", lambda slug: {"reading": 1, "doing": 2})
    assert course.minutes("t5") == "Reading: 1 minute. Exercises: 2 minutes."


def test_chapters_are_the_numbered_pages_of_the_contents():
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    listed = {
        numbered: [
            entry["file"].removeprefix("book/")
            for part in contents["parts"]
            if part.get("numbered", False) in numbered
            for entry in part["chapters"]
        ]
        for numbered in ((True,), (True, False))
    }
    assert list(listed.values()) == [list(chapters()), list(registry.pages())]
    assert set(chapters()) < set(packages()) < set(registry.pages())
    assert list(with_key("card")) == list(chapters())


def test_a_file_of_facts_is_where_a_page_is():
    files = {path.parent.name for path in PACKAGE.glob("*/chapter.toml")}
    assert files == set(packages())
    for slug in files:
        assert metadata(slug) == tomllib.loads(
            (PACKAGE / slug / "chapter.toml").read_text("utf-8")
        )


def test_what_stands_behind_another():
    assert insert_after("abcd", {}) == ["a", "b", "c", "d"]
    assert insert_after("abcd", {"d": "a"}) == ["a", "d", "b", "c"]
    assert insert_after("abcd", {"a": "c", "d": "a"}) == ["b", "c", "a", "d"]


class TestPages:
    def test_every_chapter_has_its_card_in_order(self):
        found = list(page_parser.blocks(chapter_directives.cards()))
        cards = [block for block in found if block.name == "grid-item-card"]
        assert [card.options["link"] for card in cards] == list(chapters())
        for card, slug in zip(cards, chapters(), strict=True):
            assert card.argument == metadata(slug)["card"]["title"]
            (glue,) = [b for b in page_parser.blocks(card.content) if b.name == "glue"]
            assert glue.argument == f"map_{slug}"

    @pytest.mark.parametrize("name", chapter_directives.LISTS)
    def test_a_list_is_asked_for_once(self, name):
        asked = [
            path.stem
            for path in page_parser.BOOK.glob("*.md")
            for block in page_parser.directives(path.read_text("utf-8"), "chapters")
            if block.argument == name
        ]
        assert len(asked) == 1
        text = chapter_directives.expanded(page_parser.page(asked[0]))
        assert "{chapters}" not in text
        assert chapter_directives.LISTS[name]() in text


#: A page with a section of questions, and one whose section has no label.
ASKED = {
    "shaw": """# Shaw

## Why?

### Not this?

(shaw-questions)=
## Questions readers ask

### Why?

Text.

```python
### No?
```

#### Deeper?

### What is `a_b`, [CLS]?

## Exercises

### Nor this?
""",
    "t5": "# T5\n\n## Questions readers ask\n\n### Without a label?\n",
}


class TestReaderQuestions:
    @pytest.fixture(autouse=True)
    def few_pages(self, monkeypatch):
        monkeypatch.setattr(chapter_directives, "pages", lambda: ("t5", "shaw"))
        monkeypatch.setattr(page_parser, "page", ASKED.__getitem__)

    def test_reader_questions_links_to_headings_of_labeled_sections(self):
        assert chapter_directives.reader_questions() == (
            "## Shaw\n\n- [Why?](shaw.md#why-1)\n"
            "- [What is `a_b`, [CLS]?](shaw.md#what-is-a_b-cls)"
        )

    @pytest.mark.parametrize("name", ["reader-questions", "questions"])
    def test_expand_notes_the_pages_whose_questions_are_shown(self, name):
        noted: list[str] = []
        env = SimpleNamespace(note_dependency=noted.append)
        source = [f"```{{chapters}} {name}\n```"]
        chapter_directives.expand(SimpleNamespace(env=env), "book/questions", source)
        assert "{chapters}" not in source[0]
        texts = {path for path in noted if path.endswith(".md")}
        expected = {str(page_parser.BOOK / f"{slug}.md") for slug in ("t5", "shaw")}
        assert texts == (expected if name == "reader-questions" else set())


def test_reader_questions_of_every_chapter_stand_right_before_the_exercises():
    for slug in chapters():
        _, _, rest = page_parser.page(slug).partition(f"\n({slug}-questions)=\n")
        title, *answers = re.split(r"^### ", rest.split("\n## ")[0], flags=re.M)
        assert title.startswith("## Questions readers ask\n"), slug
        assert rest.split("\n## ")[1].startswith("Exercises\n"), slug
        assert answers, slug


#: A formula, a digit, a cell, a role that links, or a link.
EVIDENCE = re.compile(r"\$|\d|\{(ref|doc|prf:ref|cite:\w)\}|\]\(|\{code-cell\}")


def test_reader_questions_are_answered_with_a_formula_a_number_or_a_link():
    bare = []
    for slug in chapters():
        rest = page_parser.page(slug).partition(f"\n({slug}-questions)=\n")[2]
        for part in re.split(r"^### ", rest.split("\n## ")[0], flags=re.M)[1:]:
            question, _, answer = part.partition("\n")
            if not EVIDENCE.search(answer):
                bare.append(question)
    assert bare == []


def test_make_bench_runs_the_benchmark_of_every_chapter_that_has_one():
    folder = ROOT / "benchmarks"
    spec = importlib.util.spec_from_file_location("run", folder / "run.py")
    run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(run)
    found = [script.stem for script in run.scripts()]
    others = {
        "classroom",
        "gpu",
        "lite",
        "record",
        "run",
        "solve",
        "targets",
        "widgets",
    }
    assert set(found) == {path.stem for path in folder.glob("*.py")} - others
    assert found == [slug for slug in chapters() if slug in found]
    assert "benchmarks/run.py" in (ROOT / "Makefile").read_text("utf-8")
