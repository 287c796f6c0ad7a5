"""Hypotheses stated before the runs were done, and their outcomes."""

from collections.abc import Callable
from typing import NamedTuple

from posenc.core.markdown import Markdown

from .trained import results, text_losses


class Part(NamedTuple):
    """A claim about one encoding, which holds if it holds of every seed.

    Attributes
    ----------
    title : str
        Title of the encoding.
    measured : function
        Returns one number for each seed, a share of answers or a difference of two.
    holds : function
        Returns True if one of these numbers agrees with the claim.
    words : function
        Writes one of these numbers.
    """

    title: str
    measured: Callable[[], list[float]]
    holds: Callable[[float], bool]
    words: Callable[[float], str]

    @property
    def verdict(self) -> bool | None:
        """True if the claim holds; None without runs."""
        values = self.measured()
        return all(map(self.holds, values)) if values else None


class Hypothesis(NamedTuple):
    """A sentence that was written down, in short, and its claims about encodings."""

    words: str
    short: str
    parts: tuple[Part, ...]


def _percent(value: float) -> str:
    return f"{100 * value:.0f}"


def _points(value: float) -> str:
    return f"{100 * value:+.0f}".replace("-", "−")


def _nats(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")


#: A task, an encoding and a length.
Place = tuple[str, str, int]


def _shares(place: Place, *, solved: bool) -> dict[int, float]:
    """Return right answers by seed, of all runs or of those that solved the task."""
    task, encoding, length = place
    tested = results(task).get(encoding)
    if tested is None or length not in tested.accuracy:
        return {}
    values = zip(tested.seeds, tested.accuracy[length], tested.solved, strict=True)
    return {seed: share for seed, share, learned in values if learned or not solved}


def _answers(title: str, place: Place, holds: Callable[[float], bool]) -> Part:
    solved = place[2] > 64
    return Part(
        title, lambda: [*_shares(place, solved=solved).values()], holds, _percent
    )


def _gains(
    title: str, place: Place, over: Place, holds: Callable[[float], bool]
) -> Part:
    """Test the gain over another place, seed by seed."""

    def measured() -> list[float]:
        solved = place[2] > 64
        gained, before = (_shares(where, solved=solved) for where in (place, over))
        return [gained[seed] - before[seed] for seed in gained if seed in before]

    return Part(title, measured, holds, _points)


def _adds(title: str, encoding: str, holds: Callable[[float], bool]) -> Part:
    """Test the loss that a long text adds to a language model."""

    def measured() -> list[float]:
        short, long = (text_losses(encoding, length) for length in (256, 4096))
        return [long[seed] - short[seed] for seed in long]

    return Part(title, measured, holds, _nats)


#: The hypotheses, written down before the runs were done.
HYPOTHESES = (
    Hypothesis(
        "`index`: one start sign in front adds 30 points or more at 64 tokens.",
        "`index`, 64: 30 points or more",
        tuple(
            _gains(
                title,
                ("index", name, 64),
                ("index_letter", name, 64),
                lambda x: x >= 0.3,
            )
            for name, title in (
                ("none", "no encoding"),
                ("t5", "T5"),
                ("alibi", "ALiBi"),
            )
        ),
    ),
    Hypothesis(
        "`copy`: Shaw, T5 and ALiBi answer nine of ten at 128.",
        "`copy`, 128: 90 % or more",
        tuple(
            _answers(title, ("copy", name, 128), lambda x: x >= 0.9)
            for name, title in (("shaw", "Shaw"), ("t5", "T5"), ("alibi", "ALiBi"))
        ),
    ),
    Hypothesis(
        "`copy`: sinusoids and RoPE answer fewer than half at 128.",
        "`copy`, 128: less than 50 %",
        tuple(
            _answers(title, ("copy", name, 128), lambda x: x < 0.5)
            for name, title in (("sinusoidal", "sinusoids"), ("rope", "RoPE"))
        ),
    ),
    Hypothesis(
        "`copy`: RoPE answers more at 128 with NTK or YaRN, and with base 100.",
        "`copy`, 128: points gained",
        tuple(
            _gains(title, ("copy", name, 128), ("copy", "rope", 128), lambda x: x > 0)
            for name, title in (
                ("rope_ntk", "NTK"),
                ("rope_yarn", "YaRN"),
                ("rope_base_100", "base 100"),
            )
        ),
    ),
    Hypothesis(
        "`copy`: Transformer-XL answers more at 512 if distances are clamped at 63.",
        "`copy`, 512: points gained",
        (
            _gains(
                "clamped",
                ("copy", "transformer_xl_clamped", 512),
                ("copy", "transformer_xl", 512),
                lambda x: x > 0,
            ),
        ),
    ),
    Hypothesis(
        "`copy`: ALiBi answers more at 1,024 if its slopes are made smaller as the "
        "text grows; trained slopes do not beat its own.",
        "`copy`, 1,024: points gained with smaller slopes, none with trained ones",
        (
            _gains(
                "smaller",
                ("copy", "alibi_stretched", 1024),
                ("copy", "alibi", 1024),
                lambda x: x > 0,
            ),
            _gains(
                "trained",
                ("copy", "alibi_trained", 1024),
                ("copy", "alibi", 1024),
                lambda x: x <= 0,
            ),
        ),
    ),
    Hypothesis(
        "Text: at 4,096 bytes the loss of ALiBi (one of its runs was known) and T5 is "
        "at most 0.02 nats (the unit of a loss with the natural logarithm) above that "
        "at 256.",
        "text, 4,096: 0.02 nats or less",
        tuple(
            _adds(title, name, lambda x: x <= 0.02)
            for name, title in (("alibi", "ALiBi"), ("t5", "T5"))
        ),
    ),
    Hypothesis(
        "Text: there the loss of sinusoids and RoPE is 0.1 nats or more above it.",
        "text, 4,096: 0.1 nats or more",
        tuple(
            _adds(title, name, lambda x: x >= 0.1)
            for name, title in (("sinusoidal", "sinusoids"), ("rope", "RoPE"))
        ),
    ),
)


def expected() -> Markdown:
    """List the hypotheses, numbered."""
    return Markdown(
        "\n".join(
            f"{n}. {hypothesis.words}"
            for n, hypothesis in enumerate(HYPOTHESES, start=1)
        )
    )


def verdicts() -> Markdown:
    """Return each hypothesis in short, its measurements by seed, and its verdict."""
    lines = [
        "| Expected | Measured, one number for each seed | Verdict |",
        "|:--|:--|:--|",
    ]
    for number, hypothesis in enumerate(HYPOTHESES, start=1):
        parts = "; ".join(_said(part) for part in hypothesis.parts)
        lines.append(
            f"| {number}. {hypothesis.short} | {parts} | {_verdict(hypothesis)} |"
        )
    return Markdown("\n".join(lines))


def _said(part: Part) -> str:
    values = part.measured()
    numbers = ", ".join(map(part.words, values)) or "–"
    return f"{part.title}: {numbers}"


def _verdict(hypothesis: Hypothesis) -> str:
    """Return one word for all parts, or the names of those that do not agree."""
    by_word: dict[str, list[str]] = {}
    for part in hypothesis.parts:
        word = {True: "holds", False: "**fails**", None: "open"}[part.verdict]
        by_word.setdefault(word, []).append(part.title)
    if len(by_word) == 1:
        return next(iter(by_word))
    return "; ".join(f"{', '.join(names)}: {word}" for word, names in by_word.items())
