"""What the chapters' ``chapter.toml`` say: complete, known, and true of the pages."""

import ast
import importlib.util
import re
from pathlib import Path

import chapter_directives
import page_parser
import pytest
import yaml

from posenc.core import chapters as registry
from posenc.core.chapters import chapters, metadata, packages, with_key
from posenc.exercises import names
from posenc.pages import course

ROOT = Path(__file__).parents[2]
KEYS = {
    *("module", "found", "quoted", "reading", "doing", "widgets", "needs"),
    *("helped_by", "taught_after", "homework", "weeks", "exercises", "lecture"),
    *("card", "map", "question", "methods", "errata"),
}
#: What no numbered chapter can do without.
OF_A_CHAPTER = {"module", "found", "reading", "card", "map", "question", "weeks"}


@pytest.mark.parametrize("slug", packages())
def test_keys_are_known_and_complete(slug):
    said = metadata(slug)
    assert said.keys() <= KEYS
    assert slug not in chapters() or said.keys() >= OF_A_CHAPTER
    assert {*said.get("needs", []), *said.get("helped_by", [])} <= set(chapters())
    exercises = {*said.get("homework", []), *said.get("exercises", {})}
    assert {f"{slug}.{name}" for name in exercises} <= set(names(slug))
    for told in said.get("exercises", {}).values():
        assert told.keys() <= {"rubric", "widgets"}
        assert set(told.get("widgets", [])) <= set(said["widgets"])
    # A page with exercises says in its opening box how long it takes.
    shown = page_parser.roles(page_parser.page(slug), "minutes")
    assert shown == ([slug] if "reading" in said else [])


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


@pytest.mark.parametrize("name", chapter_directives.LISTS)
def test_a_list_is_shown_by_one_page(name):
    asked = [
        path.stem
        for path in page_parser.BOOK.glob("*.md")
        for block in page_parser.directives(path.read_text("utf-8"), "chapters")
        if block.argument == name
    ]
    assert len(asked) == 1


#: A formula, a digit, a cell, a role that links, or a link.
EVIDENCE = re.compile(r"\$|\d|\{(ref|doc|prf:ref|cite:\w)\}|\]\(|\{code-cell\}")


@pytest.mark.parametrize("slug", chapters())
def test_reader_questions_stand_before_the_exercises_and_give_evidence(slug):
    _, _, rest = page_parser.page(slug).partition(f"\n({slug}-questions)=\n")
    section, following = rest.split("\n## ")[:2]
    title, *answers = re.split(r"^### ", section, flags=re.M)
    assert title.startswith("## Questions readers ask\n")
    assert following.startswith("Exercises\n")
    assert answers
    assert all(EVIDENCE.search(answer.partition("\n")[2]) for answer in answers)
