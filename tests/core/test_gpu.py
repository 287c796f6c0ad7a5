"""On a GPU: the numbers of the CPU, nothing that waits, and CUDA graphs.

Where no GPU is, fake tensors show what would be done there. The sweeps over everything
public need one; they take the calls of ``tests/<slug>/calls.py``.
"""

import numpy as np
import pytest
from public_calls import (
    as_torch,
    float_arrays,
    function_call,
    module_call,
    parts,
    public_functions,
    public_modules,
)

from posenc.core import checks, dtypes
from posenc.linear_attention import state
from posenc.t5 import buckets, relative_position_bucket

torch = pytest.importorskip("torch")
from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402

pytestmark = pytest.mark.bad_input


def on_a_gpu(names):
    """A test for each name, or a single one that is skipped: it needs a GPU."""
    return pytest.mark.parametrize("name", names if torch.cuda.is_available() else [])


def test_a_gpu_gets_all_chunks_at_once():
    with FakeTensorMode():
        there = torch.empty(1, device="cuda")
    assert state._runs_all_at_once(there)
    assert not state._runs_all_at_once(torch.empty(1), np.empty(1))


def test_starts_of_buckets_are_copied_to_a_device_once(monkeypatch):
    far = torch.tensor([-200, 3])
    first = relative_position_bucket(far, max_distance=129)
    monkeypatch.setattr(buckets, "_starts", lambda *_: pytest.fail("made again"))
    assert torch.equal(relative_position_bucket(far, max_distance=129), first)


def test_no_value_is_read_while_a_graph_is_recorded(monkeypatch):
    bad = torch.tensor([torch.nan])
    with FakeTensorMode():
        there = torch.empty(1, device="cuda")
    assert not dtypes.is_captured(there)
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_current_stream_capturing", lambda: True)
    assert dtypes.is_captured(there)
    assert not dtypes.is_captured(bad)
    with pytest.raises(ValueError, match="finite"):
        checks.check_finite("x", bad)
    monkeypatch.setattr(checks, "is_captured", lambda array: True)
    monkeypatch.setattr(dtypes, "is_captured", lambda array: True)
    checks.check_finite("x", bad)
    assert not dtypes.any_true(bad != bad)


def moved(call, device, dtype):
    """The call with tensors of the dtype on the device, and generators begun anew."""
    out = {}
    for key, value in call.items():
        if isinstance(value, torch.Tensor):
            to = dtype if value.is_floating_point() else value.dtype
            value = value.to(device=device, dtype=to)
        elif isinstance(value, torch.Generator):
            value = torch.Generator().manual_seed(1)
        elif isinstance(value, np.random.Generator):
            value = np.random.default_rng(1)
        out[key] = device if key == "device" else value
    return out


def assert_same(results, wanted, tolerance):
    for result, want in zip(parts(results), parts(wanted), strict=True):
        if isinstance(want, torch.Tensor):
            assert result.dtype == want.dtype
            torch.testing.assert_close(
                result.cpu(), want, rtol=tolerance, atol=tolerance, equal_nan=True
            )


@on_a_gpu(public_functions())
@pytest.mark.parametrize(
    ("dtype", "tolerance"), [("float32", 1e-5), ("float64", 1e-12), ("bfloat16", 2e-2)]
)
def test_a_function_gives_the_same_there(name, dtype, tolerance):
    function, call = public_functions()[name], as_torch(function_call(name))
    dtype = getattr(torch, dtype)
    try:
        wanted = function(**moved(call, "cpu", dtype))
    except (TypeError, ValueError) as refused:  # positions in bfloat16
        with pytest.raises(type(refused)):
            function(**moved(call, "cuda", dtype))
        return
    result = function(**moved(call, "cuda", dtype))
    assert_same(result, wanted, tolerance)
    tensors = [one for one in parts(result) if isinstance(one, torch.Tensor)]
    assert {one.device.type for one in tensors} <= {"cuda"}


@on_a_gpu(public_functions())
def test_gradients_are_the_same_there(name):
    gradients = []
    for device in ("cpu", "cuda"):
        call = moved(as_torch(function_call(name)), device, torch.float64)
        given = [
            call[key].requires_grad_() for key in float_arrays(function_call(name))
        ]
        outs = [one for one in parts(public_functions()[name](**call)) if _has_way(one)]
        if not outs:
            return
        total = sum(one.abs().nan_to_num(0, 0, 0).sum() for one in outs)
        gradients.append(torch.autograd.grad(total, given, allow_unused=True))
    for there, here in zip(*reversed(gradients), strict=True):
        assert (there is None) == (here is None)
        if here is not None:
            torch.testing.assert_close(there.cpu(), here)


def _has_way(one):
    return isinstance(one, torch.Tensor) and one.requires_grad


@on_a_gpu(public_modules())
def test_a_module_works_there_and_in_a_cuda_graph(name):
    made, called = module_call(name)
    module = public_modules()[name](**made).eval()
    wanted = module(**called)
    module, called = module.cuda(), moved(called, "cuda", torch.float32)
    assert_same(module(**called), wanted, 1e-5)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream), torch.no_grad():
        for _ in range(3):
            module(**called)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.no_grad(), torch.cuda.graph(graph):
        out = module(**called)
    graph.replay()
    torch.cuda.synchronize()
    assert_same(out, wanted, 1e-5)
