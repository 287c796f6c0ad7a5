"""A small Transformer-XL with a memory, tested with longer ones, clamped or not.

A token is a fact, a key with its value, or a question, a key alone: what was said of it
last? Many a question is about a fact of an earlier segment, so that a longer memory
holds more of the answers, if the model can use it.
"""

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from posenc.core.checks import check_int
from posenc.transformer_xl.nn import TransformerXL

from . import loop
from .tasks import IGNORED

#: Kinds of facts: each draws the value of its key anew, or repeats the first one.
FACTS = ("changing", "lasting")
#: Lengths of the test's memories as multiples of the trained one.
STRETCHES = (0, 1, 2, 4, 8)
#: Streams of the test, its segments that count, and streams of an evaluation.
_STREAMS, _SCORED, _CURVE_STREAMS = 100, 8, 32


@dataclass(frozen=True)
class MemoryPlan:
    """One model, with one seed.

    Attributes
    ----------
    facts : str
        One of `FACTS`.
    seed, learning_rate, max_steps, batch
        As in `posenc.training.sequences.SequencePlan`; a step reads `batch` streams.
    d_model, num_layers : int
        Sizes of the model, which has two heads.
    segment_len, memory_len, segments : int
        Tokens of a segment and of the memory in training, and segments of a stream.
    keys, values : int
        Keys that there are, and values that each can have.
    """

    facts: str = "changing"
    seed: int = 1
    learning_rate: float = 3e-3
    max_steps: int = 1000
    batch: int = 16
    d_model: int = 64
    num_layers: int = 2
    segment_len: int = 16
    memory_len: int = 32
    segments: int = 6
    keys: int = 32
    values: int = 16

    def __post_init__(self) -> None:
        if self.facts not in FACTS:
            msg = f"facts must be one of {FACTS}, got {self.facts!r}: choose one"
            raise ValueError(msg)
        for name in ("seed", "max_steps", "batch", "segment_len", "memory_len"):
            check_int(name, getattr(self, name), minimum=name != "seed")

    @property
    def name(self) -> str:
        """Name of its files, without ending."""
        return f"memory-{self.facts}-{self.seed}"

    @property
    def clamp_len(self) -> int:
        """The largest distance of training."""
        return self.memory_len + self.segment_len - 1

    @property
    def command(self) -> str | None:
        """Command line that trains it, if there is one."""
        return loop.command_line("memory", self, "facts", "seed")

    def as_data(self) -> dict[str, Any]:
        """Return the content of the plan as JSON keeps it."""
        return asdict(self)

    def start(self) -> "MemoryRun":
        """Return a new run."""
        return MemoryRun(self)


class Streams(NamedTuple):
    """Some streams of facts and questions; all arrays have shape (number, length).

    Attributes
    ----------
    keys, values : int arrays
        What each token says; of a question, the value is the number of values.
    latest : int array
        Place of the latest fact about the token's key before it, or -1.
    answers : int array
        Value of that fact, or a random one; `IGNORED` at tokens that are no questions.
    """

    keys: Int[np.ndarray, "number length"]
    values: Int[np.ndarray, "number length"]
    latest: Int[np.ndarray, "number length"]
    answers: Int[np.ndarray, "number length"]


def draw(
    plan: MemoryPlan, rng: np.random.Generator, number: int, length: int
) -> Streams:
    """Draw random streams; a token is a fact or a question with equal probability."""
    shape = number, length
    keys, asked = rng.integers(plan.keys, size=shape), rng.random(shape) < 0.5
    facts = rng.integers(plan.values, size=shape)
    if plan.facts == "lasting":
        table = rng.integers(plan.values, size=(number, plan.keys))
        facts = np.take_along_axis(table, keys, axis=1)
    is_source = (keys[:, :, None] == keys[:, None, :]) & ~asked[:, None, :]
    is_source &= np.tri(length, k=-1, dtype=bool)
    latest = np.where(is_source, np.arange(length), -1).max(axis=2)
    unknown = rng.integers(plan.values, size=shape)
    known = np.take_along_axis(facts, latest.clip(0), axis=1)
    answers = np.where(latest < 0, unknown, known)
    return Streams(
        keys,
        np.where(asked, plan.values, facts),
        latest,
        np.where(asked, answers, IGNORED),
    )


