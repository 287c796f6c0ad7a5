"""Train short, test long: one task, one encoding, sequences of growing length."""

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from posenc.cape.nn import CapeEncoding
from posenc.core.checks import check_int

from . import distance_or_crowd, loop
from .encodings import ENCODINGS, Sizes, check_trainable
from .model import Transformer
from .tasks import IGNORED, task_named

#: Lengths of the test as multiples of the trained length.
STRETCHES = (1, 2, 4, 8, 16)
#: Rates of which the best is kept for each encoding.
LEARNING_RATES = (1e-3, 3e-3, 1e-2)
#: Tasks and encodings of which one run keeps its weights, for pages.
OPENED = {("copy", "t5"), ("copy", "rope"), ("index", "rope")}
#: Tokens that each evaluation reads, about, and those that it reads at a time.
_CURVE_TOKENS, _AT_ONCE = 16384, 8192
#: Answers and texts that a test has at least.
TEST_ANSWERS, TEST_TEXTS = 2000, 32


@dataclass(frozen=True)
class SequencePlan:
    """One task with one encoding, one learning rate and one seed.

    Attributes
    ----------
    task, encoding : str
        Keys of `TASKS` and of `ENCODINGS`.
    seed : int
        Of the first weights and of all sequences.
    learning_rate : float
        Height of the learning rate, one of `LEARNING_RATES` in the book.
    max_steps : int
        Steps of training; 0 for what the task says.
    batch : int
        Sequences per step.
    sizes : Sizes
        Sizes of the model. ``sizes.train_len`` tokens is the longest it trains on.
    """

    task: str
    encoding: str
    seed: int = 0
    learning_rate: float = 3e-3
    max_steps: int = 0
    batch: int = 32
    sizes: Sizes = field(default_factory=Sizes)

    def __post_init__(self) -> None:
        task = task_named(self.task)
        check_trainable(self.encoding, self.learning_rate)
        check_int("seed", self.seed, below=2**63)
        check_int("max_steps", self.max_steps)
        object.__setattr__(self, "max_steps", self.max_steps or task.max_steps)
        check_int("batch", self.batch, minimum=1)

    @property
    def name(self) -> str:
        """Name of its files, without ending."""
        rate = f"{self.learning_rate:g}"
        return f"{self.task}-{self.encoding}-{rate}-{self.seed}"

    @property
    def opened(self) -> bool:
        """True if its weights are kept: one run of those that pages look into."""
        return (self.task, self.encoding) in OPENED and self.seed == 1

    @property
    def taken_apart(self) -> bool:
        """True if distance and crowd are tested one by one."""
        return (
            self.seed != 0  # seed 0 chooses learning rates, no more
            and self.max_steps >= task_named(self.task).max_steps
            and (self.task, self.encoding) in distance_or_crowd.TESTED
        )

    @property
    def command(self) -> str | None:
        """Command line that trains it, if there is one."""
        return loop.command_line(
            "train", self, "task", "encoding", "seed", "learning_rate"
        )

    def as_data(self) -> dict[str, Any]:
        """Return the content of the plan as JSON keeps it."""
        return {**asdict(self), "sizes": self.sizes._asdict()}

    def start(self) -> "SequenceRun":
        """Return a new run."""
        return SequenceRun(self)


