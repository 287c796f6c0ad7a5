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


def test_every_color_of_the_palette_has_its_name_in_print():
    latex = latex_output.colors()
    for name, value in THEMES["light"].items():
        wanted = rf"\definecolor{{pe-{name}}}{{HTML}}{{{value[1:].upper()}}}"
        assert latex.count(wanted) == 1
        assert latex.count(rf"\csname DUrolepe-{name}\endcsname") == 1


def test_formulas_have_the_macros_of_the_site():
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    latex = latex_output.macros(config["sphinx"]["config"]["mathjax3_config"])
    assert latex.splitlines() == [
        rf"\newcommand{{\{name}}}[1]{{\class{{pe-{role}}}{{#1}}}}"
        for name, role in [
            ("query", "query"),
            ("key", "key"),
            ("val", "value"),
            ("pos", "position"),
        ]
    ]


def table(*rows):
    """Table with these rows of texts."""
    columns = [nodes.colspec(colwidth=1) for _ in rows[0]]
    lines = [
        nodes.row("", *(nodes.entry("", nodes.paragraph("", text)) for text in row))
        for row in rows
    ]
    body = nodes.tbody("", *lines)
    return nodes.table("", nodes.tgroup("", *columns, body))


def widths(table):
    return [column["colwidth"] for column in table.findall(nodes.colspec)]


def test_a_wide_table_is_shared_by_what_its_columns_hold():
    wide = table(["nameof", "b " * 500, "c " * 20], ["a", "b", "c " * 30])
    latex_output.share_width(wide)
    assert widths(wide) == [11, 39, 29]
    assert sum(widths(wide)) <= latex_output.LINE
    assert wide["classes"] == ["colwidths-given"]


def test_a_column_is_as_wide_as_its_longest_word():
    wide = table(["equivariance", "b " * 500])
    latex_output.share_width(wide)
    assert widths(wide)[0] > len("equivariance")


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


def test_a_name_with_hyphens_may_be_broken_behind_them():
    assert latex_output.JOINTS.split("four-weeks-2") == ["four-", "weeks-", "2"]
    assert latex_output.JOINTS.split("--name") == ["--name"]


def test_short_columns_keep_their_width_where_there_is_too_little():
    shares = latex_output.column_shares(
        [["week"], ["equivariance" * 3], ["w" * 40]], 60
    )
    assert shares[0] == 8
    assert sum(shares) == 60


def test_a_table_with_many_columns_is_in_small_print():
    many = table(["a"] * latex_output.MANY)
    box = nodes.container("", many)
    latex_output.share_width(many)
    before, middle, after = box.children
    assert "footnotesize" in before.astext()
    assert middle is many
    assert "endgroup" in after.astext()


def test_a_narrow_table_stays_as_it_is():
    narrow = table(["a", "b" * 20])
    latex_output.share_width(narrow)
    assert widths(narrow) == [1, 1]
    assert narrow["classes"] == []


@pytest.mark.parametrize(("rows", "classes"), [(6, []), (7, ["longtable"])])
def test_a_long_table_may_go_over_pages(rows, classes):
    tall = table(*[["a", "b"]] * rows)
    latex_output.share_width(tall)
    assert tall["classes"] == classes


def test_a_proof_says_that_it_is_one():
    steps = nodes.paragraph("", "Proof. First."), nodes.paragraph("", "Then.")
    plain = latex_output.plain_proof(proof_node("", nodes.admonition("", *steps)))
    assert plain.astext() == "Proof. First.\n\nThen."
    assert plain.next_node(nodes.emphasis).astext() == "Proof."
    assert not list(plain.findall(nodes.admonition))


@pytest.mark.parametrize(
    ("addresses", "lines"),
    [
        (["", ""], []),
        (["https://a.org/", ""], [r"\url{https://a.org/}"]),
        (
            ["https://a.org", "https://b.org"],
            [r"\url{https://a.org}", r"\url{https://b.org}"],
        ),
    ],
)
def test_the_edition_is_that_of_the_version(addresses, lines):
    wanted = ["Edition 2.1.0, January 9, 2030", *lines]
    assert latex_output.edition("2.1.0", date(2030, 1, 9), addresses) == "\\par\n".join(
        wanted
    )


@pytest.fixture
def solved():
    """A chapter with an exercise, after its solution has been taken out; the part."""
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
    return chapter, latex_output.solutions(document, env)


def test_solutions_leave_their_chapter_for_a_part_of_their_own(solved):
    chapter, part = solved
    assert "Because." not in chapter.astext()
    titles = [title.astext() for title in part.findall(nodes.title)]
    assert titles == ["Solutions", "3\u2002Rest"]
    (file,) = (f for f in part.findall(addnodes.start_of_file) if f is not part)
    assert file["docname"] == "book/rest", "labels of a page have its name"
    assert file.astext().endswith("Because.")


def test_an_exercise_and_its_solution_lead_to_each_other(solved):
    chapter, part = solved
    labels = "{book/rest:why-solution}{book/rest:why-solution-asked}"
    assert chapter.astext().count(rf"(Halves)\solutionlink{labels}") == 1
    head = rf"\solutionhead{labels}{{"
    assert f"{head}Exercise 3.1 (Halves)}}" in part.astext()


def test_a_page_is_also_known_by_its_title_as_it_is_printed():
    title = nodes.title("", "Today’s models")
    page = nodes.section("", title, names=["today's models"])
    latex_output.name_as_printed(page)
    assert page["names"] == ["today's models", "today’s models"]
