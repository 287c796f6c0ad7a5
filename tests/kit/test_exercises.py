"""The checks: what they accept, what they reject and why, and what they survive."""

import contextlib
import dataclasses
import functools
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from answer_sources import answers_of, known_mistakes, mistake, right_answers
from exercise_rules import PATIENT

import posenc
from posenc.exercises import check, hint, names
from posenc.grading.process_tree import children
from posenc.kit.exercises import registry
from posenc.kit.exercises.registry import chapters, find

TESTS = Path(__file__).parents[1]
T5 = answers_of("t5")
BUCKET_NAME = "t5.relative_position_bucket"
BUCKET = posenc.t5.relative_position_bucket

START = "t5.last_bucket_start"  # the simplest one that asks for a function
right_start = right_answers(START)[0]


@pytest.fixture(autouse=True)
def no_process_is_left():
    before = {*children()}  # of other tests
    yield
    assert {*children()} <= before


# --- every exercise ------------------------------------------------------------------


@pytest.mark.parametrize("slug", chapters())
def test_a_process_of_its_own_changes_no_verdict(slug):
    """One right and one wrong answer of each chapter, judged as a learner's is."""
    name = next(n for n in names(slug) if find(n).asks_for == "function")
    assert check(name, right_answers(name)[0], time_limit=PATIENT)
    result = check(name, mistake(name), seed=1, time_limit=PATIENT)
    assert result.mistakes == (next(known_mistakes(name))[0],), result


def test_exercises_for_marks_are_found_and_not_listed():
    assert "rope.partial_rotary" not in names("rope")
    assert names("rope", graded=True)[: len(names("rope"))] == names("rope")
    assert "rope.partial_rotary" in names("rope", graded=True)
    assert find("rope.partial_rotary").graded
    assert "partial_rotary" not in repr(check("rope.partial_rotari", 1))
    assert hint("rope.partial_rotary", 1).text.startswith("Cut x into two parts")


# --- reports -------------------------------------------------------------------------


def test_the_printed_seed_repeats_the_report():
    def answer(relative_position, **setting):
        bucket = posenc.t5.relative_position_bucket(relative_position, **setting)
        odd = setting["num_buckets"] not in (2, 4, 7, 8, 9, 12, 32)  # random ones only
        return bucket + odd

    first = check(BUCKET_NAME, answer)
    assert f"seed={first.seed}" in repr(first)
    assert repr(check(BUCKET_NAME, answer, seed=first.seed)) == repr(first)
    others = {check(BUCKET_NAME, answer, seed=seed).example for seed in range(4)}
    assert len(others) > 1


def test_the_example_is_the_smallest_one():
    def answer(relative_position, **setting):
        bucket = posenc.t5.relative_position_bucket(relative_position, **setting)
        wrong = tuple(setting.values()) in [(False, 7, 20), (True, 12, 24)]
        return bucket + (abs(relative_position) >= 6) * wrong

    result = check(BUCKET_NAME, answer)
    assert result.example.startswith(
        "answer(np.array([-6]), bidirectional=False, num_buckets=7, max_distance=20)\n"
        "gives 5, should be 4\n"
    ), result
    assert "near keys have a bucket each" in result.held


def test_an_answer_that_depends_on_its_neighbors_is_shown_as_such():
    def answer(relative_position, **setting):
        bucket = posenc.t5.relative_position_bucket(relative_position, **setting)
        return bucket + (relative_position.size > 3)

    result = check(BUCKET_NAME, answer)
    assert "is right alone, but is 1 among other entries" in result.example


def test_rounding_on_an_edge_is_a_remark_and_no_fault():
    result = check(BUCKET_NAME, T5.bucket_loops)
    assert result
    assert any(note.startswith("All but exact: at distance") for note in result.notes)
    exact = check(BUCKET_NAME, lambda *r, **setting: BUCKET(*r, **setting))
    assert exact
    assert exact.notes == ()


