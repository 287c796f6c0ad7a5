"""Public functions and modules as torch's exporters want them: open in their length."""

import inspect

import torch
from public_calls import (
    LENGTH,
    as_torch,
    at_length,
    function_call,
    module_call,
    parts,
    public_functions,
    public_modules,
)

FUNCTIONS, MODULES = public_functions(), public_modules()
#: Arguments that are one sequence length, as numbers.
LENGTHS = ("q_len", "k_len", "seq_len")
#: Modules that have a longest sequence.
ROOM = {
    "sinusoidal.LearnedEncoding": {"max_len": 4200},
    "music_transformer.MusicGlobalAttention": {"max_len": 4200},
}
#: Settings with which a module needs no argument that has a default.
ALONE = {"swin.WindowAttention": {"key_window": None}}  # else it needs `context`
#: Functions whose tables, in these calls, end at a longest sequence.
LONGEST = {
    "music_transformer.attention_scores": 61,
    "music_transformer.attention_scores_blocked": 31,
    "music_transformer.position_scores": 61,
    "music_transformer.relative_attention": 61,
}
#: Blocks of two tokens: no other lengths are taken.
IN_BLOCKS = (
    "music_transformer.local_attention",
    "music_transformer.local_position_scores",
    "music_transformer.MusicLocalAttention",
)


class OfTensors(torch.nn.Module):
    """A call as a module whose arguments are tensors alone.

    Lengths that the call gives as numbers are read from one tensor more, so that they
    stay open.
    """

    def __init__(self, name, run, call):
        super().__init__()
        self.run = run
        self.tensors = {k: v for k, v in call.items() if isinstance(v, torch.Tensor)}
        self.rest = {k: v for k, v in call.items() if k not in self.tensors}
        self.lengths = [k for k in LENGTHS if self.rest.get(k) == LENGTH]
        self.step = 2 if name in IN_BLOCKS else 1
        self.longest = LONGEST.get(name, 4096)

    def arguments(self, length=LENGTH):
        """Those of `forward`, at any length."""
        tensors = at_length(self.tensors, length).values()
        return (*((torch.zeros(length),) if self.lengths else ()), *tensors)

    def open_axes(self):
        """Axes of each argument that are a length, for `dynamic_shapes`."""
        n = torch.export.Dim("n", min=2, max=self.longest // self.step)
        length = n if self.step == 1 else self.step * n  # from 2, or from two blocks on
        sizes = {LENGTH: length, 2 * LENGTH - 1: 2 * length - 1}
        axes = (
            {
                axis: sizes[size]
                for axis, size in enumerate(value.shape)
                if size in sizes
            }
            for value in self.arguments()
        )
        return (tuple(axes),)  # `forward` has one parameter, of any number of tensors

    def forward(self, *arguments):
        values = list(arguments)
        size = values.pop(0).shape[0] if self.lengths else None
        lengths = dict.fromkeys(self.lengths, size)
        tensors = dict(zip(self.tensors, values, strict=True))
        return parts(self.run(**self.rest | lengths | tensors))


def function_of_tensors(name):
    """A function in its call."""
    call = as_torch(function_call(name))
    if "rng" in call:
        call["rng"] = None  # torch's own, which it can follow
    return OfTensors(name, FUNCTIONS[name], call)


def module_of_tensors(name, *, options):
    """A module in its call, with all arguments or with those that it needs alone."""
    made, called = module_call(name)
    made |= ROOM.get(name, {}) | ({} if options else ALONE.get(name, {}))
    torch.manual_seed(0)
    module = MODULES[name](**made).eval()
    if not options:
        parameters = inspect.signature(module.forward).parameters.items()
        needed = [k for k, p in parameters if p.default is inspect.Parameter.empty]
        called = {key: called[key] for key in needed}
    return OfTensors(name, module, called)
