"""Notebooks in the reader's browser: each runs to its end, and keeps its changes."""

import json
import re

import browsing
import build_lite
import notebook_checks
import pytest
from make_notebooks import chapters, solutions_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

#: Runs code in the notebook's own Python, and gives what it prints and shows.
ASK = """async (code) => {
  const { sessionContext } = window.jupyterapp.shell.currentWidget;
  await sessionContext.ready;
  const { kernel } = sessionContext.session;
  await kernel.info;
  const future = kernel.requestExecute({ code });
  let said = "";
  future.onIOPub = ({ content }) => {
    said += content.text ?? content.data?.["text/plain"] ?? content.evalue ?? "";
  };
  await future.done;
  return said;
}"""
#: Every code cell: its number, and what it shows.
CELLS = """() => [...window.jupyterapp.shell.currentWidget.content.model.cells]
  .filter((cell) => cell.type === "code")
  .map(({ executionCount, outputs, sharedModel }) =>
    [executionCount, outputs.toJSON(), sharedModel.source])"""

#: Runs the first code cell, which imports, and the first that makes a widget.
RUN_WIDGET = """async (name) => {
  const { commands, shell } = window.jupyterapp;
  const { content } = shell.currentWidget;
  const codes = content.widgets.filter(({ model }) => model.type === "code");
  const made = codes.find(({ model }) =>
    model.sharedModel.source.endsWith(`${name}()`));
  for (const cell of [codes[0], made]) {
    content.activeCellIndex = content.widgets.indexOf(cell);
    await commands.execute("notebook:run-cell");
  }
}"""

#: Every cell is to be there, not only those in sight.
SHOW_ALL = """() => {
  const { content } = window.jupyterapp.shell.currentWidget;
  content.notebookConfig = { ...content.notebookConfig, windowingMode: "none" };
}"""

#: What stands right below the upper edge, and the cell that the next key would change.
SEEN = """() => {
  const { content } = window.jupyterapp.shell.currentWidget;
  const { top, height } = content.outerNode.getBoundingClientRect();
  const { activeCell, activeCellIndex, widgets } = content;
  const asked = widgets[activeCellIndex - 1]?.node.getBoundingClientRect().top - top;
  return [activeCell.model.sharedModel.source, asked / height];
}"""

#: The first code cell is edited. Cells out of sight are not in the page at all, so the
#: first of those in the page may be any other.
EDIT_FIRST = """async () => {
  const { content } = window.jupyterapp.shell.currentWidget;
  const first = content.widgets.findIndex(({ model }) => model.type === "code");
  await content.scrollToItem(first);
  content.activeCellIndex = first;
  content.mode = "edit";
}"""

#: Before a notebook is opened again: button and frame are the same ones afterward.
MARK = "() => { window.isOld = true; }"
OPENED_AGAIN = """() => !document.querySelector("#run").disabled &&
  document.querySelector("iframe")?.contentWindow.isOld === undefined"""


@pytest.fixture(scope="module")
def lite(site):
    """Address of ``run.html``."""
    if not build_lite.is_current():
        pytest.fail(
            f"{build_lite.LITE} is missing, or was built from other sources than are "
            "here now: run `python scripts/build_book.py`",
            pytrace=False,
        )
    pyodide = json.loads(build_lite.STAMP.read_text("utf-8"))["pyodide"]
    if "makers' servers" in pyodide:
        pytest.skip(pyodide)
    return site.http + "lite/run.html"


class Notebook:
    """A chapter's notebook in a page of its own."""

    def __init__(self, context, lite, slug):
        self.site = lite.removesuffix("lite/run.html")
        self.page = context.new_page()
        self.record = browsing.Record()
        self.record.watch(self.page)
        self.open(f"{lite}?notebook={slug}")

    def open(self, url=None):
        """Open it, or reload it; wait until it is shown."""
        self.page.goto(url) if url else self.page.reload()
        self.page.locator("#run:enabled").wait_for()
        self.inside = self.page.locator("iframe")
        self.frame = self.inside.element_handle().content_frame()

    def run_all(self):
        """Press the button; give all code cells once the last one has run."""
        self.page.click("#run")
        self.frame.wait_for_function(f"({CELLS})().every(([number]) => number)")
        return self.frame.evaluate(CELLS)

    def ask(self, code):
        return self.frame.evaluate(ASK, code)

    def write(self, line):
        """Type a line at the end of the first code cell."""
        self.frame.evaluate(EDIT_FIRST)
        self.page.keyboard.press("Control+End")
        self.page.keyboard.type(f"\n{line}")
        assert line in self.frame.evaluate(CELLS)[0][2]

    def foreign(self):
        own = (self.site, "data:", "blob:", self.site.replace("http", "ws"))
        return [url for url in self.record.requests if not url.startswith(own)]


@pytest.fixture(scope="module")
def open_notebook(browser, lite):
    """Open a notebook as a reader who comes back: all share one browser's storage."""
    context = browsing.new_context(browser, viewport={"width": 1280, "height": 900})
    yield lambda slug: Notebook(context, lite, slug)
    context.close()


@pytest.mark.parametrize("slug", chapters())
def test_notebook_runs_to_its_end(open_notebook, slug):
    notebook = open_notebook(slug)
    try:
        cells = notebook.run_all()
        outputs = [output for _, shown, _ in cells for output in shown]
        wrong = [
            output
            for output in outputs
            if output["output_type"] == "error" or output.get("name") == "stderr"
        ]
        assert wrong == []
        assert any(output.get("name") == "stdout" for output in outputs)
        figures = sum(
            "pe-figure" in str(output.get("data", {}).get("text/html"))
            for output in outputs
        )
        assert figures
        assert notebook.inside.content_frame.locator(".pe-widget").count()
        notebook.frame.evaluate(SHOW_ALL)
        assert notebook_checks.problems(notebook.frame, figures, slug) == []
        for _, shown, source in cells:
            if source.startswith("%%needs_torch"):
                assert "so this cell is skipped" in shown[0]["text"]
        assert any("not answered yet" in json.dumps(output) for output in outputs)
        assert notebook.foreign() == []
    finally:
        notebook.page.close()