class Model(nn.Module):
    """Embeddings of key and value, added; the layers with their memory; an output."""

    def __init__(self, plan: MemoryPlan) -> None:
        super().__init__()
        d = plan.d_model
        self.segment_len = plan.segment_len
        self.key, self.value = (
            nn.Embedding(plan.keys, d),
            nn.Embedding(1 + plan.values, d),
        )
        self.layers = TransformerXL(
            plan.num_layers, d, 2, d_inner=2 * d, memory_len=plan.memory_len
        )
        self.output = nn.Linear(d, plan.values)

    def forward(
        self, keys: Int[Tensor, "number length"], values: Int[Tensor, "number length"]
    ) -> Float[Tensor, "number length values"]:
        """Return the answer's logits at each token, read segment by segment."""
        memory, logits = None, []
        embedded = self.key(keys) + self.value(values)
        for segment in embedded.split(self.segment_len, dim=1):
            hidden, memory = self.layers(segment, memory)
            logits.append(self.output(hidden))
        return torch.cat(logits, dim=1)

    def change_to(self, memory_len: int, clamp_len: int | None) -> None:
        """Give all layers a memory of another length, and another clamp."""
        self.layers.memory_len = memory_len
        for layer in self.layers.layers:
            layer.attention.clamp_len = clamp_len  # type: ignore[union-attr]


class MemoryRun(loop.Run):
    """Run of a `MemoryPlan`."""

    model: Model

    def __init__(self, plan: MemoryPlan) -> None:
        torch.manual_seed(plan.seed)
        super().__init__(plan, Model(plan))

    @property
    def trained_length(self) -> int:
        """Tokens of each stream of training."""
        return int(self.plan.segments * self.plan.segment_len)

    def loss(self) -> Tensor:
        """Return the answers' cross-entropy; each segment has a graph of its own."""
        rng = np.random.default_rng([self.plan.seed, self.step, 1])
        streams = draw(self.plan, rng, self.plan.batch, self.trained_length)
        loss, _ = self._answer(streams)
        return loss

    def evaluate(self, length: int) -> dict[str, float]:
        """Return the share of right answers and mean loss, as in training."""
        rng = np.random.default_rng([self.plan.seed, length, 2])
        return _measured(*self._answer(draw(self.plan, rng, _CURVE_STREAMS, length)))

    def tests(self) -> dict[str, Any]:
        """Return share of right answers and mean loss by way and length of the memory.

        All answer the same questions, those at the end of streams that fill the longest
        memory. ``direct`` is the share that a model reaches if it answers all questions
        whose latest fact stands in memory or segment, and guesses at the others.
        """
        plan, longest = self.plan, STRETCHES[-1] * self.plan.memory_len
        first = -(-longest // plan.segment_len) * plan.segment_len
        length = first + _SCORED * plan.segment_len
        rng = np.random.default_rng([plan.seed, length, 3])
        streams = draw(plan, rng, _STREAMS, length)
        memories = [plan.memory_len * n for n in STRETCHES]
        begins = np.arange(first, length) // plan.segment_len * plan.segment_len
        asked = streams.answers[:, first:] != IGNORED
        results: dict[str, Any] = {"free": {}, "clamped": {}, "direct": {}}
        for memory_len in memories:
            for way, clamp_len in (("free", None), ("clamped", plan.clamp_len)):
                self.model.change_to(memory_len, clamp_len)
                measured = _measured(*self._answer(streams, first))
                results[way][f"{memory_len}"] = measured
            in_memory = (streams.latest[:, first:] >= begins - memory_len)[asked].mean()
            share = in_memory + (1 - in_memory) / plan.values
            results["direct"][f"{memory_len}"] = {"accuracy": round(float(share), 5)}
        self.model.change_to(plan.memory_len, None)
        return results

    def _answer(self, streams: Streams, first: int = 0) -> tuple[Tensor, Tensor]:
        """Return questions' mean loss from place `first` on, and which are right."""
        keys, values, answers = (
            torch.from_numpy(array).to(loop.DEVICE)
            for array in (streams.keys, streams.values, streams.answers)
        )
        asked = answers[:, first:] != IGNORED
        logits = self.model(keys, values)[:, first:][asked]
        targets = answers[:, first:][asked]
        return F.cross_entropy(logits, targets), logits.argmax(-1) == targets


def _measured(loss: Tensor, right: Tensor) -> dict[str, float]:
    return {
        "accuracy": round(right.double().mean().item(), 5),
        "loss": round(loss.item(), 5),
    }