class SequenceRun(loop.Run):
    """Run of a `SequencePlan`."""

    model: Transformer

    def __init__(self, plan: SequencePlan) -> None:
        self.task = task_named(plan.task)
        torch.manual_seed(plan.seed)
        model = Transformer(self.task.vocab_size, plan.encoding, plan.sizes)
        super().__init__(plan, model)

    @property
    def trained_length(self) -> int:
        """The longest sequences of training."""
        return self.fitting(self.plan.sizes.train_len)

    def loss(self) -> Tensor:
        """Return the cross-entropy on sequences of a random length."""
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
        """Return the share of right answers, and the loss above the least in nats."""
        rng = np.random.default_rng([self.plan.seed, length, 2])
        number = max(_CURVE_TOKENS // length, 1)
        rights, loss = self._answer(rng, number, length)
        accuracy = float(np.concatenate(rights).mean())
        return {"accuracy": round(accuracy, 5), "loss": round(loss, 5)}

    def weights(self) -> dict[str, Any]:
        """Return all weights, if a page looks inside."""
        return self.all_weights() if self.plan.opened else {}

    def tests(self) -> dict[str, Any]:
        """Return tests by encoding (several if the model can be changed) and length.

        Each holds the share of right answers, its standard error, the loss above the
        least possible, and the number of answers; or None, if the length is undefined.
        """
        lengths = [self.plan.sizes.train_len * n for n in STRETCHES]
        return {
            name: {str(length): self.test(name, length) for length in lengths}
            for name, encoding in ENCODINGS.items()
            if encoding.trained_as == self.plan.encoding
        }

    def results(self) -> dict[str, Any]:
        """Return what is kept of the run; of some, two more tests."""
        results = super().results()
        if self.plan.taken_apart:
            results["apart"] = distance_or_crowd.tests(self)
        return results

    def test(self, name: str, length: int) -> dict[str, float] | None:
        """Return right answers and loss at one length; None where it is undefined.

        Parameters
        ----------
        name : str
            The trained encoding, or one that changes it.
        length : int
            Tokens of each text, about: a task has multiples of its step.
        """
        bounded = ENCODINGS[name].bounded or self.task.bounded
        if bounded and length > self.plan.sizes.train_len:
            return None
        length = self.fitting(length)
        rng = np.random.default_rng([self.plan.seed, length, 3])
        number = self.texts(length)
        self.model.change_to(name)
        rights, loss = self._answer(rng, number, length)
        self.model.change_to(self.plan.encoding)
        return {**shares(rights), "loss": round(loss, 5)}

    def _answer(
        self, rng: np.random.Generator, number: int, length: int
    ) -> tuple[list[Any], float]:
        """Return which answers are right, by text, and the loss above the least."""
        size, rights, losses = max(_AT_ONCE // length, 1), [], []
        for first in range(0, number, size):
            batch = self.task.draw(rng, min(size, number - first), length)
            tokens, targets = _tensors(batch.tokens, batch.targets)
            logits = self.model(tokens)
            right = (logits.argmax(-1) == targets).cpu().numpy()
            rights += [r[s] for r, s in zip(right, batch.scored, strict=True)]
            loss = _cross_entropy(logits, targets).item() - batch.floor
            losses.append(loss * len(tokens))
        return rights, sum(losses) / number

    def fitting(self, length: int) -> int:
        """Return the next lower length that the task has."""
        return length - length % self.task.step

    def texts(self, length: int) -> int:
        """Return texts of a length that a test needs."""
        answers = self.task.draw(np.random.default_rng(0), 8, length).scored.sum() / 8
        return max(int(np.ceil(TEST_ANSWERS / answers)), TEST_TEXTS)


def _tensors(*arrays: Any) -> list[Tensor]:
    return [torch.from_numpy(array).to(loop.DEVICE) for array in arrays]


def _cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    return F.cross_entropy(
        logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORED
    )


def shares(rights: list[Any]) -> dict[str, float]:
    """Return the share of right answers with its standard error, text by text.

    Answers to the same text are no independent draws, so the error is taken from the
    differences between texts.
    """
    answers = np.array([len(answered) for answered in rights])
    right = np.array([answered.sum() for answered in rights])
    share = right.sum() / answers.sum()
    apart = right - share * answers
    error = np.sqrt((apart**2).sum() * len(rights) / (len(rights) - 1)) / answers.sum()
    return {
        "accuracy": round(float(share), 5),
        "error": round(float(error), 5),
        "answers": int(answers.sum()),
    }
