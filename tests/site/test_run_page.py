"""run.html reports what it cannot load; JupyterLite itself is not needed for that."""

import json
import shutil

import browsing
import build_lite
import pytest

pytestmark = pytest.mark.browser

NO_STORAGE = """Object.defineProperty(IDBFactory.prototype, "databases", {
  value: () => Promise.reject(new DOMException("blocked", "SecurityError")),
});"""


#: JupyterLite with an edited notebook, as far as the page looks at it.
OPEN = """window.jupyterapp = {
  commands: { hasCommand: () => false },
  shell: { currentWidget: { context: {
    isReady: true,
    model: { toJSON: () => ({ cells: ["mine"] }) },
  } } },
}"""


@pytest.fixture
def address(tmp_path):
    """Address of run.html for a notebook, on a site without JupyterLite."""
    for path in build_lite.PARTS.glob("run.*"):
        shutil.copy(path, tmp_path)
    for name in ("notebooks.mjs", "store.mjs"):
        shutil.copy(build_lite.SOLVE / name, tmp_path)
    (tmp_path / "editions.json").write_text('{"alibi": "1"}')
    for name in ("files/alibi.ipynb", "notebooks/index.html"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text('{"cells": []}')
    with browsing.served(tmp_path) as site:
        yield f"{site}run.html?notebook=alibi"


@pytest.fixture
def page(browser):
    context = browsing.new_context(browser)
    page = context.new_page()
    page.record = browsing.Record()
    page.record.watch(page)
    yield page
    context.close()


def downloaded(page, button):
    """The notebook that a click downloads."""
    with page.expect_download() as download:
        button.click()
    return json.loads(download.value.path().read_text("utf-8"))


def script_errors(page):
    return [error for error in page.record.errors if error.startswith("script error")]


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (lambda route: route.abort(), "The list of notebooks did not come."),
        (lambda route: route.fulfill(status=404), "The list of notebooks did not"),
        (lambda route: None, "Python has not come within 0.1 seconds."),
    ],
    ids=["no answer", "no list", "hangs"],
)
def test_run_page_without_editions_offers_another_try(page, address, answer, problem):
    page.add_init_script("window.posencPatience = 0.1")
    page.route("**/editions.json", answer)
    page.goto(address)
    message = page.locator("#message")
    message.get_by_text(problem).wait_for()
    link = message.get_by_role("link", name="download the notebook")
    assert downloaded(page, link) == {"cells": []}
    page.unroute("**/editions.json")
    message.get_by_role("button", name="Try again").click()
    page.locator("iframe").wait_for()
    assert script_errors(page) == []


def test_run_page_without_storage_opens_the_notebook(page, address):
    page.add_init_script(NO_STORAGE)
    page.goto(address)
    page.locator("iframe").wait_for()
    assert "may not keep your work" in page.locator("#kept").inner_text()
    assert downloaded(page, page.locator("#download")) == {"cells": []}
    page.frames[1].evaluate(OPEN)
    assert downloaded(page, page.locator("#download")) == {"cells": ["mine"]}
    page.click("#again")
    page.locator("#sure button[value=again]").click()
    page.locator("#message").get_by_text("does not let the page delete").wait_for()
    page.wait_for_function(
        "() => { const frame = document.querySelector('iframe');"
        " return frame && !frame.contentWindow.jupyterapp; }"
    )
    assert script_errors(page) == []
