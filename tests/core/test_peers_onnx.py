"""Every public module through ONNX and onnxruntime, at open lengths."""

import warnings

import numpy as np
import onnxruntime
import pytest
import torch
from exported_calls import MODULES, function_of_tensors, module_of_tensors
from torch.onnx import OnnxExporterError

from posenc.nn import RotaryEmbedding, SinusoidalEncoding

pytestmark = [
    pytest.mark.slow,
    pytest.mark.bad_input,  # jaxtyping's hook reads shapes, which stay open here
    pytest.mark.usefixtures("no_network"),
]


@pytest.fixture
def in_onnxruntime(tmp_path):
    """A function that runs in onnxruntime what a module computes."""

    def exported(module, arguments, open_axes):
        file = tmp_path / "module.onnx"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the exporter's own code
            torch.onnx.export(
                module.eval(),
                arguments,
                file,
                dynamo=True,
                verbose=False,
                dynamic_shapes=open_axes,
            )
        session = onnxruntime.InferenceSession(file)
        names = [one.name for one in session.get_inputs()]

        def run(*arguments):
            given = [argument.numpy() for argument in arguments]
            return session.run(None, dict(zip(names, given, strict=True)))

        return run

    return exported


@pytest.mark.parametrize("name", MODULES)
def test_a_module(name, in_onnxruntime):
    call = module_of_tensors(name, options=False)
    run = in_onnxruntime(call, call.arguments(), call.open_axes())
    for length in (2 * call.step, 66, 300):
        arguments = call.arguments(length)
        (wanted, *_) = call(*arguments)
        (found, *_) = run(*arguments)
        np.testing.assert_allclose(found, wanted.detach(), rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize(
    "name", ["rope.apply_rotary_complex", "sinusoidal.binary_encoding"]
)
def test_a_function_that_the_page_names_stays_out(name, in_onnxruntime):
    call = function_of_tensors(name)
    with pytest.raises(OnnxExporterError, match=r"complex64|rshift"):
        in_onnxruntime(call, call.arguments(), call.open_axes())


class Far(torch.nn.Module):
    """An encoding of tokens from position 1,000,000 on."""

    def __init__(self, encoding):
        super().__init__()
        self.encoding = encoding

    def forward(self, x):
        return self.encoding(x, offset=1_000_000)


@pytest.mark.parametrize("kind", [RotaryEmbedding, SinusoidalEncoding])
@pytest.mark.parametrize("base", [10_000.0, 1234.567])
def test_angles_are_as_right_as_ours_far_out(kind, base, in_onnxruntime):
    # A number of Python's becomes float32 in the file: 2 pi as well, and the base.
    module, x = Far(kind(8, base=base)), torch.ones(1, 2, 5, 8)
    found = in_onnxruntime(module, (x,), None)(x)[0]
    np.testing.assert_allclose(found, module(x), rtol=0, atol=1e-6)
