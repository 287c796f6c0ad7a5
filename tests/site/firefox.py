"""Firefox, driven by WebDriver BiDi: Playwright drives only a Firefox of its own."""

import itertools
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import websocket

#: Nothing of the browser's own is asked for, and no first-run page is shown.
SETTINGS = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disablePrefetch": True,
    "network.proxy.type": 0,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
}


def find_firefox() -> str | None:
    """Return the path of a Firefox, or None."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """One tab of a browser that runs."""

    def __init__(self, address: str) -> None:
        self._socket = websocket.create_connection(
            f"{address}/session", timeout=120, suppress_origin=True
        )
        self._numbers = itertools.count()
        self.ask("session.new", capabilities={})
        (tab, *_) = self.ask("browsingContext.getTree")["contexts"]
        self._tab = tab["context"]

    def ask(self, method: str, **params: object) -> dict:
        """Send a command; give its result."""
        number = next(self._numbers)
        self._socket.send(
            json.dumps({"id": number, "method": method, "params": params})
        )
        while True:
            answer = json.loads(self._socket.recv())
            if answer.get("id") == number:
                if answer["type"] == "error":
                    raise RuntimeError(answer["message"])
                return answer["result"]

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def open(self, url: str) -> None:
        """Load a page to its end."""
        self.ask(
            "browsingContext.navigate", context=self._tab, url=url, wait="complete"
        )

    def run(self, code: str) -> str:
        """Run the body of an asynchronous function in the page; give its result."""
        found = self.ask(
            "script.evaluate",
            expression=f"(async () => {{ {code} }})()",
            target={"context": self._tab},
            awaitPromise=True,
        )
        if found["type"] == "exception":
            raise RuntimeError(found["exceptionDetails"]["text"])
        return found["result"].get("value")


@contextmanager
def launched(profile: Path) -> Iterator[Firefox]:
    """Start Firefox without a window, with an empty profile, and end it."""
    lines = (
        f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in SETTINGS.items()
    )
    (profile / "user.js").write_text("\n".join(lines), "utf-8")
    program = find_firefox()
    command = [program, "--headless", "--no-remote", "--profile", str(profile)]
    with subprocess.Popen(
        [*command, "--remote-debugging-port", "0"],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        encoding="utf-8",
    ) as process:
        try:
            found = (
                re.search(r"BiDi listening on (ws://\S+)", o) for o in process.stderr
            )
            address = next(filter(None, found))[1]
            # What it says later must not fill the pipe.
            threading.Thread(target=process.stderr.read, daemon=True).start()
            tab = Firefox(address)
            yield tab
            tab.close()
        finally:
            process.terminate()
            process.wait(30)
