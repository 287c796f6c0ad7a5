"""A browser is found where readers have one, or installed."""

import sys

import find_browser
import pytest

WINDOWS = find_browser.WINDOWS_PROGRAMS
MAC = "Chromium.app/Contents/Chromium"


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """A machine without a browser, and no right to install one."""
    monkeypatch.delenv("POSENC_BROWSER", raising=False)
    for name in ("PATH", "PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr(find_browser, "MAC_APPS", (MAC,))
    monkeypatch.setattr(find_browser, "can_install", lambda: False)
    monkeypatch.setattr(sys, "argv", ["find_browser.py", "--install"])
    return tmp_path


def program(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o755)
    return path


@pytest.mark.parametrize(
    "name",
    ["chromium", "google-chrome", "microsoft-edge", *WINDOWS, f"Applications/{MAC}"],
)
def test_find_browser_knows_where_programs_are(bare, name):
    assert find_browser.find_browser() is None
    wanted = program(bare / name)
    assert find_browser.find_browser() == wanted


def test_find_browser_prefers_the_variable_to_chromium_to_others(bare, monkeypatch):
    program(bare / "msedge")
    wanted = program(bare / "chromium")
    assert find_browser.find_browser() == wanted
    wanted = program(bare / "elsewhere" / "my browser")
    monkeypatch.setenv("POSENC_BROWSER", str(wanted))
    assert find_browser.find_browser() == wanted
    wanted.unlink()
    with pytest.raises(FileNotFoundError, match=r"POSENC_BROWSER must be .* got .*my"):
        find_browser.find_browser()
