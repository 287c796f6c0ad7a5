"""What forges, indexes and other services read is as they want it.

Each file is tried with the tool that reads it, or with the rules of its service.
CITATION.cff keeps the schema of its format, version 1.2.0. cffconvert 2.0.0 reads the
same version, but needs jsonschema below 4: check-jsonschema and jupyter-events need a
later one.
"""

import json
import re
import shutil
import subprocess
import sys
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
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))

CONTAINERFILE = (ROOT / "Containerfile").read_text("utf-8")

#: Files by the schema that each keeps.
FILES = {
    "github-workflows": sorted((ROOT / ".github/workflows").glob("*.yml")),
    "github-issue-forms": [form for form in FORMS if form.stem != "config"],
    "github-issue-config": [form for form in FORMS if form.stem == "config"],
    "citation-file-format": [ROOT / "CITATION.cff"],
}


@pytest.mark.parametrize("schema", FILES)
def test_files_keep_their_schema(schema):
    options = ["--output-format=json", f"--builtin-schema=vendor.{schema}"]
    files = map(str, FILES[schema])
    done = CliRunner().invoke(check_jsonschema.main, [*options, *files])
    assert done.exit_code == 0, done.stdout


def test_the_project_table_is_as_the_index_wants_it():
    validate = api.Validator(plugins=list_from_entry_points())
    validate(PROJECT)


def workflow(name):
    """A workflow: YAML 1.1 reads its key `on` as true."""
    text = (ROOT / f".github/workflows/{name}.yml").read_text("utf-8")
    return yaml.safe_load(text)


def steps(name):
    jobs = workflow(name)["jobs"]
    return {job: jobs[job]["steps"] for job in jobs}


@pytest.mark.parametrize("name", ["site", "release"])
def test_workflows_call_targets_that_there_are(name):
    makefile = (ROOT / "Makefile").read_text("utf-8")
    runs = [s["run"] for job in steps(name).values() for s in job if "run" in s]
    targets = re.findall(r"\bmake ([\w./-]+)", "\n".join(runs))
    assert len(targets) > 1
    assert [t for t in targets if f"\n{t}:" not in makefile] == []


def test_nightly_runs_every_part_of_the_full_test():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    declared = re.search(r"^PARTS := ((?:.*\\\n)*.*)$", makefile, re.MULTILINE)
    parts = declared[1].replace("\\", "").split()
    assert [part for part in parts if f"\n{part}:" not in makefile] == []
    nightly = workflow("nightly")["jobs"]["part"]["strategy"]["matrix"]["part"]
    assert nightly == parts


@pytest.mark.parametrize(("name", "first"), [("site", "test"), ("release", "build")])
def test_only_the_job_that_publishes_may_write_and_only_what_was_tested(name, first):
    loaded = workflow(name)
    assert loaded["permissions"] == {"contents": "read"}
    rights = {job: loaded["jobs"][job].get("permissions") for job in loaded["jobs"]}
    assert [job for job, given in rights.items() if given] == ["publish"]
    assert rights["publish"]["id-token"] == "write"
    assert loaded["jobs"]["publish"]["needs"] == first
    if name == "site":
        assert "pull_request" in loaded["jobs"]["publish"]["if"]
    else:
        assert loaded[True] == {"push": {"tags": ["v*"]}}


@pytest.mark.parametrize("name", ["site", "release", "nightly"])
def test_a_workflow_has_the_python_of_the_book(name):
    versions = [
        step["with"]["python-version"]
        for job in steps(name).values()
        for step in job
        if "setup-python" in step.get("uses", "")
    ]
    assert versions == [PROJECT["project"]["requires-python"].removeprefix(">=")]


#: What repo2docker makes of the folder that it is started in. Its import warns.
READ_BINDER = """
import json
from repo2docker.buildpacks import PythonBuildPack
pack = PythonBuildPack("any base")
early = [script for _, script in pack.get_preassemble_scripts()]
late = [script for _, script in pack.get_assemble_scripts()]
print(json.dumps([pack.detect(), pack.python_version, early, late]))
"""


def test_binder_installs_the_environment_of_the_book(tmp_path):
    shutil.copytree(ROOT / "binder", tmp_path / "binder")
    for name in ("requirements.txt", "pyproject.toml"):
        shutil.copyfile(ROOT / name, tmp_path / name)
    command = [sys.executable, "-c", READ_BINDER]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    detected, python, early, late = json.loads(done.stdout)
    assert detected
    assert python == PROJECT["project"]["requires-python"].removeprefix(">=")
    # Only the whole checkout has the file that binder's own one names, and posenc.
    install = '-r "binder/requirements.txt"'
    assert any(install in script for script in late)
    assert not any(install in script for script in early)
    text = (tmp_path / "binder/requirements.txt").read_text("utf-8")
    (included,) = re.findall(r"^-r (.*)$", text, re.MULTILINE)
    assert (tmp_path / "binder" / included).resolve() == tmp_path / "requirements.txt"
    assert "-e ." in (tmp_path / "requirements.txt").read_text("utf-8").splitlines()


def test_the_dev_container_has_the_base_of_the_other_one():
    text = (ROOT / ".devcontainer/devcontainer.json").read_text("utf-8")
    container = json.loads(text)
    base = re.search(r"^FROM (\S+)-slim-(\w+)$", CONTAINERFILE, re.MULTILINE)
    # With git, make and a compiler, which the slim one lacks.
    assert container["image"] == f"{base[1]}-{base[2]}"
    target = container["postCreateCommand"].removeprefix("make ")
    assert f"\n{target}:" in (ROOT / "Makefile").read_text("utf-8")
    assert container["forwardPorts"] == [8000]


def test_colab_installs_the_package_with_what_notebooks_need():
    extras = re.findall(
        r"posenc\[([\w,]+)\]", Path(make_notebooks.__file__).read_text()
    )
    assert extras
    for extra in extras:
        assert set(extra.split(",")) <= {*PROJECT["project"]["optional-dependencies"]}


def test_an_sdist_holds_no_solutions_of_exercises_for_marks():
    builder = SdistBuilder(str(ROOT))
    held = {file.relative_path for file in builder.recurse_project_files()}
    assert "tests/t5/answers.py" in held  # what pages show is no secret
    assert "src/posenc/t5/exercises/graded.py" in held  # tasks, not answers
    solved = [n for n in held if re.match(r"graded/|tests/\w+/graded_answers\.py", n)]
    assert solved == []
