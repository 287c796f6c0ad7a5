"""What is still to be set is said, and what contradicts the version."""

import re
import shutil
from pathlib import Path

import publish_check
import pytest

import posenc

URL, SITE = "https://github.com/an/atlas", "https://an.github.io/atlas/"
COPIED = ("_config.yml", "pyproject.toml", "CITATION.cff", "CHANGELOG.md")
README = "[a](https://a.org) [e](#e) ![b\nc](b/c.png) [d](d.md) [more](d.md#e)"


@pytest.fixture
def root(tmp_path):
    """A copy of what is asked, without any address."""
    for name in (*COPIED, "src/posenc/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(publish_check.ROOT / name, tmp_path / name)
    (tmp_path / "README.md").write_text(README)
    without(tmp_path / "_config.yml", r"(?<=^  url: ).*$", '""')
    without(tmp_path / "_config.yml", r"(?<=^  baseurl: ).*$", '""')
    without(tmp_path / "pyproject.toml", r"\[project\.urls\]\n(?:.+\n)*\n")
    without(tmp_path / "CITATION.cff", r"^(?:url|repository-code): .*\n")
    return tmp_path


def without(file, pattern, instead=""):
    text = re.sub(pattern, instead, file.read_text("utf-8"), flags=re.MULTILINE)
    file.write_text(text, "utf-8")


def change(root, name, old, new, *, found=None):
    file = Path(root, name)
    text = file.read_text("utf-8")
    assert found is None or (old in text) == found
    file.write_text(text.replace(old, new), "utf-8")


def set_addresses(root, site=SITE):
    change(root, "_config.yml", '  url: ""', f'  url: "{URL}"', found=True)
    change(root, "_config.yml", 'baseurl: ""', f'baseurl: "{site}"', found=True)


def set_copies(root):
    urls = f'Homepage = "{SITE}"\nSource = "{URL}"\nIssues = "{URL}/issues"\n'
    table = f"[project.urls]\n{urls}\n[build-system]"
    change(root, "pyproject.toml", "[build-system]", table, found=True)
    with (root / "CITATION.cff").open("a", encoding="utf-8") as file:
        file.write(f"url: {SITE}\nrepository-code: {URL}\n")
    change(root, "README.md", "](b/", f"]({URL}/raw/main/b/", found=True)
    change(root, "README.md", "](d.md", f"]({URL}/blob/main/d.md", found=True)


def test_addresses_are_missing_until_all_files_repeat_them(root):
    assert len(publish_check.unset(root)) == 10
    set_addresses(root)
    said = publish_check.unset(root)
    assert [line.partition(", ")[0] for line in said] == [
        f"pyproject.toml: [project.urls]: Homepage must be {SITE}",
        f"pyproject.toml: [project.urls]: Source must be {URL}",
        f"pyproject.toml: [project.urls]: Issues must be {URL}/issues",
        f"CITATION.cff: url must be {SITE}",
        f"CITATION.cff: repository-code must be {URL}",
        f"README.md: b/c.png must be {URL}/raw/main/b/c.png",
        f"README.md: d.md must be {URL}/blob/main/d.md",
        f"README.md: d.md#e must be {URL}/blob/main/d.md#e",
    ]
    set_copies(root)
    assert publish_check.unset(root) == []
    change(root, "CITATION.cff", URL, "https://github.com/an/other")
    assert len(publish_check.unset(root)) == 1


def test_a_version_or_day_that_others_contradict_is_noticed(root):
    assert publish_check.contradictions() == []
    assert publish_check.version() == posenc.__version__
    change(root, "CITATION.cff", "date-released: 20", "date-released: 19", found=True)
    line = f'__version__ = "{posenc.__version__}"'
    change(root, "src/posenc/__init__.py", line, '__version__ = "9.1.0"', found=True)
    version, day, changes = publish_check.contradictions(root)
    assert version.startswith("CITATION.cff: version must be 9.1.0")
    assert day.startswith("CITATION.cff: date-released must be 20")
    assert "CHANGELOG.md must have the heading '## 9.1.0 - " in changes


def test_a_tag_must_be_the_version_and_leave_nothing_unreleased(root):
    change(root, "CHANGELOG.md", "## Unreleased\n", "## Old\n")
    now = posenc.__version__
    assert publish_check.contradictions(root, f"v{now}") == []
    (said,) = publish_check.contradictions(root, now)
    assert said == f"the tag must be v{now}, got {now!r}"
    change(root, "CHANGELOG.md", "## Old\n", "## Unreleased\n", found=True)
    (said,) = publish_check.contradictions(root, f"v{now}")
    assert "belongs under the version" in said
    without(
        root / "CHANGELOG.md", rf"(?s)(?<=## Unreleased\n).*(?=## {re.escape(now)})"
    )
    assert publish_check.contradictions(root, f"v{now}") == []