def test_html_escapes_what_comes_from_the_answer():
    def answer(num_buckets, max_distance):
        print("<script>alert('printed')</script>")
        raise ValueError("<b>raised</b>")  # noqa: EM101

    page = check(START, answer)._repr_html_()
    assert "&lt;script&gt;" in page
    assert "&lt;b&gt;raised" in page
    assert "<script" not in page
    assert "<b>" not in page
    assert "✗ t5.last_bucket_start: not right yet" in page
    assert "<x>" not in check("<x>", 1)._repr_html_()
    assert "not right yet" not in check(START, right_start)._repr_html_()


# --- the book's own functions --------------------------------------------------------

OWN = "That is our own function: now write yours."


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        (BUCKET_NAME, BUCKET),
        ("alibi.linear_bias", find("alibi.linear_bias").checker.right),  # the oracle
        ("alibi.linear_bias", functools.partial(posenc.alibi.alibi_bias, 2)),
        ("sinusoidal.sinusoidal_encoding", posenc.nn.SinusoidalEncoding(8).forward),
        ("sinusoidal.sinusoidal_encoding", posenc.nn.SinusoidalEncoding(8)),
        ("sinusoidal.sinusoidal_encoding", posenc.nn.SinusoidalEncoding),
    ],
)
def test_check_refuses_posenc_function(name, answer):
    result = check(name, answer)
    assert not result
    assert result.status == "unanswered"
    assert result.problem == OWN


def test_an_answer_that_resembles_the_books_function_is_the_learners():
    @functools.wraps(posenc.alibi.alibi_slopes)
    def answer(num_heads):
        return [9.0] * num_heads

    assert check("alibi.alibi_slopes", answer).status == "failed"
    assert check(START, functools.partial(right_start)).status == "passed"


# --- half precision ------------------------------------------------------------------

TABLE = "sinusoidal.sinusoidal_encoding"


def encode(positions, d_model, **options):
    return posenc.sinusoidal.sinusoidal_encoding(positions, d_model, **options)


def rotate(x, positions, *, base=10_000.0):
    angles = posenc.rope.rotary_angles(positions, x.shape[-1], base=base)
    return posenc.rope.apply_rotary(x, angles)


def penalize(slopes, q_len, k_len, *, q_offset=0):
    distance = np.maximum(q_offset + np.arange(q_len)[:, None] - np.arange(k_len), 0)
    return -slopes[:, None, None] * distance


HALVES = pytest.mark.parametrize(
    "cast",
    [lambda out: out.astype(np.float16), lambda out: torch.from_numpy(out).bfloat16()],
    ids=["float16", "bfloat16"],
)


@HALVES
@pytest.mark.parametrize(
    ("name", "right"),
    [(TABLE, encode), ("rope.apply_rotary", rotate), ("alibi.linear_bias", penalize)],
)
def test_half_precision_is_judged_within_its_rounding(name, right, cast):
    result = check(name, lambda *args, **options: cast(right(*args, **options)))
    assert result, result
    assert re.search(
        r"The result is in b?float16, which holds about t", result.notes[0]
    )


@HALVES
def test_mistakes_in_half_precision_are_mistakes(cast):
    def answer(*args, **options):
        return cast(penalize(*args, **options)[::-1].copy())

    result = check("alibi.linear_bias", answer, seed=1)
    assert result.status == "failed"
    assert result.mistakes == ("The heads are in reverse order. Head h has slopes[h].",)
    gives = re.search(r"gives (\S+), should be (\S+)", result.example)
    assert gives[1] != gives[2]


# --- what is looked like -------------------------------------------------------------


def test_a_logarithm_of_zero_is_named_if_nothing_else_is_wrong():
    def answer(relative_position, **setting):
        garbage = np.iinfo(np.int64).min
        n = np.asarray(relative_position)
        zero = n == 0 if setting["bidirectional"] else n >= 0
        return np.where(zero, garbage, BUCKET(n, **setting))

    def wrong_too(relative_position, **setting):
        out = answer(relative_position, **setting)
        return np.where(out >= 0, 7 * out, out)

    zero = check(BUCKET_NAME, answer, seed=1)
    assert len(zero.mistakes) == 1
    assert "logarithm of 0" in zero.mistakes[0]
    assert check(BUCKET_NAME, wrong_too, seed=1).mistakes == ()


def test_check_distinguishes_values_and_functions():
    assert "asks for a function, got an int" in repr(check(START, 7))
    assert "asks for a value, got a function" in repr(
        check("t5.buckets_by_hand", right_start)
    )


