"""Fixtures of the tests that drive a browser."""

import shutil
from types import SimpleNamespace

import pytest
from playwright.sync_api import sync_playwright

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        program = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser):
    pages = []

    def open_page(url, *, width=1280, height=800, dark=False, javascript=True):
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            java_script_enabled=javascript,
        )
        page = context.new_page()
        record = SimpleNamespace(requests=[], errors=[])
        page.on("request", lambda request: record.requests.append(request.url))
        page.on("console", lambda message: record.errors.append(message.text))
        page.on("pageerror", lambda error: record.errors.append(str(error)))
        page.record = record
        page.goto(url)
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.context.close()
