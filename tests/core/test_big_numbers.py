"""Numbers of every size and kind: right, or refused with the argument's name.

The calls are those of ``tests/<slug>/calls.py``, so that no new function escapes.
"""

import re
import resource
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from public_calls import (
    as_torch,
    everything_public,
    function_call,
    module_call,
    parts,
    public_functions,
    public_modules,
    runs,
)

from posenc import alibi, attention, rope

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.bad_input

FUNCTIONS, MODULES = public_functions(), public_modules()
LARGE = (2**31, 2**53, 2**63, 2**70, 10**400, -(10**400), np.uint64(2**63))
#: float32 holds none of those beyond 1e38, and the smallest is 0 in it.
FLOATS = (1e37, 1e39, 1e153, 1e300, 1.7e308, -1e39, -1e300, 5e-324)
libraries = pytest.mark.parametrize("library", ["numpy", "torch"])


@pytest.fixture(autouse=True)
def little_memory():
    """What fills the memory ends in a MemoryError, at 8 GiB of addresses more."""
    (used,) = re.findall(r"VmSize:\s+(\d+) kB", Path("/proc/self/status").read_text())
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (int(used) * 1024 + 2**33, hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def numbers(call):
    """Names and values of the arguments that are numbers."""
    kinds = {key: value for key, value in call.items() if type(value) in (int, float)}
    return kinds.items()


def unclear(function, call):
    """Large numbers that do not give numbers and are refused in no words of ours."""
    found = []
    wrong = np.isnan if has(not_finite, function(**call)) else not_finite
    for key, _ in numbers(call):
        for large in LARGE + FLOATS:
            kind = f"{key} = {Decimal(str(large)):.3g}"
            try:
                result = function(**(call | {key: large}))
            except (TypeError, ValueError) as error:
                words = str(error)
                named = rf"\b({key}|positions)\b.*\bgot\b"  # those that CAPE moved
                if not re.search(named, words) or len(words) > 300:
                    found.append(f"{kind}: {words}")
            except Exception as error:
                found.append(f"{kind}: {type(error).__name__}: {error}")
            else:
                if has(wrong, result):
                    found.append(f"{kind}: {result}")
    return "\n".join(found)


def not_finite(values):
    return ~np.isfinite(values)


def has(kind, result):
    """Whether a number of a result is of that kind."""
    for part in parts(result):
        try:
            if kind(np.asarray(part)).any():
                return True
        except (TypeError, ValueError):  # a string, a function, or a description
            continue
    return False


@pytest.mark.parametrize("name", everything_public())
def test_large_numbers_are_taken_or_named(name):
    for function, call in runs(name):
        assert not unclear(used(name) if isinstance(function, type) else function, call)


def used(name):
    """Return what makes a module and calls it in training, when CAPE draws."""
    _, called = module_call(name)
    return lambda **made: MODULES[name](**made).requires_grad_(False)(**called)


def assert_takes(function, call, wanted):
    """A number of another kind gives the same, or is refused by name."""
    for key, value in numbers(call):
        for kind in (Decimal, Fraction, np.float32, np.longdouble):
            if type(value) is int or float(kind(value)) != value:
                continue  # sizes are no fractions; or it has no such number
            try:
                found = function(**(call | {key: kind(value)}))
            except (TypeError, ValueError) as error:
                if re.match(rf"{key} must .* got ", str(error)):
                    continue
                raise
            for one, other in zip(parts(found), parts(wanted), strict=True):
                np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


@libraries
@pytest.mark.parametrize("name", [n for n in FUNCTIONS if "cape" not in n])
def test_numbers_of_every_kind_are_numbers(name, library):
    call = function_call(name)
    call = call if library == "numpy" else as_torch(call)
    assert_takes(FUNCTIONS[name], call, FUNCTIONS[name](**call))


@libraries
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_scores_overflow_by_no_scale(library, dtype):
    q = np.linspace(-20.0, 20.0, 12).reshape(3, 4).astype(dtype)
    q = q if library == "numpy" else torch.from_numpy(q)
    power = 512 if dtype == "float64" else 64
    for sign in (1, -1):
        largest = sign * float(2**power - 2 ** (power - 53))
        weights = attention.attention_weights(q, q, scale=largest)
        assert np.isfinite(np.asarray(weights)).all()
        for scale in (sign * 2.0**power, sign * 1.7e308):
            wanted = rf"scale must lie between -2\*\*{power} and 2\*\*{power}, got .*: "
            for function in (
                attention.attention_weights,
                partial(attention.scaled_dot_product_attention, v=q),
            ):
                with pytest.raises(ValueError, match=wanted):
                    function(q, k=q, scale=scale)


def test_a_bound_that_overflows_when_doubled_is_refused():
    with pytest.raises(ValueError, match=r"score_bound must .* got 1\.7e\+308"):
        alibi.alibi_reach(0.5, 0.9, score_bound=1.7e308)


@pytest.mark.parametrize("scale", [1e300, 1.7e308])
@pytest.mark.parametrize("base", [1e4, 1e300])
def test_a_base_that_is_stretched_beyond_floats_is_refused(scale, base):
    wanted, setting = r"base stretched by scale must .* got", {"base": base}
    with pytest.raises(ValueError, match=wanted):
        rope.scaled_frequencies(4, scale=scale, method="ntk", **setting)
    with pytest.raises(ValueError, match=wanted):
        rope.dynamic_ntk_frequencies(4, 300, scale=scale, trained_len=100, **setting)
