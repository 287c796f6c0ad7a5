"""Plans of the teacher's guide: what they promise, the chapters keep."""

import inspect
import re

import page_parser
import pytest
from make_class import CONFIG

import posenc
from posenc.core.chapters import chapters, metadata, pages
from posenc.exercises import check, names
from posenc.kit.exercises.registry import POINTS, find, is_exercise
from posenc.pages import course
from posenc.pages import points as worths

PAGES = pages()
EDGES = [
    (earlier, later)
    for edges in (course.NEEDS, course.HELPS)
    for later, some in edges.items()
    for earlier in some
]


def cells(table):
    """Return texts of a Markdown table by row, without labels of narrow screens."""
    label = re.compile(r"^\[.*?\]\{\.pe-label\} ?")
    rows = [row.strip("| ").split("|") for row in str(table).splitlines()[2:]]
    return [[label.sub("", cell.strip()) for cell in row] for row in rows]


def chapters_of_a_term():
    """Numbered chapters of the longest plan, in its order."""
    every = [page for some in course.plans()["term"] for page in some]
    return [page for page in every if page in chapters()]


#: What the guide tells to type.
COMMANDS = "\n".join(
    re.findall(r"^ *```sh\n(.*?)```", page_parser.page("teaching"), re.M | re.S)
)


@pytest.mark.parametrize(("earlier", "later"), EDGES)
def test_an_arrow_is_a_link_of_the_later_chapter_to_the_earlier(earlier, later):
    assert PAGES.index(earlier) < PAGES.index(later)
    targets = {earlier} | page_parser.labels(page_parser.page(earlier))
    links = page_parser.roles(page_parser.page(later), "doc", "eq")
    assert targets & {link.rpartition("<")[2].removesuffix(">") for link in links}


@pytest.mark.parametrize("plan", course.plans())
def test_a_plan_never_asks_for_what_comes_later(plan):
    order = [page for some in course.plans()[plan] for page in some]
    assert len(order) == len(set(order))
    needs = [(e, later) for later, some in course.NEEDS.items() for e in some]
    for earlier, later in needs:
        assert later not in order or order.index(earlier) < order.index(later)


def test_a_term_takes_the_chapters_in_order_and_no_week_is_without_a_page():
    assert chapters_of_a_term() == list(chapters())
    term = course.plans()["term"]
    assert term[-1][-2:] == ["laboratory", "compare"]
    assert len(term) == len(chapters())  # "One chapter a week"
    for plan, some in course.plans().items():
        numbers = {metadata(page).get("weeks", {}).get(plan) for page in PAGES}
        assert numbers - {None, "last"} == set(range(1, len(some) + 1))


def test_four_weeks_add_up():
    *rows, total = cells(course.weeks("four weeks"))
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    assert rows[0][1:3] == [
        "{doc}`attention`, {doc}`sinusoidal`",
        "`ShuffledAttention`, `BitsAndSines`, `EncodingHeatmap`, `ClosedCurve`",
    ]
    assert total[1] == f"**{sum(row[1].count('{doc}') for row in rows)}**"
    assert total[2] == f"**{sum(row[2].count('`') // 2 for row in rows)}**"
    for column in range(3, 6):
        parts = [[int(n) for n in row[column].split(" + ")] for row in rows]
        sums = " + ".join(str(sum(some)) for some in zip(*parts, strict=True))
        assert total[column] == f"**{sums}**"
    rope, rotation = metadata("rope"), metadata("rotation")
    minutes = (rope[kind] + rotation[kind] for kind in ("reading", "doing"))
    exercises = [*map(find, names("rope") + names("rotation"))]
    earned = sum(POINTS[e.asks_for] for e in exercises)
    written = sum(worths.on_paper(e.name) for e in exercises)
    assert rows[2][3:6] == [
        str(len(exercises)),
        " + ".join(map(str, minutes)),
        f"{earned} + {written}",
    ]
    both = [" + ".join(map(str, b)) for b in course.minutes_of_weeks("four weeks")]
    assert both == [row[4] for row in rows]
    named = [f"four-weeks-{n}" for n in range(1, len(rows) + 1)]
    assert list(course.assignments("four weeks")) == named


def test_every_plan_has_its_assignments():
    assert {"lecture", *course.plans()} == set(course.PLANS)
    term = course.assignments("term")
    assert list(term) == [f"term-{week}" for week in range(1, len(chapters()) + 1)]
    assert sorted(name for some in term.values() for name in some) == sorted(names())


def test_time_limits_are_those_of_the_course_and_of_check():
    text = page_parser.page("teaching")
    limit = re.search(r"cell_seconds = (\d+)", CONFIG)[1]
    assert f"interrupted after {limit} seconds" in text
    assert inspect.signature(check).parameters["time_limit"].default == 10
    assert "all calls of a function share ten seconds" in text


def test_versions_in_commands_are_those_that_are_tested():
    text = page_parser.page("teaching")
    peers = (page_parser.ROOT / "tests/requirements-peers.txt").read_text("utf-8")
    pinned = re.findall(r"^nbgrader==\S+$", peers, re.MULTILINE)
    assert {*re.findall(r"nbgrader==[\d.]+", text)} == {*pinned}
    assert re.findall(r"posenc-([\d.]+)-py3", text) == [posenc.__version__]


def test_exercises_in_commands_are_there():
    named = " ".join(re.findall(r"(?:EXERCISES=|--exercises )(.+)", COMMANDS))
    asked = re.findall(r"\w+\.\w+", named)
    assert len(asked) > 5
    assert all(map(is_exercise, asked))
