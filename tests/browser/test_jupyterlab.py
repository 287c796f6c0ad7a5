"""The T5 widget in JupyterLab: live, in step with Python in both directions."""

import contextlib
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import numpy as np
import pytest
from playwright.sync_api import TimeoutError

from posenc import t5
from posenc._arrays import relative_positions

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
CELLS = (
    "from posenc.widgets.t5 import BucketTable\n\nwidget = BucketTable()\nwidget",
    "with widget.hold_trait_notifications():\n"
    "    widget.num_buckets, widget.bidirectional = 32, False",
    "print('Python has', widget.q_len, widget.max_distance, widget.view)",
    "widget.max_distance = 8",
    "widget",
)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    """Address of a notebook with `CELLS` in a JupyterLab of its own."""
    folder = tmp_path_factory.mktemp("lab")
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    content = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(content, folder / "widget.ipynb")
    port = free_port()
    options = {
        "--ServerApp.port": port,
        "--ServerApp.port_retries": 0,
        "--ServerApp.root_dir": folder,
        "--IdentityProvider.token": "",
        "--LabApp.news_url": "None",
        "--LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
    }
    places = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    environment = {name: str(folder / name) for name in (*places, "IPYTHONDIR")}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    with (folder / "log.txt").open("w") as log:
        server = subprocess.Popen(
            [*command, *(f"{name}={value}" for name, value in options.items())],
            env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **environment},
            cwd=folder,
            stdout=log,
            stderr=log,
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/api", server, folder / "log.txt")
            yield f"http://127.0.0.1:{port}/doc/tree/widget.ipynb"
        finally:
            server.terminate()
            server.wait(timeout=30)


def wait_for(address, server, log, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end and server.poll() is None:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(address, timeout=5).close()
            return
        time.sleep(0.3)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()}", pytrace=False)


def run(page, index):
    """Run one cell, and wait until its number says that it is done."""
    cell = page.locator(".jp-CodeCell").nth(index)
    prompt = cell.locator(".jp-InputArea-prompt").first
    started = prompt.filter(has_text=re.compile(r"\[[*\d]+\]"))
    for _ in range(10):  # JupyterLab drops the keys while it connects to the kernel
        cell.locator(".cm-content").first.click()
        page.keyboard.press("Shift+Enter")
        with contextlib.suppress(TimeoutError):
            started.wait_for(timeout=6_000)
            break
    prompt.filter(has_text=re.compile(r"\[\d+\]")).wait_for()
    return cell


def diagonals(root):
    return [int(b) for b in root.get_attribute("data-buckets").split(" ")]


def expected(q_len, k_len, **setting):
    positions = np.arange(-(q_len - 1), k_len)
    return t5.relative_position_bucket(positions, **setting).tolist()


def test_widget_lives_in_jupyterlab(notebook, open_page):
    page = open_page(notebook)
    page.set_default_timeout(60_000)
    page.locator(".jp-Notebook").wait_for()
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").first.wait_for()

    first = run(page, 0)
    root = first.locator(".pe-widget")
    root.locator("canvas").first.wait_for()
    page.wait_for_function("document.querySelector('.pe-widget').dataset.buckets")
    assert diagonals(root) == expected(16, 16, num_buckets=16)

    # From Python to the page.
    run(page, 1)
    root.locator('[data-key=num_buckets][aria-valuetext="32"]').wait_for()
    setting = {"num_buckets": 32, "bidirectional": False}
    page.wait_for_function(
        "document.querySelector('.pe-facts').textContent.includes('causal')"
    )
    assert diagonals(root) == expected(16, 16, **setting)

    # From the page to Python; the arrow keys are the slider's, not the notebook's.
    root.locator("[data-key=q_len]").focus()
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    root.locator("[data-key=view]").select_option("biases (made up)")
    output = run(page, 2).locator(".jp-OutputArea-output")
    assert output.inner_text().strip() == "Python has 19 128 bias"
    assert diagonals(root) == expected(19, 16, **setting)

    # The pictures have their keys, too.
    root.locator("canvas").first.focus()
    for key in ("PageUp", "Home", "ArrowRight", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    words = root.locator(".pe-readout").inner_text()
    assert words.startswith("query 2, key 1: relative position −1 → bucket 1")
    assert relative_positions(3, 3)[2, 1] == -1

    # A setting without buckets is refused, in the words of posenc.t5.
    output = run(page, 3).locator(".jp-OutputArea-output")
    assert "max_distance must be an integer of at least 17" in output.inner_text()
    assert diagonals(root) == expected(19, 16, **setting)

    # A second view of the same widget stays in step with the first.
    second = run(page, 4).locator(".pe-widget")
    second.locator("canvas").first.wait_for()
    second.locator("[data-key=k_len]").press("Home")
    root.locator('[data-key=k_len][aria-valuetext="1"]').wait_for()
    assert diagonals(root) == diagonals(second) == expected(19, 1, **setting)
