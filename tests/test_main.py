"""``python -m posenc``: what it prints, and its exit codes."""

import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest
from book_functions import OWN

import posenc
from posenc.__main__ import main
from posenc.conventions import signatures
from posenc.exercises import names
from posenc.kit.exercises.registry import chapters

SIGNATURES = [
    (name, signature)
    for name, listed in signatures().items()
    for signature in re.findall(r"\w+\([^)]*\)", listed)
]
ROOT = Path(__file__).parent.parent
CODE = """
import numpy as np
import posenc

def right(x, positions, *, base=10_000.0):
    angles = posenc.rope.rotary_angles(positions, x.shape[-1], base=base)
    return posenc.rope.apply_rotary(x, angles)

def plain(x, positions):
    return right(x, positions)

def halves(x, positions, *, base=10_000.0):
    angles = posenc.rope.rotary_angles(positions, x.shape[-1], base=base)
    return posenc.rope.apply_rotary(x, angles, layout="half")

def slopes(num_heads):
    return [2 ** (-8 * (h + 1) / num_heads) for h in range(num_heads)]

class Model:
    bias = staticmethod(posenc.alibi.alibi_bias)

TURNS = [-1, 3, -2, 1, 4, 0, 5, -1]
"""


@pytest.fixture(autouse=True)
def code(tmp_path, monkeypatch):
    (tmp_path / "own_code.py").write_text(CODE)
    (tmp_path / "breaks.py").write_text("x = 1\n1 / 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    for name in ("own_code", "breaks"):
        sys.modules.pop(name, None)


def test_it_tells_what_is_here_and_how_to_start(capsys):
    assert main([]) == 0
    text = capsys.readouterr().out
    assert f"posenc {posenc.__version__}" in text
    for slug in chapters():
        assert f"posenc.{slug} " in text
    count = len(names("rope"))
    assert f"{count:2} exercises  Rotary position embedding (RoPE)." in text
    assert "python -m posenc check NAME MODULE:FUNCTION" in text
    assert "from posenc.exercises import check, hint, progress" in text


#: Arguments of `check`, its exit status, and words of what it prints.
CHECKED = [
    ("rope.apply_rotary own_code:right", 0, "✓ rope.apply_rotary: passed"),
    ("rope.apply_rotary own_code.py:right", 0, "the book's convention"),
    ("rope.apply_rotary own_code:halves", 1, "half: features i and i + 8"),
    ("rope.apply_rotary own_code:plain", 0, "passes base as well, which this funct"),
    ("alibi.alibi_slopes own_code:slopes", 1, "2^(-8h/H) for every number"),
    ("alibi.alibi_slopes posenc.alibi:alibi_slopes", 1, "That is our own function"),
    ("alibi.alibi_bias own_code:Model.bias", 0, "the book's convention"),
    ("alibi.alibi_bias own_code:slopes", 1, "could not be compared"),
    ("rope.turn_by_hand own_code:TURNS", 0, "rope.turn_by_hand: passed"),
]


@pytest.mark.parametrize(("arguments", "status", "told"), CHECKED)
def test_check(arguments, status, told, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("POSENC_PROGRESS", str(tmp_path / "progress.jsonl"))
    assert main(["check", *arguments.split(), "--time-limit", "60"]) == status
    output = capsys.readouterr()
    assert told in output.out
    assert output.err == ""
    assert len(set(re.findall(r"of seed (\d+)", output.out))) <= 1
    assert not (tmp_path / "progress.jsonl").exists()


@pytest.mark.parametrize(("name", "signature"), SIGNATURES)
def test_a_right_function_with_the_signature_of_the_help_passes(
    name, signature, monkeypatch, capsys
):
    parameters = signature.partition("(")[2].rstrip(")")
    given = "x, np.arange(x.shape[-2])" if parameters == "x" else parameters
    source = f"f = lambda {parameters}: own({given})"
    module = types.ModuleType("own_signature")
    exec(source, vars(module) | {"own": OWN[name], "np": np}, vars(module))
    monkeypatch.setitem(sys.modules, "own_signature", module)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    assert main(["check", name, "own_signature:f", "--time-limit", "60"]) == 0
    output = capsys.readouterr()
    assert "the book's convention" in output.out
    assert output.err == ""


def test_exercises_hints_and_progress(capsys):
    assert main(["exercises", "rope"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == names("rope")
    assert main(["exercises"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(names())
    assert main(["hint", "rope.apply_rotary", "2"]) == 0
    assert "Hint 2 of 3 for rope.apply_rotary" in capsys.readouterr().out
    assert main(["progress", "rope"]) == 0
    told = f"Your progress: 0 of {len(names('rope'))} exercises passed"
    assert told in capsys.readouterr().out


CONFIG = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "max_position_embeddings": 256,
}


@pytest.fixture
def config(tmp_path):
    """Write a config.json with some keys, and return its name."""

    def write(**keys):
        (tmp_path / "config.json").write_text(json.dumps(CONFIG | keys))
        return "config.json"

    return write


def test_config_as_words_numbers_and_a_picture(config, tmp_path, capsys):
    assert main(["config", config(rope_theta=500.0)]) == 0
    output = capsys.readouterr()
    assert "base 500." in output.out
    assert output.err == ""
    assert main(["config", config(), "--json", "--plot", "out.png"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["layers"][0]["numbers"] == [0, 1]
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_config_into_a_closed_pipe_says_nothing(more, config):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        run = subprocess.run(
            [sys.executable, "-m", "posenc", "config", config(), *more],
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writing)
    assert (run.stderr, run.returncode) == (b"", 141)


@pytest.mark.parametrize(
    ("keys", "arguments", "status", "told"),
    [
        ({}, ["own_code:halves"], 0, "✓ rope.apply_rotary: the code does what"),
        ({}, ["own_code:plain"], 1, "asked for: half  ← not what the config"),
        ({}, ["own_code:halves", "--layer", "1"], 0, "layer 1 of llama"),
        (
            {"model_type": "smollm3", "no_rope_layers": [1, 0]},
            ["own_code:halves"],
            1,
            "Others differ: --layer 1 for layers 1.",
        ),
        ({"rope_theta": 500.0}, ["own_code:halves"], 1, "as if the base were 10,000"),
    ],
)
def test_check_of_a_config(keys, arguments, status, told, config, capsys):
    arguments = ["check", "--config", config(**keys), *arguments, "--seed", "4"]
    assert main([*arguments, "--time-limit", "60"]) == status
    output = capsys.readouterr()
    assert told in output.out
    assert output.err == ""


BERT, LAMA, BELOW = {"model_type": "bert"}, {"model_type": "lama"}, {"rope_theta": -1}
ROTARY, CHECK = "check rope.apply_rotary", "check --config config.json"
CONFIG_HALVES = f"{CHECK} own_code:halves"


@pytest.mark.parametrize(
    ("arguments", "keys", "told"),
    [
        ("check rope.aply own_code:right", {}, 'Did you mean "rope.apply_rotary"'),
        (f"{ROTARY} own_code", {}, "names no function: write MODULE:FUNC"),
        (f"{ROTARY} own_code:write", {}, "has no 'write'. It has right"),
        (f"{ROTARY} no_code:right", {}, "There is no module 'no_code' in"),
        (f"{ROTARY} breaks.py:right", {}, "line 2: 1 / 0"),
        ("check", {}, "required: NAME, MODULE:FUNCTION"),
        ("exercises tt", {}, "there is no chapter 'tt'; there are attention, "),
        ("config config.json", LAMA, "got 'lama': did you mean 'llama'"),
        ("config config.json", BELOW, "must be a finite number above 0, got -1"),
        ("config config.json --plot a.png", BERT, "a.png cannot be drawn: method"),
        ("config config.json --plot ''", {}, "--plot must be the name of a new file"),
        (f"{CHECK} rope.apply_rotary own_code:halves", {}, "with --config write one"),
        (f"{CONFIG_HALVES} --layer 2", {}, "i must be below num_layers=2, got 2"),
        (CONFIG_HALVES, BERT, "got 'learned': what is learned"),
    ],
)
def test_what_cannot_be_done_is_said_without_a_traceback(
    arguments, keys, told, config, capsys
):
    config(**keys)
    try:
        status = main(shlex.split(arguments))
    except SystemExit as end:
        status = end.code
    assert status == 2
    output = capsys.readouterr()
    assert told in output.err
    assert "Traceback" not in output.err
    if "config.json" in arguments:
        assert output.err.startswith("posenc: ")
        assert len(output.err.strip().splitlines()) == 1
    report = "Layers: 2" in output.out  # which needs no picture
    assert report if "--plot" in arguments else output.out == ""
