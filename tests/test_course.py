"""Plans of the teacher's guide: what they promise, the chapters keep."""

import inspect
import re
from pathlib import Path

import figure_rules
import make_notebooks
import pytest
from make_class import CONFIG
from matplotlib.patches import FancyArrowPatch

from posenc import course, data, errata, widgets
from posenc.exercises import check, names
from posenc.exercises._registry import POINTS, find
from posenc.figures import course as figures

BOOK = Path(__file__).parents[1] / "book"
PAGES = errata.chapters()
EDGES = [
    (earlier, later)
    for edges in (course.NEEDS, course.HELPS)
    for later, some in edges.items()
    for earlier in some
]


def text_of(page):
    return (BOOK / f"{page}.md").read_text(encoding="utf-8")


def cells(table):
    """Texts of a Markdown table, row by row, without the labels of narrow screens."""
    rows = str(table).splitlines()[2:]
    return [
        [
            re.sub(r"^\[.*?\]\{\.pe-label\} ?", "", cell.strip())
            for cell in row.split("|")
        ]
        for row in (row.strip("| ") for row in rows)
    ]


class TestOrder:
    @pytest.mark.parametrize(("earlier", "later"), EDGES)
    def test_an_arrow_is_a_link_of_the_later_chapter_to_the_earlier(
        self, earlier, later
    ):
        assert PAGES.index(earlier) < PAGES.index(later)
        labels = re.findall(r"^:label: (\S+)", text_of(earlier), re.MULTILINE)
        links = re.findall(r"\{(?:doc|eq)\}`(?:[^`<]*<)?([\w-]+)>?`", text_of(later))
        assert {earlier, *labels} & {*links}

    def test_the_picture_has_the_chapters_of_a_term_and_all_arrows(self):
        assert set(figures.PLACES) == set(chapters_of_a_term())
        ax = figures.dependencies()
        assert len(figure_rules.texts(ax)) == len(figures.PLACES)
        arrows = [p.get_gid() for p in ax.patches if isinstance(p, FancyArrowPatch)]
        assert sorted(arrows) == sorted(f"{a}-{b}" for a, b in EDGES)
        assert figure_rules.draws_where_it_is_told(figures.dependencies)
        assert figure_rules.comes_in_two_themes(figures.dependencies)

    def test_its_words_name_every_arrow(self):
        words = figures.dependencies_in_words()
        assert words.count(" needs ") == len(course.NEEDS)
        assert words.count(" is easier after ") == len(course.HELPS)
        assert "“linear attention” needs “RoPE”" in words

    @pytest.mark.parametrize("plan", course.WEEKS)
    def test_a_plan_never_asks_for_what_comes_later(self, plan):
        order = [page for pages in course.WEEKS[plan] for page in pages]
        assert len(order) == len(set(order))
        for later, some in course.NEEDS.items():
            for earlier in some:
                if later in order:
                    assert order.index(earlier) < order.index(later)

    def test_a_term_takes_the_chapters_in_their_order(self):
        assert len(chapters_of_a_term()) == len(course.WEEKS["term"]) == 13
        places = [PAGES.index(page) for page in chapters_of_a_term()]
        assert places == sorted(places)


class TestNumbers:
    def test_the_workload_is_what_the_chapters_say(self):
        loads = data.load("workload")
        for page in chapters_of_a_term():
            opening = re.search(r"^\*Reading:.*", text_of(page), re.MULTILINE)[0]
            minutes = [int(n) for n in re.findall(r"\d+", opening)]
            assert minutes == [loads[page]["reading"], loads[page]["doing"]]
            points = {
                n.partition(".")[2]: POINTS[find(n).asks_for] for n in names(page)
            }
            assert loads[page]["points"] == points
            assert loads[page]["widgets"], page

    def test_a_chapter_without_minutes_is_an_error(self, tmp_path, monkeypatch):
        (tmp_path / "t5.md").write_text(":tags: [stub]\n", encoding="utf-8")
        monkeypatch.setattr(make_notebooks, "BOOK", tmp_path)
        with pytest.raises(ValueError, match=r"book/t5.md must say how long it takes"):
            make_notebooks.workload()

    def test_four_weeks_add_up(self):
        *rows, total = cells(course.weeks("four weeks"))
        assert [row[0] for row in rows] == ["1", "2", "3", "4"]
        assert rows[0][1:3] == [
            "{doc}`attention`, {doc}`sinusoidal`",
            "`ShuffledAttention`, `BitsAndSines`, `ClosedCurve`, `EncodingHeatmap`",
        ]
        assert total[1] == f"**{sum(row[1].count('{doc}') for row in rows)}**"
        assert total[2] == f"**{sum(row[2].count('`') // 2 for row in rows)}**"
        for column in range(3, 7):
            parts = [int(row[column]) for row in rows]
            assert total[column] == f"**{sum(parts)}**"
        minutes = (rows[2][3], rows[2][5])
        rope, rotation = (data.load("workload")[page] for page in ("rope", "rotation"))
        assert minutes == tuple(
            str(rope[kind] + rotation[kind]) for kind in ("reading", "doing")
        )
        exercises = [
            find(name) for page in ("rope", "rotation") for name in names(page)
        ]
        assert rows[2][4] == str(len(exercises))
        assert rows[2][6] == str(sum(POINTS[e.asks_for] for e in exercises))

    def test_the_lecture_fills_its_time(self):
        rows = cells(course.lecture())
        assert [row[0].partition("–")[0] for row in rows][:2] == ["0", "15"]
        assert rows[-1][0].endswith("–90")
        assert rows[1][2] == "`BitsAndSines`"
        points = [POINTS[find(name).asks_for] for name in course.HOMEWORK]
        assert str(course.homework()).endswith(f": {sum(points)} points in all.")

    def test_an_unknown_plan_is_an_error(self):
        with pytest.raises(ValueError, match=r"plan must be one of .*, got 'a year'"):
            course.weeks("a year")

    def test_widgets_are_those_of_the_package(self):
        for page, load in data.load("workload").items():
            for name in load["widgets"]:
                files = Path(widgets.__file__).parent.glob("*.py")
                assert any(f"class {name}(" in f.read_text("utf-8") for f in files), (
                    page
                )

    def test_graded_submissions_are_shown_by_kind(self):
        results = data.load("bench_classroom")["results"]
        rows = cells(course.graded())
        assert sum(int(row[1]) for row in rows) == results["submissions"] == 30
        assert rows[0] == ["all solved", "7", f"{results['highest']:g}"]


class TestPage:
    def test_every_chapter_of_a_term_has_a_question_and_a_mistake(self):
        text = text_of("teaching").partition("(teaching-questions)=")[2]
        entry = r"^\{doc\}`(\w+)`\n: \*\*Ask:\*\* .*?\n: \*\*Expect:\*\* "
        asked = re.findall(entry, text, re.MULTILINE | re.DOTALL)
        assert asked == chapters_of_a_term()

    def test_time_limits_are_those_of_the_course_and_of_check(self):
        text = text_of("teaching")
        limit = re.search(r"timeout = (\d+)", CONFIG)[1]
        assert f"interrupted after {limit} seconds" in text
        assert inspect.signature(check).parameters["time_limit"].default == 10
        assert "after ten seconds for all its calls" in text


def chapters_of_a_term():
    """Pages of the longest plan that have exercises."""
    return [page for pages in course.WEEKS["term"] for page in pages if names(page)]
