"""The image for a hub: what can be said of it without building it."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILE = ROOT / "Containerfile"
HADOLINT = Path(sys.executable).with_name("hadolint")
TEXT = re.sub(r"\\\n\s*", "", FILE.read_text("utf-8"))


def lines(instruction):
    """What follows each such instruction, as one line."""
    return re.findall(rf"^{instruction} (.*)$", TEXT, re.MULTILINE)


def pinned():
    """Versions by package, of the files that the image takes them from."""
    files = (ROOT / "requirements.txt", ROOT / "tests/requirements-peers.txt")
    text = "\n".join(file.read_text("utf-8") for file in files)
    return dict(re.findall(r"^([\w.-]+)==(\S+)$", text, re.MULTILINE))


def hadolint(file):
    done = subprocess.run(
        [HADOLINT, "--no-color", file], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


def test_hadolint_finds_nothing():
    assert hadolint(FILE) == (0, "")


def test_hadolint_finds_something_elsewhere(tmp_path):
    (tmp_path / "Containerfile").write_text("FROM python\nRUN pip install numpy\n")
    status, said = hadolint(tmp_path / "Containerfile")
    assert status == 1
    assert "DL3006" in said  # no version of the base
    assert "DL3013" in said  # nor of the package


def test_nobody_works_as_root():
    assert lines("USER") == ["1000"]


def test_the_base_has_the_python_of_the_book():
    (base,) = lines("FROM")
    version = re.fullmatch(r"python:(\d+\.\d+)\.\d+-slim-\w+", base)[1]
    assert version in re.search(r'requires-python = ">=([\d.]+)"', PROJECT)[1]


def test_what_is_installed_has_its_version_from_the_requirements():
    installs = [step for step in lines("RUN") if "pip install" in step]
    assert len(installs) == 2
    known = pinned()
    assert known["torch"] == "2.13.0"
    for step in installs:
        words = shlex.split(step.partition("pip install")[2])
        assert words[:2] == ["--constraint", "constraints.txt"]
        assert "requirements-peers.txt > constraints.txt" in installs[0]
        wanted = [word for word in words[2:] if re.fullmatch(r"[a-z]+", word)]
        assert [name for name in wanted if name not in known] == []


@pytest.mark.parametrize("line", lines("COPY"))
def test_what_is_copied_is_there_and_is_sent_to_the_builder(line):
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for name in line.split()[:-1]:
        assert (ROOT / name).exists()
        assert f"!{name}" in ignored


PROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
