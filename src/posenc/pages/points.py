"""Points of an exercise: those of its check, and those on paper by a rubric.

Rubrics, and the widgets that an exercise is solved with, stand in ``chapter.toml`` of
its chapter, under ``[exercises.<name>]``.
"""

from typing import Any

from posenc.core.chapters import metadata
from posenc.kit.exercises.registry import POINTS, find

__all__ = ["on_paper", "points", "rubric", "widgets"]


def points(name: str) -> int:
    """Return the points of an exercise for an answer that passes its check.

    Examples
    --------
    >>> points("t5.last_bucket_start")
    2

    Raises
    ------
    ValueError
        If there is no such exercise.
    """
    return POINTS[find(name).asks_for]


def rubric(name: str) -> list[tuple[int, str]]:
    """List what earns points on paper, as (points, reason); empty if nothing does."""
    return [(count, words) for count, words in _said(name).get("rubric", [])]


def on_paper(name: str) -> int:
    """Return an exercise's points for its derivation, which a person marks.

    Examples
    --------
    >>> on_paper("t5.last_bucket_start"), on_paper("t5.buckets_by_hand")
    (3, 0)
    """
    return sum(count for count, _ in rubric(name))


def widgets(name: str) -> list[str]:
    """Return an exercise's widgets, if its page has several to choose from.

    Examples
    --------
    >>> widgets("rope.count_planes")
    ['PlaneClocks']
    """
    names: list[str] = _said(name).get("widgets", [])
    return names


def _said(name: str) -> dict[str, Any]:
    slug, _, own = name.partition(".")
    entry: dict[str, Any] = metadata(slug).get("exercises", {}).get(own, {})
    return entry
