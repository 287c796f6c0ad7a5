"""List the settings that are missing before the book can be published.

``python scripts/publish_check.py`` lists it, each with its file and the remedy,
and ends with 1 if there is something. With ``--tag v1.2.0`` it also asks whether that
tag fits the version, as the workflow does that releases the package.
"""

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml
from launch_buttons import repository
from markdown_it import MarkdownIt
from sphinx.errors import ConfigError

ROOT = Path(__file__).parent.parent
_VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)


def version(root: Path = ROOT) -> str:
    """Return the version of the book and its package, from its one definition.

    Raises
    ------
    ValueError
        If that file has no such line.
    """
    file = root / "src/posenc/__init__.py"
    match = _VERSION.search(file.read_text("utf-8"))
    if not match:
        msg = f'{file} must have a line such as __version__ = "1.2.0", got none'
        raise ValueError(msg)
    return match[1]


def unset(root: Path = ROOT) -> list[str]:
    """List addresses that are missing or contradict each other, and what to write."""
    config = yaml.safe_load((root / "_config.yml").read_text("utf-8"))
    site = config["html"].get("baseurl") or ""
    return [
        *_addresses(config, site),
        *_copies(root, config["repository"]["url"], site),
        *_relative_links(root, config["repository"]),
    ]


def _addresses(config: dict[str, Any], site: str) -> Iterator[str]:
    """Yield what is wrong with the two addresses in ``_config.yml``."""
    try:
        if repository(config["repository"]) is None:
            yield (
                "_config.yml: repository: url is empty: write the address of the "
                "public repository, https://github.com/OWNER/NAME"
            )
    except ConfigError as error:
        yield str(error)
    if not re.fullmatch(r"https://[^/\s]+/(?:[^?#\s]*/)?", site):
        yield (
            "_config.yml: html: baseurl must be the address of the site, which begins "
            f"with https:// and ends with a slash, got {site!r}"
        )


def _copies(root: Path, url: str, site: str) -> Iterator[str]:
    """List files for other programs that do not repeat these addresses."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    urls = project.get("urls", {})
    issues = f"{url.rstrip('/').removesuffix('.git')}/issues" if url else ""
    for key, address in (("Homepage", site), ("Source", url), ("Issues", issues)):
        yield from _differs("pyproject.toml: [project.urls]", key, urls, address)
    citation = yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))
    for key, address in (("url", site), ("repository-code", url)):
        yield from _differs("CITATION.cff", key, citation, address)


def _differs(
    where: str, key: str, held: dict[str, Any], expected: str
) -> Iterator[str]:
    """Yield what to write if a file lacks an address, even before that is known."""
    value = held.get(key) or ""
    if not expected or value != expected:
        address = expected or "the same address as in _config.yml"
        yield f"{where}: {key} must be {address}, got {value!r}"


def _relative_links(root: Path, setting: dict[str, Any]) -> Iterator[str]:
    """List the README's links and pictures that are broken on the package index."""
    url = setting["url"].rstrip("/").removesuffix(".git")
    parts = MarkdownIt().parse((root / "README.md").read_text("utf-8"))
    children = [child for part in parts for child in part.children or ()]
    for attribute, folder in (("src", "raw"), ("href", "blob")):
        place = f"{url or 'https://github.com/OWNER/NAME'}/{folder}/{setting['branch']}"
        paths = (str(child.attrGet(attribute) or "") for child in children)
        for path in dict.fromkeys(paths):
            if urlsplit(path).path and not urlsplit(path).scheme:
                yield (
                    f"README.md: {path} must be {place}/{path}, since the package "
                    "index shows the README without the other files"
                )


def contradictions(root: Path = ROOT, tag: str | None = None) -> list[str]:
    """List places where the version, or its date, differs from the package's.

    Parameters
    ----------
    root : Path
        Of the project.
    tag : str, optional
        That is to be released.
    """
    now = version(root)
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    day = project["tool"]["posenc"]["released"]
    citation = yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))
    changes = (root / "CHANGELOG.md").read_text("utf-8")
    held = {
        "CITATION.cff: version": (str(citation["version"]), now),
        "CITATION.cff: date-released": (str(citation["date-released"]), str(day)),
    }
    if tag is not None:
        held["the tag"] = (tag, f"v{now}")
    wrong = [
        f"{name} must be {expected}, got {value!r}"
        for name, (value, expected) in held.items()
        if value != expected
    ]
    if f"\n## {now} - {day}\n" not in changes:
        wrong.append(f"CHANGELOG.md must have the heading '## {now} - {day}'")
    if tag is not None and re.search(r"^## Unreleased\n+(?!## |\n|\Z)", changes, re.M):
        wrong.append("CHANGELOG.md: what is under Unreleased belongs under the version")
    return wrong


def main() -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tag", help="such as v1.2.0: is all there for this release?")
    options = parser.parse_args()
    problems = [*unset(), *contradictions(tag=options.tag)]
    print("\n".join(f"- {line}" for line in problems) or f"{version()}: all is set")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
