"""Does a reader of speech need positions? Made-up sound, read in two ways.

Each symbol sounds for a few frames, in noise. One reader names a symbol (or nothing) at
every frame and is trained with CTC; the other writes the symbols one after the other,
with attention to the frames. Both have the same encoder. Positions can be left out of
all of it, and so can the convolution in front.
"""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple

import array_api_compat.torch as xp
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from posenc.attention import causal_mask
from posenc.attention.nn import MultiHeadAttention
from posenc.core.checks import check_choice, check_int
from posenc.sinusoidal.nn import SinusoidalEncoding

from . import loop
from .model import Block

#: Symbols of the language, numbers per frame, and frames that a symbol may last.
SYMBOLS, FEATURES, LASTS = 8, 16, (3, 6)
#: Standard deviation of the noise; the sounds themselves have 1 in every feature.
NOISE = 1.0
#: Symbols in a sentence of training, and in those of the test.
SHORTEST, TRAINED, TESTED = 4, 16, (8, 16, 32, 64)

#: Symbols in the sentences of an evaluation, about.
_TEST_SYMBOLS = 2048

#: Choices of a `SpeechPlan`.
READERS = ("ctc", "decoder")
ENCODINGS = ("sinusoidal", "none")
FRONTS = ("convolution", "linear")

#: In front of the symbols: CTC's blank, or the decoder's sign for start and end.
_SIGN = SYMBOLS


class Speech(NamedTuple):
    """Spoken sentences of equally many symbols.

    Attributes
    ----------
    frames : float32 array of shape (batch, num_frames, FEATURES)
        Sound, then zeros.
    lengths : int64 array of shape (batch,)
        Frames that are sound.
    symbols : int64 array of shape (batch, num_symbols)
        What is said. No symbol follows itself: nothing would be heard of it.
    """

    frames: Any
    lengths: Any
    symbols: Any


def draw_speech(rng: np.random.Generator, batch: int, num_symbols: int) -> Speech:
    """Draw sentences; the sound of a symbol is the same in all of them."""
    steps = rng.integers(1, SYMBOLS, size=(batch, num_symbols))
    symbols = np.cumsum(steps, axis=1) % SYMBOLS
    lasts = rng.integers(*LASTS, size=symbols.shape, endpoint=True)
    ends = np.cumsum(lasts, axis=1)
    places = np.arange(ends[:, -1].max())
    spoken = (places[:, None] >= ends[:, None, :]).sum(-1)  # symbols that are over
    heard = spoken < num_symbols
    rows = np.arange(batch)[:, None]
    sounds = np.random.default_rng(0).normal(size=(SYMBOLS, FEATURES))
    frames = sounds[symbols[rows, np.minimum(spoken, num_symbols - 1)]]
    frames += NOISE * rng.normal(size=frames.shape)
    frames = (frames * heard[..., None]).astype(np.float32)
    return Speech(frames, ends[:, -1], symbols)


@dataclass(frozen=True)
class SpeechPlan:
    """One way to read, with or without positions and convolution.

    Attributes
    ----------
    reader : str
        "ctc" or "decoder".
    encoding : str
        "sinusoidal" or "none", in the encoder and in the decoder.
    front : str
        "convolution" (two layers, five frames each) or "linear" (frame by frame).
    seed, max_steps, batch, d_model, num_heads, num_layers : int
        As in `posenc.training.sequences.SequencePlan`.
    """

    #: Height of the learning rate, the same for all.
    learning_rate: ClassVar[float] = 1e-3

    reader: str
    encoding: str
    front: str
    seed: int = 0
    max_steps: int = 1000
    batch: int = 32
    d_model: int = 64
    num_heads: int = 4
    num_layers: int = 2

    def __post_init__(self) -> None:
        check_choice("reader", self.reader, READERS)
        check_choice("encoding", self.encoding, ENCODINGS)
        check_choice("front", self.front, FRONTS)
        for name in ("seed", "max_steps", "batch", "d_model", "num_heads"):
            check_int(name, getattr(self, name), minimum=name != "seed")

    @property
    def name(self) -> str:
        """Name of its files, without ending."""
        return f"speech-{self.reader}-{self.encoding}-{self.front}-{self.seed}"

    @property
    def command(self) -> str | None:
        """Command line that trains it, if there is one."""
        return loop.command_line("speech", self, "reader", "encoding", "front", "seed")

    def as_data(self) -> dict[str, Any]:
        """Return the content of the plan as JSON keeps it."""
        return asdict(self)

    def start(self) -> "SpeechRun":
        """Return a new run."""
        return SpeechRun(self)


class Reader(nn.Module):
    """Encoder of frames, with the plan's output layers."""

    def __init__(self, plan: SpeechPlan) -> None:
        super().__init__()
        d = plan.d_model
        self.front = _Front(d, convolution=plan.front == "convolution")
        positions = plan.encoding == "sinusoidal"
        self.encoding = SinusoidalEncoding(d) if positions else nn.Identity()
        self.encoder = nn.ModuleList(
            _Masked(d, plan.num_heads) for _ in range(plan.num_layers)
        )
        self.output = nn.Linear(d, SYMBOLS + 1)
        if plan.reader == "decoder":
            self.embedding = nn.Embedding(SYMBOLS + 1, d)
            self.decoder = nn.ModuleList(
                _Masked(d, plan.num_heads) for _ in range(2 * plan.num_layers)
            )

    def encode(self, frames: Tensor, heard: Tensor) -> Tensor:
        """Encode frames (batch, num_frames, FEATURES); `heard` is True for sound."""
        x = self.encoding(self.front(frames, heard))
        for layer in self.encoder:
            x = layer(x, x, heard[:, None, None, :])
        return x

    def write(self, symbols: Tensor, encoded: Tensor, heard: Tensor) -> Tensor:
        """Return the logits of the symbol after each of `symbols` (batch, length)."""
        length = symbols.shape[-1]
        x = self.encoding(self.embedding(symbols))
        before = causal_mask(length, length, xp=xp, device=symbols.device)
        for own, cross in zip(self.decoder[::2], self.decoder[1::2], strict=True):
            x = own(x, x, before)
            x = cross(x, encoded, heard[:, None, None, :])
        return self.output(x)


