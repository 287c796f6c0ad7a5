"""Measured memory of several ways to the same scores, as a table."""

from collections.abc import Iterable

from posenc.core import data
from posenc.core.markdown import Markdown

#: Forms of ``bench_shaw.json``, in words, and whether they look up rows by an index.
FORMS = {
    "broadcast": ("as the formula reads", True),
    "batched": ("$L$ matrix products", True),
    "clipped": ("$2k + 1$ products, then look up", True),
    "blocked_clipped": ("the same, 128 rows at a time", True),
    "skew": ("the skew", False),
    "blocked_skew": ("the skew, 128 rows at a time", False),
}


def megabytes(form: str, num_heads: int) -> float:
    """Peak of one form beyond its inputs, as measured, in units of 10⁶ bytes.

    Parameters
    ----------
    form : str
        One of `FORMS`.
    num_heads : int
        1 or 8: those that were measured.
    """
    peaks = data.load("bench_shaw")["results"]["memory"]["mib"]
    mib: float = peaks[form][str(num_heads)]
    return mib * 2**20 / 1e6


def memory_table(forms: Iterable[str] = tuple(FORMS)) -> Markdown:
    """Table of peaks: content and position scores of one head, and of eight.

    Above the measured rows stand two that are calculated: the scores themselves, which
    every form returns (a peak may lie before them), and the index of 64-bit whole
    numbers. Below the table stands the machine.

    Parameters
    ----------
    forms : iterable of str
        Rows, in this order; by default all of `FORMS`.

    Raises
    ------
    ValueError
        If a form is not one of `FORMS`.
    """
    forms = tuple(forms)
    unknown = [form for form in forms if form not in FORMS]
    if unknown:
        msg = f"forms must be some of {list(FORMS)}, got {unknown}"
        raise ValueError(msg)
    memory = data.load("bench_shaw")["results"]["memory"]
    pairs = memory["settings"]["length"] ** 2 / 1e6
    rows = [
        "| memory (MB) | one head | eight heads |",
        "|:--|--:|--:|",
        f"| calculated: the scores | {4 * pairs:,.0f} | {32 * pairs:,.0f} |",
    ]
    if any(FORMS[form][1] for form in forms):
        index = f"{8 * pairs:,.0f}"
        rows.append(f"| calculated: one index for all heads | {index} | {index} |")
    for form in forms:
        peaks = " | ".join(f"{megabytes(form, heads):,.0f}" for heads in (1, 8))
        rows.append(f"| measured: {FORMS[form][0]} | {peaks} |")
    rows += ["", f"Measured on {memory['machine']['processor']}."]
    return Markdown("\n".join(rows))
