"""Output below a cell: values and pictures, as pairs of kind and content."""

import base64
import contextlib
import importlib.util
import io
import sys
from collections.abc import Iterator
from html import escape
from typing import Any

#: Limit of a value that is shown as text.
MOST_CHARACTERS = 20_000


@contextlib.contextmanager
def drawing(look: str) -> Iterator[None]:
    """Draw as the book does, once matplotlib is here."""
    if importlib.util.find_spec("matplotlib") is None:
        yield
        return
    from posenc.kit.figures.themes import theme

    with theme(look):
        yield


def _pyplot() -> Any:
    return sys.modules.get("matplotlib.pyplot")


def close_figures() -> None:
    """Close the figures of another run."""
    if plt := _pyplot():
        plt.close("all")


def pictures() -> Iterator[str]:
    """Yield each open figure as HTML, with the names of its axes as words."""
    plt = _pyplot()
    for number in plt.get_fignums() if plt else ():
        yield _picture(plt.figure(number))


def _picture(figure: Any) -> str:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=144)
    names = [ax.get_title() or ax.get_ylabel() for ax in figure.axes]
    description = ": ".join(
        ["The picture that this code draws", ", ".join(filter(None, names))]
    )
    data = base64.b64encode(buffer.getvalue()).decode()
    width = round(72 * figure.get_size_inches()[0] * 4 / 3)
    alt = escape(description.removesuffix(": "))
    return (
        f'<img class="pe-drawn dark-light" width="{width}" alt="{alt}" '
        f'src="data:image/png;base64,{data}">'
    )


def is_drawn(value: Any) -> bool:
    """Return True if a value is part of a picture, such as `plot`'s lines."""
    parts = value if isinstance(value, list | tuple) and value else [value]
    return type(parts[0]).__module__.startswith("matplotlib.")


def display(value: Any) -> tuple[str, str]:
    """Return what a notebook would show of a value."""
    if type(value).__module__ == "matplotlib.figure":
        return "html", _picture(value)
    if not isinstance(value, type):
        if show := getattr(value, "_repr_html_", None):
            html = show()
            if isinstance(html, str):
                return "html", html
        if bundle := getattr(value, "_repr_mimebundle_", None):
            shown = bundle()
            if "text/html" in shown:
                return "html", shown["text/html"]
            return "text", shown["text/plain"]
    return "text", repr(value)[:MOST_CHARACTERS]
