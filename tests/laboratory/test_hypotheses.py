"""Verdicts on what was expected: they follow the files, and nothing else."""

import pytest

from posenc import laboratory
from posenc.laboratory import HYPOTHESES, results

LENGTHS = ("64", "128", "256", "512", "1024")


@pytest.fixture
def files(monkeypatch):
    files = {}
    monkeypatch.setattr("posenc.laboratory.trained.load_folder", lambda name: files)
    results.cache_clear()
    yield files
    results.cache_clear()


def trained(task, encoding, seed, near, far, **others):
    """A run with one accuracy at 64 tokens and one beyond, for each encoding."""
    tests = {
        name: {
            n: {"accuracy": a[0] if n == "64" else a[1], "loss": 0.0} for n in LENGTHS
        }
        for name, a in {encoding: (near, far), **others}.items()
    }
    sizes = {"train_len": 64}
    plan = {"task": task, "encoding": encoding, "seed": seed, "sizes": sizes}
    return {"plan": plan, "tests": tests}


def text(seed, short, long, encoding="alibi"):
    tests = {encoding: {"256": {"losses": [short]}, "4096": {"losses": [long]}}}
    return {"plan": {"encoding": encoding, "seed": seed}, "tests": tests}


def part(number, title):
    (result,) = [p for p in HYPOTHESES[number - 1].parts if p.title == title]
    return result


def put(files, *runs):
    files.clear()
    files.update({str(n): run for n, run in enumerate(runs)})
    results.cache_clear()


def test_without_runs_everything_is_open(files):
    assert {p.verdict for h in HYPOTHESES for p in h.parts} == {None}
    rows = str(laboratory.verdicts()).splitlines()[2:]
    assert len(rows) == len(HYPOTHESES)
    assert all(row.endswith("| open |") for row in rows)
    listed = str(laboratory.expected()).splitlines()
    assert [line.split(".")[0] for line in listed] == [
        str(n) for n in range(1, len(HYPOTHESES) + 1)
    ]


def test_a_claim_must_hold_of_every_seed_that_solved_the_task(files):
    solved = trained("copy", "t5", 1, 1.0, 0.9)
    put(files, solved, trained("copy", "t5", 2, 0.9, 0.1))  # 2 has not learned it
    assert part(2, "T5").measured() == [0.9]
    assert part(2, "T5").verdict is True
    put(files, solved, trained("copy", "t5", 2, 0.96, 0.89))
    assert part(2, "T5").verdict is False
    assert "Shaw, ALiBi: open; T5: **fails**" in str(laboratory.verdicts())
    assert "T5: 90, 89" in str(laboratory.verdicts())


def test_fewer_than_half_is_less_than_half(files):
    put(files, trained("copy", "rope", 1, 1.0, 0.5))
    assert part(3, "RoPE").verdict is False
    put(files, trained("copy", "rope", 1, 1.0, 0.49))
    assert part(3, "RoPE").verdict is True


def test_gains_are_taken_seed_by_seed(files):
    put(
        files,
        trained("copy", "rope", 1, 1.0, 0.5, rope_ntk=(1.0, 0.6), rope_yarn=(1, 0.5)),
        trained("copy", "rope", 2, 1.0, 0.2, rope_ntk=(1.0, 0.3), rope_yarn=(1, 0.9)),
        trained("copy", "rope_base_100", 3, 1.0, 0.9),  # no other run of that seed
    )
    assert part(4, "NTK").measured() == pytest.approx([0.1, 0.1])
    assert part(4, "NTK").verdict is True
    assert part(4, "YaRN").verdict is False  # nothing gained with one seed
    assert part(4, "base 100").verdict is None


def test_at_the_trained_length_all_runs_count(files):
    put(
        files,
        trained("index", "none", 1, 0.86, 0.1),
        trained("index_letter", "none", 1, 0.55, 0.1),
        trained("index", "t5", 1, 0.5, 0.1),
        trained("index_letter", "t5", 1, 0.3, 0.1),
        trained("index", "sinusoidal", 1, 1.0, 0.1),
    )
    assert part(1, "no encoding").verdict is True
    assert part(1, "T5").verdict is False
    assert "no encoding: +31; T5: +20; ALiBi: –" in str(laboratory.verdicts())


def test_losses_of_text_are_compared_with_those_of_short_ones(files):
    put(files, text(0, 1.5, 1.515), text(1, 1.5, 1.49), text(0, 1.5, 1.59, "rope"))
    assert part(7, "ALiBi").measured() == pytest.approx([0.015, -0.01])
    assert part(7, "ALiBi").verdict is True
    assert part(8, "RoPE").verdict is False
    assert "ALiBi: +0.01, −0.01; T5: –" in str(laboratory.verdicts())
    put(files, text(0, 1.5, 1.53))
    assert part(7, "ALiBi").verdict is False
