"""Check the image for a hub without building it."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILE = ROOT / "Containerfile"
TEXT = re.sub(r"\\\n\s*", "", FILE.read_text("utf-8"))


def lines(instruction):
    """Return what follows each such instruction, as one line."""
    return re.findall(rf"^{instruction} (.*)$", TEXT, re.MULTILINE)


def test_hadolint_finds_nothing():
    program = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([program, "--no-color", FILE], capture_output=True)
    assert (done.returncode, done.stdout) == (0, b"")


def test_base_and_packages_have_the_versions_of_the_project():
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    (base,) = lines("FROM")
    version = re.fullmatch(r"python:(\d+\.\d+)\.\d+-slim-\w+", base)[1]
    assert version in re.search(r'requires-python = ">=([\d.]+)"', project)[1]
    files = (ROOT / "requirements.txt", ROOT / "tests/requirements-peers.txt")
    pinned = "\n".join(file.read_text("utf-8") for file in files)
    installs = [step for step in lines("RUN") if "pip install" in step]
    assert len(installs) == 2
    for step in installs:
        words = shlex.split(step.partition("pip install")[2])
        assert words[:2] == ["--constraint", "constraints.txt"]
        names = [word for word in words[2:] if re.fullmatch(r"[a-z]+", word)]
        assert [n for n in names if not re.search(rf"^{n}==", pinned, re.M)] == []


def test_copied_files_exist_and_are_sent_to_the_builder():
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for name in " ".join(line.rpartition(" ")[0] for line in lines("COPY")).split():
        assert (ROOT / name).exists()
        assert f"!{name}" in ignored
