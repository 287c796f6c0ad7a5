"""Every function and module on a device that has no float64, such as Apple's MPS.

Meta tensors stand for those of the device: a mode refuses float64 among them, as MPS
does. What comes out is read on the CPU, which is said to have no float64 either.
The calls are those of ``tests/<slug>/calls.py``, so that no new function escapes.
"""

import math

import numpy as np
import pytest
from public_calls import (
    as_torch,
    float_arrays,
    function_call,
    mod_call,
    module_call,
    parts,
    public_functions,
    public_mods,
    public_modules,
)

from posenc.core import angles as core_angles
from posenc.core import dtypes

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.bad_input

WIDE = (torch.float64, torch.complex128)
#: Optional arguments of a module's call: it is made without them, too.
OPTIONAL = ("positions", "mask", "past", "bias")


@pytest.fixture
def device():
    """A device that refuses float64, as MPS does: the meta device."""
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    def refused(out):
        for one in tree_leaves(out):
            if isinstance(one, torch.Tensor) and one.is_meta and one.dtype in WIDE:
                msg = "Cannot convert a MPS Tensor to float64"
                raise TypeError(msg)
        return out

    class NoFloat64(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            given = [one for one in tree_leaves(args) if isinstance(one, torch.Tensor)]
            devices = {one.device for one in given if one.ndim or one.is_meta}
            if "copy" not in str(func) and len(devices) > 1:
                msg = "Expected all tensors to be on the same device"
                raise RuntimeError(msg)
            return refused(func(*args, **(kwargs or {})))

    class NorFromLists(TorchFunctionMode):  # the other mode does not see torch.tensor
        def __torch_function__(self, func, types, args=(), kwargs=None):
            return refused(func(*args, **(kwargs or {})))

    with NoFloat64(), NorFromLists():
        yield "meta"


@pytest.fixture
def narrow_cpu(monkeypatch):
    """The CPU, said to have no float64: what comes out there can be read."""
    monkeypatch.setattr(dtypes, "has_float64", lambda device: False)
    monkeypatch.setattr(core_angles, "lies_wide", lambda array: False)


def narrow(call, device="cpu"):
    """The call with float32 tensors on the device."""
    return {key: _narrow(key, value, device) for key, value in call.items()}


def _narrow(key, value, device):
    if isinstance(value, torch.Tensor):
        smaller = {torch.float64: torch.float32, torch.complex128: torch.complex64}
        return value.to(device=device, dtype=smaller.get(value.dtype, value.dtype))
    return device if key == "device" else value


#: The position that comes next is in its cache, on the CPU: so nobody waits for it.
COUNTS_ON_CPU = "rope.RotaryAttention"


def assert_there(result, device, name=""):
    tensors = [one for one in parts(result) if isinstance(one, torch.Tensor)]
    counts = tensors.pop() if name == COUNTS_ON_CPU else torch.zeros(())
    assert counts.device.type in ("cpu", device)
    assert {one.device.type for one in tensors} <= {device}


def test_only_devices_that_refuse_float64_are_without_it():
    for kind in ("cpu", "cuda", "cuda:1", "meta", torch.device("cuda", 0)):
        assert dtypes.has_float64(kind)
    assert not dtypes.has_float64(torch.device("mps", 0))


@pytest.mark.parametrize("name", public_functions())
def test_a_function_makes_no_float64_there(name, device):
    call = narrow(as_torch(function_call(name)), device)
    assert_there(public_functions()[name](**call), device)


def _places(name):
    """Names of the arguments that are positions, which may be whole numbers or not."""
    if name == "cape.augmented_positions":  # its positions are never whole
        return set()
    names = {"positions", "distance", "rows", "columns", "frames"}
    return names & {*float_arrays(function_call(name))}


@pytest.mark.parametrize("name", [n for n in public_functions() if _places(n)])
def test_whole_positions_make_no_float64_there(name, device):
    call = narrow(as_torch(function_call(name)), device)
    for key in _places(name):
        call[key] = call[key].long()
    assert_there(public_functions()[name](**call), device)


#: Other ways through a function than the call of the table takes.
OTHER_WAYS = [
    ("sinusoidal.sinusoidal_encoding", {"frequencies": "tensor2tensor"}),
    ("sinusoidal.sinusoidal_table", {"frequencies": "tensor2tensor", "layout": "half"}),
    ("rope.rotary_angles", {"frequencies": torch.tensor([1.0, 0.1])}),
    ("rope.rotary_angles", {"frequencies": (1.0, 0.1)}),
    ("rope.scaled_angles", {"method": "interpolation"}),
    ("rope.scaled_angles", {"method": "ntk"}),
    ("rope.scaled_frequencies", {"method": "interpolation"}),
    ("rope.scaled_frequencies", {"method": "ntk"}),
    ("rope.yarn_frequencies", {"ramp": "pairs"}),
    ("rope.decay_bound", {"distance": 7.5}),
    ("alibi.alibi_bias", {"symmetric": True}),
    ("linear_attention.linear_attention", {"causal": False, "decay": None}),
    ("linear_attention.linear_attention", {"decay": torch.tensor([0.9, 0.5])}),
    ("linear_attention.recurrent_form", {"decay": torch.tensor([0.9, 0.5])}),
    ("cape.augmented_positions", {"rng": None, "mask": None}),
    ("cape.augmented_positions", {"rng": torch.Generator(), "center": False}),
]


@pytest.mark.parametrize(("name", "other"), OTHER_WAYS)
def test_no_other_way_makes_float64_there(name, other, device):
    call = narrow(as_torch(function_call(name)) | other, device)
    assert_there(public_functions()[name](**call), device)


@pytest.mark.parametrize(
    "name", [n for n in public_functions() if "device" in function_call(n)]
)
def test_a_function_follows_the_default_device(name, device):
    call = as_torch(function_call(name)) | {"device": None}
    with torch.device(device):
        assert_there(public_functions()[name](**call), device)


@pytest.mark.parametrize("name", public_mods())
def test_what_makes_a_mod_makes_no_float64_there(name, device):
    public_mods()[name](**narrow(mod_call(name), device))


@pytest.mark.parametrize("name", public_modules())
def test_a_module_makes_no_float64_there(name, device):
    made, called = module_call(name)
    called = narrow(called, device)
    with torch.device(device):
        modules = [public_modules()[name](**made)]
    modules += [
        public_modules()[name](**made).to(device).train(on) for on in (False, True)
    ]
    for module in modules:
        assert_there(module(**called), device, name)
    for key in OPTIONAL:
        if called.get(key, None) is not None:
            assert_there(module(**(called | {key: None})), device, name)


def test_decay_and_frequencies_of_modules_make_no_float64_there(device):
    from posenc import nn

    x = torch.ones(1, 5, 8, device=device)
    place = torch.arange(5, device=device)
    linear = nn.LinearAttention(8, 2, causal=True, decay=(0.9, 0.95)).to(device)
    assert_there(linear(x), device)
    own = nn.RotaryEmbedding(8, frequencies=(1.0, 0.5, 0.2, 0.1))
    assert_there(own(x[:, None], positions=place), device)
    assert_there(nn.RotaryAttention(8, 2).to(device)(x, positions=place), device)


@pytest.mark.parametrize("name", public_functions())
def test_a_function_gives_there_what_it_gives_elsewhere(name, request):
    function, call = public_functions()[name], narrow(as_torch(function_call(name)))
    wanted = parts(function(**_fresh(call)))
    request.getfixturevalue("narrow_cpu")
    _assert_near(parts(function(**_fresh(call))), wanted)


def _fresh(call):
    """The call with a generator that begins anew."""
    if isinstance(call.get("rng"), np.random.Generator):
        return call | {"rng": np.random.default_rng(0)}
    return call


def _assert_near(found, wanted):
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        if not isinstance(other, torch.Tensor):
            continue  # sentences and plain numbers
        assert one.dtype not in WIDE
        one, other = (part.to(torch.complex128) for part in (one, other))
        torch.testing.assert_close(one, other, rtol=1e-6, atol=1e-6)


def exact_angles(places, theta):
    """Angles modulo 2 pi, by arithmetic with 80 digits."""
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(80):
        whole = 2 * mpmath.pi
        rows = [[mpmath.mpf(m) * mpmath.mpf(t) % whole for t in theta] for m in places]
        return np.asarray([[float(angle) for angle in row] for row in rows])


def assert_right(found, places, theta):
    """Float32 angles are right to 7e-7, as far as float64 knows the frequencies.

    That is to 2**-52 of them, and here also to half of a unit of 2**-64 turns.
    """
    assert found.dtype == torch.float32
    assert found.min() >= 0
    assert found.max() <= 2 * math.pi + 2e-7
    apart = np.abs(found.double().numpy() - exact_angles(places, theta))
    apart = np.minimum(apart, abs(2 * math.pi - apart))  # on the circle
    unknown = np.multiply.outer(np.abs(places), theta * 2.0**-52 + 2.0**-62)
    assert (apart < 7e-7 + unknown).all()


THETA = np.concatenate([core_angles.frequencies(64), [math.pi, 7.5, 500.0]])


WHOLE = [0, 1, 2, 7, 2**24 + 1, -1, -5, -(2**20) - 1]
WHOLE += [2**power + n for power in range(20, 53, 4) for n in (-1, 0, 1)]
FRACTIONS = [0.5, -0.25, 1e-9, -1e-9, 1e-30, 3.1, -3.1, 1000.7, -77.77, 2**18 + 0.4]


@pytest.mark.parametrize("places", [WHOLE, [*FRACTIONS, 2.0**24, 2.0**30, 2.0**52]])
def test_angles_are_right_there(places, narrow_cpu):
    found = core_angles.angles(torch.tensor(places), torch.tensor(THETA))
    assert_right(found, torch.tensor(places).tolist(), THETA)


def test_gradients_flow_there_as_elsewhere(request):
    places = torch.tensor([[0.5, 1000.25, -3.0]])
    theta = torch.tensor(core_angles.frequencies(8))

    def gradients():
        m, t = places.clone().requires_grad_(), theta.clone().requires_grad_()
        core_angles.angles(m, t).sin().sum().backward()
        return m.grad, t.grad.float()

    wanted = gradients()
    request.getfixturevalue("narrow_cpu")
    torch.testing.assert_close(gradients(), wanted, rtol=1e-5, atol=1e-6)


def test_the_mean_of_far_positions_is_right_there(narrow_cpu):
    from posenc.cape import augmented_positions

    off = {"max_global_shift": 0, "max_local_shift": 0, "max_scale": 1, "rng": None}
    steps = torch.tensor([0.0, 1, 3, 50])
    found = augmented_positions(steps + 2**20, **off)
    torch.testing.assert_close(found, steps - 13.5)


def test_angles_go_through_transforms_there(narrow_cpu):
    places, theta = torch.tensor([0.5, 1000.25]), torch.tensor([1.0, 0.25]).double()
    each = torch.func.vmap(lambda m: core_angles.angles(m, theta))(places)
    torch.testing.assert_close(each, core_angles.angles(places, theta))
