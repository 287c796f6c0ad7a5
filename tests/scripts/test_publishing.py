"""Files that forges, indexes and other services read keep the rules of these.

CITATION.cff has its schema, since cffconvert needs an older jsonschema than others.
"""

import json
import re
import tomllib
from pathlib import Path

import check_jsonschema
import make_notebooks
import pytest
import yaml
from click.testing import CliRunner
from hatchling.builders.sdist import SdistBuilder
from validate_pyproject import api
from validate_pyproject.plugins import list_from_entry_points

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PYTHON = PROJECT["project"]["requires-python"].removeprefix(">=")
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
#: YAML 1.1 reads a workflow's key `on` as true.
WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text("utf-8"))
    for path in (ROOT / ".github/workflows").glob("*.yml")
}


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("github-workflows", ".github/workflows/*.yml"),
        ("github-issue-forms", ".github/ISSUE_TEMPLATE/*[!g].yml"),
        ("github-issue-config", ".github/ISSUE_TEMPLATE/config.yml"),
        ("citation-file-format", "CITATION.cff"),
    ],
)
def test_files_keep_their_schema(schema, files):
    names = map(str, ROOT.glob(files))
    options = ["--output-format=json", f"--builtin-schema=vendor.{schema}"]
    done = CliRunner().invoke(check_jsonschema.main, [*options, *names])
    assert done.exit_code == 0, done.stdout


def test_the_project_table_is_as_the_index_wants_it():
    api.Validator(plugins=list_from_entry_points())(PROJECT)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflows_call_targets_that_exist_with_the_python_of_the_book(name):
    jobs = WORKFLOWS[name]["jobs"].values()
    steps = [step for job in jobs for step in job["steps"]]
    targets = re.findall(
        r"\bmake ([\w./-]+)", "\n".join(s.get("run", "") for s in steps)
    )
    assert targets or name == "nightly"
    assert [t for t in targets if f"\n{t}:" not in MAKEFILE] == []
    versions = [
        s["with"]["python-version"] for s in steps if "python" in s.get("uses", "")
    ]
    assert versions == [PYTHON]


def test_nightly_runs_every_part_of_the_full_test():
    declared = re.search(r"^PARTS := ((?:.*\\\n)*.*)$", MAKEFILE, re.MULTILINE)
    parts = declared[1].replace("\\", "").split()
    assert [part for part in parts if f"\n{part}:" not in MAKEFILE] == []
    matrix = WORKFLOWS["nightly"]["jobs"]["part"]["strategy"]["matrix"]
    assert matrix["part"] == parts


@pytest.mark.parametrize(("name", "first"), [("site", "test"), ("release", "build")])
def test_only_the_job_that_publishes_may_write_and_only_what_was_tested(name, first):
    loaded = WORKFLOWS[name]
    assert loaded["permissions"] == {"contents": "read"}
    rights = {job: loaded["jobs"][job].get("permissions") for job in loaded["jobs"]}
    assert [job for job, given in rights.items() if given] == ["publish"]
    assert rights["publish"]["id-token"] == "write"
    assert loaded["jobs"]["publish"]["needs"] == first
    if name == "site":
        assert "pull_request" in loaded["jobs"]["publish"]["if"]
    else:
        assert loaded[True] == {"push": {"tags": ["v*"]}}


def test_environments_of_others_install_what_the_book_needs():
    assert (ROOT / "binder/runtime.txt").read_text("utf-8") == f"python-{PYTHON}\n"
    binder = (ROOT / "binder/requirements.txt").read_text("utf-8")
    assert binder.splitlines()[-1] == "-r ../requirements.txt"
    assert "-e ." in (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    text = (ROOT / "Containerfile").read_text("utf-8")
    base = re.search(r"^FROM (\S+)-slim-(\w+)$", text, re.MULTILINE)
    container = json.loads(
        (ROOT / ".devcontainer/devcontainer.json").read_text("utf-8")
    )
    # With git, make and a compiler, which the slim one lacks.
    assert container["image"] == f"{base[1]}-{base[2]}"
    target = container["postCreateCommand"].removeprefix("make ")
    assert f"\n{target}:" in MAKEFILE
    colab = Path(make_notebooks.__file__).read_text("utf-8")
    extras = re.search(r"posenc\[([\w,]+)\]", colab)[1].split(",")
    assert {*extras} <= {*PROJECT["project"]["optional-dependencies"]}


def test_an_sdist_holds_no_solutions_of_exercises_for_marks():
    builder = SdistBuilder(str(ROOT))
    held = {file.relative_path for file in builder.recurse_project_files()}
    assert "tests/t5/answers.py" in held  # what pages show is no secret
    assert "src/posenc/t5/exercises/graded.py" in held  # tasks, not answers
    solved = [n for n in held if re.match(r"graded/|tests/\w+/graded_answers\.py", n)]
    assert solved == []