# --- answers that misbehave ----------------------------------------------------------

ISOLATE = pytest.mark.parametrize("isolate", [True, False], ids=["process", "here"])


def loops(num_buckets, max_distance):
    while True:
        pass


def test_check_endless_loop_reports_time_limit():
    result = check(START, loops, time_limit=0.2)
    assert "still running after 0.2 s" in result.problem
    assert result.example == "loops(2, 2)"


def test_the_time_is_that_of_all_calls_together():
    def answer(num_buckets, max_distance):
        time.sleep(0.02)
        return right_start(num_buckets, max_distance)

    assert "still running after 0.3 s" in check(START, answer, time_limit=0.3).problem


@ISOLATE
def test_much_output_is_cut(isolate):
    def answer(num_buckets, max_distance):
        if num_buckets == 2 == max_distance:
            for i in range(1000):
                print("line", i)
            print("error", file=sys.stderr)
        return right_start(num_buckets, max_distance)

    result = check(START, answer, isolate=isolate)
    assert result
    assert len(result.printed) < 1000
    assert result.printed.startswith("line 0\nline 1\n")
    assert "characters more" in result.printed
    assert len(repr(result)) < 5000


def test_check_discards_output_of_file_descriptors(capfd):
    def answer(num_buckets, max_distance):
        os.write(1, b"raw")
        return right_start(num_buckets, max_distance)

    assert check(START, answer)
    assert capfd.readouterr().out == ""


def raises(num_buckets, max_distance):
    zero = num_buckets - 2
    return 1 / zero


def exits(num_buckets, max_distance):
    sys.exit("good-bye")


def asks(num_buckets, max_distance):
    return int(input("How many? "))


def recurses(num_buckets, max_distance):
    return recurses(num_buckets, max_distance)


@ISOLATE
@pytest.mark.parametrize(
    ("answer", "error", "line"),
    [
        (raises, "ZeroDivisionError: division by zero", "return 1 / zero"),
        (exits, "SystemExit: good-bye", 'sys.exit("good-bye")'),
        (asks, "RuntimeError: a checked answer cannot ask for input", "input("),
        (recurses, "RecursionError", "recurses(num_buckets, max_distance)"),
    ],
)
def test_check_error_names_its_line(answer, error, line, isolate):
    result = check(START, answer, isolate=isolate)
    assert result.status == "failed"
    assert error in result.problem
    assert line in result.problem
    number = int(re.search(r"^line (\d+): ", result.problem, re.MULTILINE)[1])
    assert 0 <= number - answer.__code__.co_firstlineno < 4


@pytest.mark.parametrize(
    ("end", "told"),
    [
        (lambda: os._exit(0), "its process ended without an answer"),
        (lambda: os.kill(os.getpid(), signal.SIGSEGV), "ended by SIGSEGV"),
        (lambda: os.closerange(3, 100), "its process ended without an answer"),
    ],
)
def test_a_crash_ends_its_own_process_only(end, told):
    result = check(START, lambda b, d: end())
    assert result.status == "failed"
    assert told in result.problem


def test_processes_started_by_the_answer_end_with_it(tmp_path):
    note = tmp_path / "pid"

    def answer(num_buckets, max_distance):
        child = subprocess.Popen(["sleep", "60"])
        note.write_text(str(child.pid))
        return right_start(num_buckets, max_distance)

    check(START, answer)
    stat = Path(f"/proc/{note.read_text()}/stat")
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for _ in range(100):  # it may take a moment
            if stat.read_text().split()[2] == "Z":  # ended, but not yet collected
                break
            time.sleep(0.02)
        else:
            pytest.fail("the process still runs")


@pytest.mark.parametrize(("isolate", "size"), [(True, 2**30), (False, 2**50)])
def test_too_much_memory_is_an_error(isolate, size):
    result = check(START, lambda b, d: np.ones(size), isolate=isolate)
    assert "Unable to allocate" in result.problem


