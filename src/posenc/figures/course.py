"""Which chapters lean on which: the picture of the teacher's guide."""

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch

from posenc.course import HELPS, NEEDS

from .themes import color

#: Words for each chapter, and where its box stands: column, row from the top.
PLACES: dict[str, tuple[str, tuple[float, float]]] = {
    "attention": ("attention\nand order", (1.0, 0)),
    "t5": ("T5: buckets\nand biases", (3.2, 0)),
    "sinusoidal": ("sinusoids", (0, 1)),
    "shaw": ("Shaw: vectors\nfor distances", (2.15, 1)),
    "alibi": ("ALiBi: a\nstraight line", (3.5, 1.6)),
    "rotation": ("shifting\nis rotating", (0, 2)),
    "music_transformer": ("Music:\nthe skew", (2.1, 3.0)),
    "convolutional": ("position by\nconvolution", (1.6, 2)),
    "rope": ("RoPE", (0, 3)),
    "swin": ("Swin: two\ndimensions", (2.9, 2.4)),
    "linear_attention": ("linear\nattention", (0, 4)),
    "transformer_xl": ("Transformer-XL:\nmemory", (1.0, 4)),
    "cape": ("CAPE, and no\nposition at all", (1.2, 3)),
}


def dependencies(ax: Axes | None = None) -> Axes:
    """Draw an arrow from each chapter to those that need it, or go on with it.

    Full arrows are `posenc.course.NEEDS`, dashed ones `posenc.course.HELPS`.
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
            for one in earlier:
                arrow = FancyArrowPatch(
                    PLACES[one][1],
                    PLACES[later][1],
                    patchA=boxes[one].get_bbox_patch(),
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
                arrow.set_gid(f"{one}-{later}")
                ax.add_patch(arrow)
    return ax


def dependencies_in_words() -> str:
    """Say what `dependencies` shows, for readers who cannot see it."""
    names = {slug: words.replace("\n", " ") for slug, (words, _) in PLACES.items()}

    def sentences(edges: dict[str, tuple[str, ...]], verb: str) -> str:
        return "; ".join(
            f"“{names[later]}” {verb} {' and '.join(f'“{names[one]}”' for one in some)}"
            for later, some in edges.items()
        )

    return (
        "Boxes for the chapters, and arrows between them. Full arrows: "
        f"{sentences(NEEDS, 'needs')}. Dashed arrows: "
        f"{sentences(HELPS, 'is easier after')}."
    )
