"""A language model of bytes: trained on this book's own text, tested on longer ones.

The text is frozen (`book_text.json` names its commit), so that runs stay comparable
when chapters change. One chapter is never trained on.
"""

import json
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from posenc.cape.nn import CapeEncoding
from posenc.core.checks import check_int

from . import loop
from .encodings import ENCODINGS, Sizes, check_trainable
from .model import Transformer

#: Bytes, and the start sign in front of every text.
VOCAB_SIZE, START = 257, 256
#: Lengths of the test as multiples of the trained length.
STRETCHES = (1, 2, 4, 8, 16)
#: Texts of the test, and how many bytes at the end of each are foretold.
TEXTS, SCORED = 48, 128
#: Encodings that pages look into, and their parameters that one run keeps.
OPENED = {"t5": "bias.table", "shaw": "_table"}
#: Texts of an evaluation during training, and tokens that a test reads at a time.
_CURVE_TEXTS, _AT_ONCE = 32, 8192


@cache
def book_text() -> dict[str, Any]:
    """Return the frozen text for training and test: UTF-8 bytes as uint8 arrays.

    Raises
    ------
    FileNotFoundError
        If the package was installed without the text, which only a checkout holds.
    """
    path = Path(__file__).with_name("book_text.json")
    if not path.exists():
        msg = f"the book's text lies in a checkout of the book alone, not here: {path}"
        raise FileNotFoundError(msg)
    parts = json.loads(path.read_text(encoding="utf-8"))
    for part in ("train", "test"):
        parts[part] = np.frombuffer(parts[part].encode(), np.uint8)
    return dict(parts)


@dataclass(frozen=True)
class TextPlan:
    """A language model with one encoding and one seed.

    Attributes
    ----------
    encoding : str
        Key of `ENCODINGS`.
    seed, learning_rate, max_steps, batch, sizes
        As in `posenc.training.sequences.SequencePlan`.
    """

    encoding: str
    seed: int = 0
    learning_rate: float = 2e-3
    max_steps: int = 1500
    batch: int = 16
    sizes: Sizes = field(default_factory=lambda: Sizes(256, 128, 4, 3))

    def __post_init__(self) -> None:
        check_trainable(self.encoding, self.learning_rate)
        for name in ("seed", "max_steps", "batch"):
            check_int(name, getattr(self, name), minimum=name != "seed")

    @property
    def name(self) -> str:
        """Name of its files, without ending."""
        return f"text-{self.encoding}-{self.seed}"

    @property
    def opened(self) -> bool:
        """True if its weights are kept: one run of those that pages look into."""
        return self.encoding in OPENED and self.seed == 0

    @property
    def command(self) -> str | None:
        """Command line that trains it, if there is one."""
        return loop.command_line("text", self, "encoding", "seed", "learning_rate")

    def as_data(self) -> dict[str, Any]:
        """Return the content of the plan as JSON keeps it."""
        return {**asdict(self), "sizes": self.sizes._asdict()}

    def start(self) -> "TextRun":
        """Return a new run."""
        return TextRun(self)


class TextRun(loop.Run):
    """Run of a `TextPlan`."""

    model: Transformer

    def __init__(self, plan: TextPlan) -> None:
        torch.manual_seed(plan.seed)
        super().__init__(plan, Transformer(VOCAB_SIZE, plan.encoding, plan.sizes))

    @property
    def trained_length(self) -> int:
        """Tokens of each text of training, the start sign among them."""
        return int(self.plan.sizes.train_len)

    def loss(self) -> Tensor:
        """Return the next byte's cross-entropy, in nats, on texts from anywhere."""
        rng = np.random.default_rng([self.plan.seed, self.step, 1])
        if isinstance(self.model.encoding, CapeEncoding):
            self.model.encoding.rng = rng  # so that a resumed run draws the same
        text, length = book_text()["train"], self.trained_length
        ends = rng.integers(length, len(text), size=self.plan.batch, endpoint=True)
        return self._losses(text, ends, length).mean()

    def evaluate(self, length: int) -> dict[str, float]:
        """Return the mean loss at all places of texts of the held-out chapter."""
        rng = np.random.default_rng([length, 2])
        text = book_text()["test"]
        ends = rng.integers(length, len(text), size=_CURVE_TEXTS, endpoint=True)
        return {"loss": round(self._losses(text, ends, length).mean().item(), 5)}

    def tests(self) -> dict[str, Any]:
        """Return mean losses at texts' ends by encoding and length; None if undefined.

        The bytes that are foretold are the same at every length. What differs is how
        much text stands before them.
        """
        lengths = [self.trained_length * n for n in STRETCHES]
        return {
            name: {str(length): self._test(name, length) for length in lengths}
            for name, encoding in ENCODINGS.items()
            if encoding.trained_as == self.plan.encoding
        }

    def weights(self) -> dict[str, Any]:
        """Return what the encoding learned, if a page looks inside."""
        if not self.plan.opened:
            return {}
        part = OPENED[self.plan.encoding]
        return {name: v for name, v in self.all_weights().items() if part in name}

    def _test(self, name: str, length: int) -> dict[str, Any] | None:
        if ENCODINGS[name].bounded and length > self.trained_length:
            return None
        text = book_text()["test"]
        longest = self.trained_length * STRETCHES[-1]
        ends = np.linspace(longest, len(text), TEXTS).astype(int)
        self.model.change_to(name)
        size = max(_AT_ONCE // length, 1)
        losses_of_texts: list[float] = []
        for some in np.split(ends, range(size, TEXTS, size)):
            losses = self._losses(text, some, length)[:, -SCORED:]
            losses_of_texts += losses.mean(dim=1).tolist()
        self.model.change_to(self.plan.encoding)
        return {"losses": [round(loss, 4) for loss in losses_of_texts]}

    def _losses(self, text: Any, ends: Any, length: int) -> Tensor:
        """Return losses of the `length` bytes before each end: (len(ends), length)."""
        rows = text[ends[:, None] + np.arange(-length, 0)].astype(np.int64)
        targets = torch.from_numpy(rows).to(loop.DEVICE)
        tokens = F.pad(targets[:, :-1], (1, 0), value=START)
        logits = self.model(tokens).flatten(0, 1)
        losses = F.cross_entropy(logits, targets.flatten(), reduction="none")
        return losses.unflatten(0, targets.shape)