class _Front(nn.Module):
    def __init__(self, d_model: int, *, convolution: bool) -> None:
        super().__init__()
        width = 5 if convolution else 1
        self.layers = nn.ModuleList(
            nn.Conv1d(channels, d_model, width, padding=width // 2)
            for channels in (FEATURES, d_model)
        )

    def forward(self, frames: Tensor, heard: Tensor) -> Tensor:
        x, silence = frames.transpose(1, 2), ~heard[:, None, :]
        for layer in self.layers:  # a layer's bias must not sound after the end
            x = F.gelu(layer(x)).masked_fill(silence, 0)
        return x.transpose(1, 2)


class _Masked(Block):
    """A block whose attention is given its context and its mask."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__(MultiHeadAttention(d_model, num_heads), d_model)
        self.context_norm = nn.LayerNorm(d_model)

    def forward(  # type: ignore[override]
        self, x: Tensor, context: Tensor, mask: Tensor
    ) -> Tensor:
        context = self.context_norm(context)
        x = x + self.attention(self.norms[0](x), context, mask=mask)
        return x + self.network(self.norms[1](x))


class SpeechRun(loop.Run):
    """Run of a `SpeechPlan`; it ends at `max_steps`, since noise leaves some errors."""

    model: Reader

    def __init__(self, plan: SpeechPlan) -> None:
        torch.manual_seed(plan.seed)
        super().__init__(plan, Reader(plan))

    @property
    def trained_length(self) -> int:
        """Symbols of the longest sentences of training."""
        return TRAINED

    def loss(self) -> Tensor:
        """Return CTC's loss, or the cross-entropy of the next symbol."""
        rng = np.random.default_rng([self.plan.seed, self.step, 1])
        number = int(rng.integers(SHORTEST, TRAINED, endpoint=True))
        frames, lengths, symbols, heard = _tensors(
            draw_speech(rng, self.plan.batch, number)
        )
        encoded = self.model.encode(frames, heard)
        if self.plan.reader == "ctc":
            target_lengths = torch.full((len(symbols),), number)
            chances = self.model.output(encoded).log_softmax(-1).transpose(0, 1)
            return F.ctc_loss(chances, symbols, lengths, target_lengths, blank=_SIGN)
        sign = torch.full_like(symbols[:, :1], _SIGN)
        logits = self.model.write(torch.cat([sign, symbols], 1), encoded, heard)
        targets = torch.cat([symbols, sign], 1)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())

    def evaluate(self, length: int) -> dict[str, float]:
        """Return wrong, missing and additional symbols, as a share of those spoken."""
        rng = np.random.default_rng([self.plan.seed, length, 2])
        frames, lengths, symbols, heard = _tensors(
            draw_speech(rng, max(_TEST_SYMBOLS // length, 8), length)
        )
        encoded = self.model.encode(frames, heard)
        if self.plan.reader == "ctc":
            read = _collapsed(self.model.output(encoded).argmax(-1), lengths)
        else:
            read = self._written(encoded, heard, 2 * length)
        wrong = sum(
            edit_distance(spoken, heard_symbols)
            for spoken, heard_symbols in zip(symbols.tolist(), read, strict=True)
        )
        return {"error": round(wrong / symbols.numel(), 5)}

    def tests(self) -> dict[str, Any]:
        """Return the tests by number of symbols."""
        return {str(length): self.evaluate(length) for length in TESTED}

    def _written(self, encoded: Tensor, heard: Tensor, longest: int) -> list[list[int]]:
        """Return what the decoder writes, always the likeliest symbol, to its end."""
        symbols = torch.full((len(encoded), 1), _SIGN, device=encoded.device)
        for _ in range(longest):
            chosen = self.model.write(symbols, encoded, heard)[:, -1:].argmax(-1)
            symbols = torch.cat([symbols, chosen], 1)
        rows = symbols[:, 1:].tolist()
        return [row[: row.index(_SIGN)] if _SIGN in row else row for row in rows]


def edit_distance(first: list[int], second: list[int]) -> int:
    """Return the fewest replacements, insertions and deletions between two lists.

    Examples
    --------
    >>> edit_distance([1, 2, 3], [2, 3, 3])
    2
    """
    costs = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        above, costs[0] = costs[0], i
        for j, b in enumerate(second, 1):
            replaced = above + (a != b)
            above = costs[j]
            costs[j] = min(replaced, above + 1, costs[j - 1] + 1)
    return costs[-1]


def _collapsed(best: Tensor, lengths: Tensor) -> list[list[int]]:
    """Collapse as CTC does: one symbol for every run of it, and no blanks."""
    return [
        [a for a, b in zip(row, [_SIGN, *row], strict=False) if a not in (b, _SIGN)]
        for row in (
            frames[:length]
            for frames, length in zip(best.tolist(), lengths.tolist(), strict=True)
        )
    ]


def _tensors(speech: Speech) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    frames, lengths, symbols = (torch.from_numpy(array) for array in speech)
    heard = torch.arange(frames.shape[1]) < lengths[:, None]
    device = loop.DEVICE
    return frames.to(device), lengths, symbols.to(device), heard.to(device)
