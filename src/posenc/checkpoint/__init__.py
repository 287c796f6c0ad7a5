"""The meaning of a checkpoint's config.json for positions.

`describe` reads the configuration of a model of transformers, in its old spelling or
the new one, and says which method it has, how fast each pair of each layer turns, where
it was trained, and which of its keys popular loaders get wrong. In the shell,
``python -m posenc config config.json`` prints a report, and ``python -m posenc check
--config config.json module:function`` says whether code does what a configuration says.

References
----------
The code of https://github.com/huggingface/transformers, version 5.23.
"""

from .description import describe
from .layers import (
    Checkpoint,
    Group,
    Layer,
    Planes,
    chosen_layer,
    first_untrained,
    groups,
    planes,
)
from .published import families
from .report import as_dict, report
from .rope_types import Rotation

__all__ = [
    "Checkpoint",
    "Group",
    "Layer",
    "Planes",
    "Rotation",
    "as_dict",
    "chosen_layer",
    "describe",
    "families",
    "first_untrained",
    "groups",
    "planes",
    "report",
]
