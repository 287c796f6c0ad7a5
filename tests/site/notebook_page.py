"""A JupyterLab of the tests' own, and cells of its notebooks."""

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import TimeoutError

ROOT = Path(__file__).parents[2]

#: Every cell of a long notebook is to be there, not only those in sight; and a test
#: that saves is not to meet the application doing the same.
SETTINGS = {
    "notebook-extension/tracker": {"windowingMode": "none"},
    "docmanager-extension/plugin": {"autosave": False},
}


def write_notebook(path, sources):
    """Notebook with a code cell for each of `sources`."""
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    content = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(content, path)


@contextlib.contextmanager
def served(folder):
    """Run JupyterLab in `folder`; give the address before a notebook's name."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    for name, values in SETTINGS.items():
        path = folder / f"settings/@jupyterlab/{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(values))
    options = {
        "--ServerApp.port": port,
        "--ServerApp.port_retries": 0,
        "--ServerApp.root_dir": folder,
        "--IdentityProvider.token": "",
        "--LabApp.expose_app_in_browser": True,
        "--JupyterNotebookApp.expose_app_in_browser": True,
        "--LabApp.news_url": "None",
        "--LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
        "--LabApp.user_settings_dir": folder / "settings",
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
            _wait_for(f"http://127.0.0.1:{port}/api", server, folder / "log.txt")
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.terminate()
            server.wait(timeout=30)


def _wait_for(address, server, log, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end and server.poll() is None:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(address, timeout=5).close()
            return
        time.sleep(0.3)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()}", pytrace=False)


def ready(page):
    """Wait until the notebook is there, and its kernel has nothing to do."""
    page.locator(".jp-Notebook").wait_for()
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").first.wait_for()
    return page


def run(page, index):
    """Run one cell, and wait until its number says that it is done."""
    cell = page.locator(".jp-CodeCell").nth(index)
    prompt = cell.locator(".jp-InputArea-prompt").first
    started = prompt.filter(has_text=re.compile(r"\[[*\d]+\]"))
    ended = prompt.filter(has_text=re.compile(r"\[\d+\]"))
    # JupyterLab drops the keys while it connects to the kernel. Once a first cell was
    # never done, perhaps since it was sent meanwhile: so a cell is run again.
    for _ in range(10):
        with contextlib.suppress(TimeoutError):
            cell.locator(".cm-content").first.click(timeout=6_000)
            page.keyboard.press("Shift+Enter")
            started.wait_for(timeout=6_000)
            ended.wait_for(timeout=80_000)
            break
    else:
        ended.wait_for(timeout=6_000)
    return cell


def output(cell):
    """What a cell has printed, or the error that it ended with."""
    return cell.locator(".jp-OutputArea-output").inner_text().strip()