@pytest.fixture(scope="module")
def t5(open_notebook):
    notebook = open_notebook("t5")
    yield notebook
    notebook.page.close()


def test_a_widget_and_python_move_each_other(t5):
    t5.frame.evaluate(RUN_WIDGET, "BucketTable")
    root = t5.inside.content_frame.locator(".pe-widget:has([data-key=q_len])").first
    root.scroll_into_view_if_needed()
    root.locator("canvas").first.wait_for()
    t5.ask(
        "import ipywidgets\n"
        "from posenc.t5.widgets import BucketTable\n"
        "(widget,) = [w for w in ipywidgets.widgets.widget._instances.values()"
        " if isinstance(w, BucketTable)]"
    )
    before = int(t5.ask("print(widget.q_len)"))
    root.locator("[data-key=q_len]").press("ArrowUp")
    assert int(t5.ask("print(widget.q_len)")) == before + 1
    t5.ask("widget.q_len = 5")
    root.locator('[data-key=q_len][aria-valuetext="5"]').wait_for()


def test_a_right_answer_passes_and_a_wrong_one_is_explained(t5):
    t5.ask("from posenc.exercises import check, progress\nimport posenc")
    name = '"t5.relative_position_bucket"'
    own = t5.ask(f"print(check({name}, posenc.t5.relative_position_bucket))")
    assert "That is our own function" in own
    solution = solutions_of("t5")["t5-ex-bucket"]  # which checks itself
    right = t5.ask(f"import numpy as np\n{solution}")
    assert right.startswith("✓ ")
    assert "ran here, not in a process of its own" in right
    wrong = t5.ask(
        "def turned(r, **more):\n"
        "    return relative_position_bucket(-np.asarray(r), **more)\n"
        f"print(check({name}, turned))"
    )
    assert wrong.startswith("✗ ")
    assert "The two directions are swapped" in wrong


def test_work_and_progress_are_kept_and_can_be_started_again(t5):
    t5.write("# my own words")
    t5.frame.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    with t5.page.expect_download() as found:
        t5.page.click("#download")
    assert "# my own words" in found.value.path().read_text("utf-8")

    t5.open()
    assert "# my own words" in t5.frame.evaluate(CELLS)[0][2]
    assert "your own copy" in t5.page.locator("#kept").inner_text()
    assert not t5.page.locator("#message").is_visible()
    kept = t5.ask('from posenc.exercises import progress\nprint(progress("t5"))')
    assert re.search(r"relative_position_bucket +✓ passed", kept)

    t5.frame.evaluate(MARK)
    t5.page.click("#again")
    t5.page.locator("#sure button[value=again]").click()
    t5.page.wait_for_function(OPENED_AGAIN)
    t5.open()
    assert "# my own words" not in t5.frame.evaluate(CELLS)[0][2]


def test_it_opens_at_an_exercise(t5, lite):
    t5.open(f"{lite}?notebook=t5&exercise=t5.relative_position_bucket")
    t5.frame.wait_for_function(
        f"() => {{ const [source, top] = ({SEEN})();"
        " return source.startsWith('def relative_position_bucket') &&"
        " top > -0.1 && top < 0.4; }",
    )
    t5.open(f"{lite}?notebook=t5")


#: Waits until the notebooks keep progress.
PROGRESS_IS_THERE = """async () => {
  const { contents } = window.jupyterapp.serviceManager;
  const isThere = () =>
    contents.get("posenc-progress.jsonl").then(() => true, () => false);
  while (!(await isThere())) await new Promise((done) => setTimeout(done, 100));
}"""
#: A check that passed on a page, as the page keeps it.
SOLVED = {
    "version": 1,
    "time": "2026-01-01T12:00:00+00:00",
    "exercise": "alibi.linear_bias",
    "passed": True,
    "seed": 0,
}


def test_pages_and_notebooks_share_progress_until_it_is_deleted(browser, lite, site):
    context = browsing.new_context(browser)
    page = context.new_page()
    page.goto(f"{site.http}solve/progress.html")
    page.evaluate(
        "(line) => localStorage.setItem('posenc-progress', `${line}\\ndamaged\\n`)",
        json.dumps(SOLVED),
    )
    notebook = Notebook(context, lite, "alibi")
    notebook.frame.evaluate(PROGRESS_IS_THERE)
    ask = 'from posenc.exercises import check, progress\nprint(progress("alibi"))'
    kept = notebook.ask(ask)
    assert re.search(r"linear_bias +✓ passed", kept)
    assert "could not be read" not in kept
    notebook.ask('check("alibi.alibi_slopes", lambda n: [0.5] * n)')
    page.locator("#list").get_by_text("✗ not right yet, 1 check").wait_for()
    assert "✓ passed, 1 check" in page.locator("#list").inner_text()
    page.once("dialog", lambda dialog: dialog.accept())
    page.click("#delete")
    page.get_by_text("Everything is deleted").wait_for()
    assert "✓" not in notebook.ask(ask)  # which is still open
    notebook.open()
    assert "✗" not in notebook.ask(ask)
    assert page.evaluate("localStorage.getItem('posenc-progress')") is None
    context.close()
