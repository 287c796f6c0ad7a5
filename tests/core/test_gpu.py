"""On a GPU: the numbers of the CPU, nothing that waits, and CUDA graphs.

Where no GPU is, fake tensors show what would be done there. The sweeps over everything
public need one; they take the calls of ``tests/<slug>/calls.py``.
"""

import numpy as np
import pytest
from public_calls import (
    as_torch,
    function_call,
    module_call,
    parts,
    public_functions,
    public_modules,
)

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.bad_input


def on_a_gpu(names):
    """A test for each name, or a single one that is skipped: it needs a GPU."""
    return pytest.mark.parametrize("name", names if torch.cuda.is_available() else [])


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
