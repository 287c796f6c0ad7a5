"""Every public function and module through ``torch.export``, from length 2 to 4,096.

The calls are those of ``tests/<slug>/calls.py``, so that nothing new escapes.
"""

import pytest

torch = pytest.importorskip("torch")
from exported_calls import (  # noqa: E402
    FUNCTIONS,
    MODULES,
    function_of_tensors,
    module_of_tensors,
)

# jaxtyping's hook reads shapes, which stay open here.
pytestmark = [pytest.mark.slow, pytest.mark.bad_input]
#: They take numbers, strings or configurations alone.
OF_TENSORS = [name for name in FUNCTIONS if function_of_tensors(name).arguments()]


def check(call, lengths):
    """The program that torch writes gives what the call itself gives."""
    program = torch.export.export(
        call, call.arguments(), dynamic_shapes=call.open_axes()
    ).module()
    for length in lengths:
        arguments = call.arguments(length)
        torch.manual_seed(0)
        found = program(*arguments)
        torch.manual_seed(0)
        wanted = call(*arguments)
        torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-5, equal_nan=True)


@pytest.mark.parametrize("name", OF_TENSORS)
def test_a_function(name):
    call = function_of_tensors(name)
    check(call, [2 * call.step, min(66, call.longest)])


@pytest.mark.parametrize("name", MODULES)
def test_a_module_with_all_that_it_takes(name):
    call = module_of_tensors(name, options=True)
    check(call, [2 * call.step, 66, 500])


@pytest.mark.parametrize("name", MODULES)
def test_a_module_with_what_it_needs(name):
    call = module_of_tensors(name, options=False)
    check(call, [2 * call.step, 66, 4096])
