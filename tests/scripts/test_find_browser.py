import subprocess
import sys

import find_browser
import pytest


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """A machine without a browser, and nobody who may install one."""
    monkeypatch.delenv("POSENC_BROWSER", raising=False)
    for name in ("PATH", "PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr(find_browser, "MAC_APPS", ())
    monkeypatch.setattr(find_browser, "can_install", lambda: False)
    monkeypatch.setattr(sys, "argv", ["find_browser.py", "--install"])
    return tmp_path


def program(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o755)
    return path


def test_none_is_found_on_a_bare_machine(bare):
    assert find_browser.find_browser() is None


@pytest.mark.parametrize("name", ["chromium", "google-chrome", "microsoft-edge"])
def test_browsers_on_the_search_path(bare, name):
    wanted = program(bare / name)
    assert find_browser.find_browser() == wanted


def test_chromium_comes_before_others(bare):
    program(bare / "msedge")
    wanted = program(bare / "chromium")
    assert find_browser.find_browser() == wanted


@pytest.mark.parametrize("name", find_browser.WINDOWS_PROGRAMS)
def test_browsers_among_the_programs_of_windows(bare, name):
    wanted = program(bare / name)
    assert find_browser.find_browser() == wanted


def test_browsers_among_the_applications_of_macos(bare, monkeypatch):
    monkeypatch.setattr(find_browser, "MAC_APPS", ("Chromium.app/Contents/Chromium",))
    wanted = program(bare / "Applications" / find_browser.MAC_APPS[0])
    assert find_browser.find_browser() == wanted


def test_the_variable_decides(bare, monkeypatch):
    program(bare / "chromium")
    wanted = program(bare / "elsewhere" / "my browser")
    monkeypatch.setenv("POSENC_BROWSER", str(wanted))
    assert find_browser.find_browser() == wanted


def test_the_variable_has_to_name_a_file(bare, monkeypatch):
    monkeypatch.setenv("POSENC_BROWSER", str(bare / "nothing"))
    with pytest.raises(
        FileNotFoundError, match=r"POSENC_BROWSER must be .* got .*nothi"
    ):
        find_browser.find_browser()


def test_a_missing_browser_fails_and_says_what_to_do(bare, capsys):
    assert find_browser.main() == 1
    assert "apt-get install chromium" in capsys.readouterr().err


def test_a_missing_browser_is_installed_where_that_is_possible(bare, monkeypatch):
    commands = []

    def run(command, **_):
        commands.append(command[:2])
        if command[1] == "install":
            program(bare / command[-1])

    monkeypatch.setattr(find_browser, "can_install", lambda: True)
    monkeypatch.setattr(subprocess, "run", run)
    assert find_browser.main() == 0
    assert commands == [["apt-get", "update"], ["apt-get", "install"]]
    commands.clear()
    assert find_browser.main() == 0
    assert commands == []


def test_a_failed_installation_is_no_success(bare, monkeypatch, capsys):
    def run(command, **_):
        raise subprocess.CalledProcessError(100, command)

    monkeypatch.setattr(find_browser, "can_install", lambda: True)
    monkeypatch.setattr(subprocess, "run", run)
    assert find_browser.main() == 1
    assert "apt-get" in capsys.readouterr().err