def test_check_keeps_side_effects_in_its_process():
    state = {"calls": 0}

    def answer(num_buckets, max_distance):
        state["calls"] += 1
        os.environ["POSENC_TEST"] = "1"
        np.random.seed(0)  # noqa: NPY002
        return right_start(num_buckets, max_distance)

    assert check(START, answer)
    assert state == {"calls": 0}
    assert "POSENC_TEST" not in os.environ


@ISOLATE
def test_check_names_changed_inputs(isolate):
    def numpy_answer(relative_position, **setting):
        relative_position += 1
        return relative_position

    def torch_answer(table, q_len, k_len, **options):
        bias = posenc.t5.relative_position_bias(torch.sqrt(table), q_len, k_len)
        table[:] = 0
        return bias

    problem = check(BUCKET_NAME, numpy_answer, isolate=isolate).problem
    assert problem == "It changes its input relative_position. Work on a copy."
    problem = check("t5.relative_position_bias", torch_answer, isolate=isolate).problem
    assert problem == "It changes its input table. Work on a copy."


class Strange:
    def __len__(self):
        raise RuntimeError

    def __repr__(self):
        raise RuntimeError


@ISOLATE
@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("seven", "must be whole numbers, got a str"),
        (7.0, "must be whole numbers, got a float"),
        ({"n": 7}, "must be whole numbers, got a dict of 1"),
        ([7], "must have shape (), got shape (1,)"),
        (
            [[1], [2, 3]],
            "must be one array, but a list of 2 is not: its entries differ",
        ),
        ([[[[[1]]]]], "must be whole numbers, got a list of 1 (object)"),
        (np.asarray([None]), "must be whole numbers, got an array of dtype object"),
        (torch.tensor(7.0), "got a torch tensor of float32, shape ()"),
        (np.ones(2_000_000), "a NumPy array of float64, shape (2000000,), far too"),
        (torch.ones(2_000_000), "a torch tensor of float32, shape (2000000,), far too"),
        (range(10**9), "got a range"),
        (Strange(), "got a Strange"),
        (10**400, "must be whole numbers, got an int (object)"),
    ],
)
def test_results_of_the_wrong_kind_are_explained(value, told, isolate):
    result = check(START, lambda b, d: value, isolate=isolate)
    assert result.status == "failed"
    assert told in result.problem


def test_check_late_none_is_a_missing_return():
    def answer(num_buckets, max_distance):
        return right_start(num_buckets, max_distance) if num_buckets < 4 else None

    result = check(START, answer)
    assert result.problem == "It returns None here: is a return missing?"
    assert result.example == "answer(4, 3)"


def test_first_none_is_a_missing_return_if_the_answer_has_code():
    def begun(num_buckets, max_distance):
        right_start(num_buckets, max_distance)

    def blank(num_buckets, max_distance):
        """Start."""

    assert check(START, begun).problem == "It returns None here: is a return missing?"
    assert check(START, blank).status == "unanswered"


def test_warnings_are_passed_on_and_do_not_raise():
    def answer(num_buckets, max_distance):
        np.log(np.zeros(1))
        return right_start(num_buckets, max_distance)

    result = check(START, answer)
    assert result
    assert "divide by zero encountered in log" in result.notes[0]


def test_check_without_fork_runs_here_and_says_so(monkeypatch):
    monkeypatch.delattr(os, "fork")
    result = check(START, right_start, time_limit=PATIENT)
    assert result
    assert "only a restart of Python (the kernel) ends it" in result.notes[-1]
    assert (
        check("t5.buckets_by_hand", right_answers("t5.buckets_by_hand")[0]).notes == ()
    )


def test_check_without_fork_reports_a_late_answer(monkeypatch):
    monkeypatch.delattr(os, "fork")
    result = check(START, right_start, time_limit=1e-9)
    assert "still running after 1e-09 s" in result.problem


def test_an_interrupt_reaches_the_learner_and_ends_the_answer():
    def interrupt(*_):
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.2, 2.0)
    try:
        with pytest.raises(KeyboardInterrupt):
            check(START, loops)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def test_check_reports_its_own_failure(monkeypatch):
    broken = dataclasses.replace(find(START), checker=lambda *_: 1 / 0)
    monkeypatch.setitem(registry._exercises, START, broken)
    result = check(START, right_start)
    assert result.status == "broken"
    assert "the book's mistake, not yours" in result.problem
