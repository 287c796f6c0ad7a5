"""What is set up for print: the site's colors and macros, tables that fit, proofs."""

from datetime import date
from types import SimpleNamespace

import latex_output
import pytest
import yaml
from build_book import ROOT
from docutils import nodes
from sphinx import addnodes
from sphinx_exercise.nodes import exercise_node, solution_node
from sphinx_proof.nodes import proof_node

from posenc.kit.figures.palette import THEMES


def test_print_has_the_colors_and_macros_of_the_site():
    latex = latex_output.colors()
    for name, value in THEMES["light"].items():
        wanted = rf"\definecolor{{pe-{name}}}{{HTML}}{{{value[1:].upper()}}}"
        assert latex.count(wanted) == 1
        assert latex.count(rf"\csname DUrolepe-{name}\endcsname") == 1
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    latex = latex_output.macros(config["sphinx"]["config"]["mathjax3_config"])
    assert r"\newcommand{\query}[1]{\class{pe-query}{#1}}" in latex.splitlines()


def table(*rows):
    """Table with these rows of texts."""
    columns = [nodes.colspec(colwidth=1) for _ in rows[0]]
    lines = [
        nodes.row("", *(nodes.entry("", nodes.paragraph("", text)) for text in row))
        for row in rows
    ]
    body = nodes.tbody("", *lines)
    return nodes.table("", nodes.tgroup("", *columns, body))


@pytest.mark.parametrize(
    ("rows", "shares"),
    [
        ([["nameof", "b " * 500, "c " * 20], ["a", "b", "c " * 30]], [11, 39, 29]),
        ([["equivariance", "b " * 500]], [19, 61]),  # as wide as its longest word
        ([["a", "b" * 20]], [1, 1]),  # narrow: it stays
    ],
)
def test_a_wide_table_is_shared_by_what_its_columns_hold(rows, shares):
    wide = table(*rows)
    latex_output.share_width(wide)
    assert [column["colwidth"] for column in wide.findall(nodes.colspec)] == shares
    assert wide["classes"] == (["colwidths-given"] if shares != [1, 1] else [])


def test_a_long_name_in_a_table_may_be_broken_at_its_joints():
    calls = table(["x"])
    name = nodes.literal("", "rotate_queries(aB2C)", classes=["code"])
    calls.next_node(nodes.paragraph).append(name)
    latex_output.break_names(calls)
    literals = list(calls.findall(nodes.literal))
    parts = ["rotate_", "queries(", "a", "B2", "C)"]
    assert [literal.astext() for literal in literals] == parts
    assert all(literal["classes"] == ["code"] for literal in literals)
    assert len(list(calls.findall(nodes.raw))) == len(parts) - 1


@pytest.mark.parametrize(("rows", "classes"), [(6, []), (7, ["longtable"])])
def test_a_long_table_may_go_over_pages(rows, classes):
    tall = table(*[["a"] * latex_output.MANY] * rows)
    box = nodes.container("", tall)
    latex_output.share_width(tall)
    assert tall["classes"] == classes
    before, middle, after = box.children  # many columns: small print
    assert "footnotesize" in before.astext()
    assert middle is tall
    assert "endgroup" in after.astext()


def test_a_proof_says_that_it_is_one():
    steps = nodes.paragraph("", "Proof. First."), nodes.paragraph("", "Then.")
    plain = latex_output.plain_proof(proof_node("", nodes.admonition("", *steps)))
    assert plain.astext() == "Proof. First.\n\nThen."
    assert plain.next_node(nodes.emphasis).astext() == "Proof."
    assert not list(plain.findall(nodes.admonition))


def test_the_edition_names_version_day_and_addresses():
    found = latex_output.edition("2.1.0", date(2030, 1, 9), ["", "https://b.org"])
    assert found == "Edition 2.1.0, January 9, 2030\\\\\\url{https://b.org}"


def test_solutions_leave_their_chapter_and_both_lead_to_each_other():
    name = nodes.title("", "Exercise 3.1 (Halves)")
    exercise = exercise_node("", name, nodes.paragraph("", "Why?"), label="why")
    title = nodes.title("", "Solution to Exercise 3.1 (Halves)")
    answer = nodes.paragraph("", "Because.")
    solution = solution_node("", title, answer, label="why-solution")
    solution["target_label"] = "why"
    section = nodes.section("", nodes.title("", "Rest"), exercise, solution)
    chapter = addnodes.start_of_file("", section, docname="book/rest")
    whole = addnodes.start_of_file("", chapter, docname="A part")
    document = nodes.container("", whole)
    env = SimpleNamespace(
        titles={"book/rest": nodes.title("", "Rest")},
        toc_secnumbers={"book/rest": {"": (3,)}},
    )
    part = latex_output.solutions(document, env)
    assert "Because." not in chapter.astext()
    titles = [title.astext() for title in part.findall(nodes.title)]
    assert titles == ["Solutions", "3\u2002Rest"]
    (file,) = (f for f in part.findall(addnodes.start_of_file) if f is not part)
    assert file["docname"] == "book/rest", "labels of a page have its name"
    assert file.astext().endswith("Because.")
    labels = "{book/rest:why-solution}{book/rest:why-solution-asked}"
    assert chapter.astext().count(rf"(Halves)\solutionlink{labels}") == 1
    assert rf"\solutionhead{labels}{{Exercise 3.1 (Halves)}}" in part.astext()


def test_a_page_is_also_known_by_its_title_as_it_is_printed():
    title = nodes.title("", "Today’s models")
    page = nodes.section("", title, names=["today's models"])
    latex_output.name_as_printed(page)
    assert page["names"] == ["today's models", "today’s models"]
