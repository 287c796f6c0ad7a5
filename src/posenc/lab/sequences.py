"""Train short, test long: one task, one encoding, sequences of growing length."""

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from posenc.cape.nn import CapeEncoding
from posenc.core.checks import check_int

from . import training
from .encodings import ENCODINGS, Sizes, encoding_named
from .model import Transformer
from .tasks import IGNORED, task_named

#: Share of right answers at which a task counts as solved, in two evaluations running.
SOLVED = 0.98
#: Lengths of the test as multiples of the trained length.
STRETCHES = (1, 2, 4, 8, 16)
#: Tokens that each evaluation reads, about, and those that it reads at a time.
_TEST_TOKENS, _AT_ONCE = 16384, 8192


@dataclass(frozen=True)
class SequencePlan:
    """One task with one encoding and one seed.

    Attributes
    ----------
    task, encoding : str
        Keys of `TASKS` and of `ENCODINGS`.
    seed : int
        Of the first weights and of all sequences.
    max_steps : int
        Where to stop if the task is not solved by then; 0 for what the task says.
    batch : int
        Sequences per step.
    sizes : Sizes
        Sizes of the model. ``sizes.train_len`` tokens is the longest it trains on.
    """

    task: str
    encoding: str
    seed: int = 0
    max_steps: int = 0
    batch: int = 32
    sizes: Sizes = field(default_factory=Sizes)

    def __post_init__(self) -> None:
        task = task_named(self.task)
        encoding = encoding_named(self.encoding)
        if encoding.scaling:
            msg = (
                f"encoding must be one that is trained, got {self.encoding!r}, which "
                f"scales the rotations of a model trained with {encoding.trained_as!r}:"
                " train that one; its results hold both"
            )
            raise ValueError(msg)
        check_int("seed", self.seed)
        check_int("max_steps", self.max_steps)
        object.__setattr__(self, "max_steps", self.max_steps or task.max_steps)
        check_int("batch", self.batch, minimum=1)

    @property
    def name(self) -> str:
        """Name of its files, without ending."""
        return f"{self.task}-{self.encoding}-{self.seed}"

    def as_data(self) -> dict[str, Any]:
        """Content of the plan as JSON keeps it."""
        return {**asdict(self), "sizes": self.sizes._asdict()}

    def start(self) -> "SequenceRun":
        """A new run."""
        return SequenceRun(self)


class SequenceRun(training.Run):
    """Run of a `SequencePlan`."""

    learning_rate = 3e-3

    model: Transformer

    def __init__(self, plan: SequencePlan) -> None:
        self.task = task_named(plan.task)
        torch.manual_seed(plan.seed)
        model = Transformer(self.task.vocab_size, plan.encoding, plan.sizes)
        super().__init__(plan, model)

    @property
    def trained_length(self) -> int:
        """The longest sequences of training."""
        return self._fitting(self.plan.sizes.train_len)

    @property
    def solved(self) -> bool:
        """Whether the last two evaluations were both good enough."""
        last = self.curve.get("accuracy", [])[-2:]
        return len(last) == 2 and min(last) >= SOLVED

    def loss(self) -> Tensor:
        """Cross-entropy on sequences of a random length."""
        rng = np.random.default_rng([self.plan.seed, self.step, 1])
        step = self.task.step
        shortest = -(-self.task.shortest // step)
        length = step * int(
            rng.integers(shortest, self.trained_length // step, endpoint=True)
        )
        if isinstance(self.model.encoding, CapeEncoding):
            self.model.encoding.rng = rng  # so that a resumed run draws the same
        batch = self.task.draw(rng, self.plan.batch, length)
        tokens, targets = _tensors(batch.tokens, batch.targets)
        return _cross_entropy(self.model(tokens), targets)

    def evaluate(self, length: int) -> dict[str, float]:
        """Share of right answers, and loss above the least possible, in nats."""
        rng = np.random.default_rng([self.plan.seed, length, 2])
        number, size = (max(n // length, 1) for n in (_TEST_TOKENS, _AT_ONCE))
        batch = self.task.draw(rng, number, length)
        tokens, targets, scored = _tensors(batch.tokens, batch.targets, batch.scored)
        logits = torch.cat([self.model(part) for part in tokens.split(size)])
        right = (logits.argmax(-1) == targets)[scored]
        loss = _cross_entropy(logits, targets).item() - batch.floor
        accuracy = right.double().mean().item()
        return {"accuracy": round(accuracy, 5), "loss": round(loss, 5)}

    def tests(self) -> dict[str, Any]:
        """By encoding (more than one for RoPE) and length; None if undefined."""
        lengths = [self.plan.sizes.train_len * n for n in STRETCHES]
        return {
            name: {str(length): self._test(name, length) for length in lengths}
            for name, encoding in ENCODINGS.items()
            if encoding.trained_as == self.plan.encoding
        }

    def _test(self, name: str, length: int) -> dict[str, float] | None:
        bounded = ENCODINGS[name].bounded or self.task.bounded
        if bounded and length > self.plan.sizes.train_len:
            return None
        self.model.scale_rotations(name)
        measured = self.evaluate(self._fitting(length))
        self.model.scale_rotations(self.plan.encoding)
        return measured

    def _fitting(self, length: int) -> int:
        return length - length % self.task.step


def _tensors(*arrays: Any) -> list[Tensor]:
    return [torch.from_numpy(array).to(training.DEVICE) for array in arrays]


def _cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    return F.cross_entropy(
        logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORED
    )
