"""An exercise on a page of the site, as tests use it."""

import browsing

#: Replaces what is in an editor, whichever it is.
SELECT_ALL = "ControlOrMeta+a"


class Desk:
    """One exercise of an open page."""

    def __init__(self, page, exercise):
        self.page = page
        self.box = page.locator(f'.pe-answer[data-exercise="{exercise}"]')
        self.shown = self.box.locator(".pe-shown")
        self.state = self.box.locator(".pe-state")

    def press(self, action):
        self.box.locator(f"button[data-do={action}]").click()

    def wait(self):
        """Wait until Python has answered."""
        self.page.wait_for_function(
            "(box) => box.dataset.state === 'idle' && box.querySelector('.pe-shown')"
            ".childElementCount > 0",
            arg=self.box.element_handle(),
        )
        return self.shown.inner_text()

    def write(self, code):
        """Put code into the editor, as from the clipboard."""
        if self.box.locator("button[data-do=edit]").is_visible():
            self.press("edit")
        editor = self.box.locator(".cm-content, textarea").first
        editor.click()
        self.page.keyboard.press(SELECT_ALL)
        self.page.keyboard.press("Delete")
        self.page.keyboard.insert_text(code)

    def ask(self, action, code=None):
        """Write code, press a button, and give what is shown then."""
        if code is not None:
            self.write(code)
        self.shown.evaluate("(shown) => shown.replaceChildren()")
        self.press(action)
        return self.wait()


def opened(browser, site, slug="t5", **settings):
    """Open a chapter; `page.record` notes requests and errors."""
    return browsing.open_page(browser, f"{site}book/{slug}.html", **settings)
