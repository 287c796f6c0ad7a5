"""Dependencies between chapters: the picture of the teacher's guide."""

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch

from posenc.core.chapters import with_key
from posenc.kit.figures.themes import color

from .course import HELPS, NEEDS

#: Words for each chapter, and where its box stands: column, row from the top.
PLACES: dict[str, tuple[str, tuple[float, float]]] = {
    slug: (box["words"], tuple(box["at"])) for slug, box in with_key("map").items()
}


def dependencies(ax: Axes | None = None) -> Axes:
    """Draw an arrow from each chapter to those that need it, or go on with it.

    Full arrows are `NEEDS` of `posenc.pages.course`, dashed ones `HELPS`.
    """
    if ax is None:
        _, ax = plt.subplots(figsize=(5.6, 6.2))
    ax.set(xlim=(-0.4, 3.95), ylim=(4.35, -0.35))
    ax.axis("off")
    boxes = {
        slug: ax.text(
            *place,
            words,
            ha="center",
            va="center",
            bbox={
                "boxstyle": "round,pad=0.4",
                "facecolor": color("raised"),
                "edgecolor": color("line"),
            },
        )
        for slug, (words, place) in PLACES.items()
    }
    for edges, role, style in ((HELPS, "muted", "--"), (NEEDS, "position", "-")):
        for later, earlier in edges.items():
            for source in earlier:
                arrow = FancyArrowPatch(
                    PLACES[source][1],
                    PLACES[later][1],
                    patchA=boxes[source].get_bbox_patch(),
                    patchB=boxes[later].get_bbox_patch(),
                    arrowstyle="-|>",
                    mutation_scale=14,
                    color=color(role),
                    linestyle=style,
                    linewidth=1.8 if style == "-" else 1.2,
                    shrinkA=2,
                    shrinkB=3,
                    zorder=0,
                )
                arrow.set_gid(f"{source}-{later}")
                ax.add_patch(arrow)
    return ax


def dependencies_in_words() -> str:
    """Describe the figure of `dependencies` for readers who cannot see it."""
    names = {slug: words.replace("\n", " ") for slug, (words, _) in PLACES.items()}

    def sentences(edges: dict[str, list[str]], verb: str) -> str:
        return "; ".join(
            f"“{names[later]}” {verb} {' and '.join(f'“{names[s]}”' for s in some)}"
            for later, some in edges.items()
        )

    return (
        "Boxes for the chapters, and arrows between them. Full arrows: "
        f"{sentences(NEEDS, 'needs')}. Dashed arrows: "
        f"{sentences(HELPS, 'is easier after')}."
    )
