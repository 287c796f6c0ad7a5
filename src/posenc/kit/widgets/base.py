"""Foundation of all widgets: one front end, run by Jupyter or by the page itself.

A widget's front end is an ECMAScript module with the default export ``{ render }``.
``render({ model, el })`` touches its model through ``get``, ``set``, ``on`` and
``save_changes`` alone. Jupyter gives it a model that is in step with Python. On a page
without Python, the HTML version of the widget carries the module, the values of its
traits and a small model that lives in the page.
"""

import itertools
import json
import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import anywidget
import matplotlib as mpl
import numpy as np
import traitlets

from posenc.core.chapters import metadata
from posenc.core.platform import IN_BROWSER
from posenc.kit.figures.palette import css_variables
from posenc.kit.figures.themes import Themed

from .bundle import bundle

__all__ = ["BookWidget", "color_table", "script_json", "table"]

_FOLDER = Path(__file__).parent
_ids = itertools.count(1)


class _Table(traitlets.Any):
    """Read-only trait whose value a method makes when it is first read."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        super().__init__(read_only=True, help=make.__doc__ or "")
        self.make = make

    def default(self, obj: Any = None) -> Any:
        return traitlets.Undefined if obj is None else self.make(obj)


def table(make: Callable[[Any], Any]) -> Any:
    """Turn a method into a read-only trait: what the front end looks up.

    It computes nothing that Python knows, so most widgets have tables of numbers.
    """
    return _Table(make)


_Widget = TypeVar("_Widget", bound="BookWidget")


class BookWidget(anywidget.AnyWidget):
    """A widget of the book: subclasses give traits and `picture`.

    Its traits are its state; they hold what JSON can hold. Those that readers change
    are traits of traitlets, what the front end only reads is a `table`. The front end
    of ``BucketTable`` is ``bucket_table.js`` beside the file of the class.
    """

    #: One idea and one gesture: what `simple` holds in its front end.
    simple = traitlets.Bool(False, read_only=True).tag(sync=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        for trait in vars(cls).values():
            if isinstance(trait, traitlets.TraitType):
                trait.tag(sync=True)
        front_end = _front_end(cls)
        if front_end and BookWidget in cls.__bases__:  # anywidget makes its own
            taken = cls.__dict__.keys() & {*anywidget.AnyWidget.class_trait_names()}
            if taken - {"_esm", "_css"}:
                msg = (
                    f"{cls.__name__} has a trait named {sorted(taken)[0]!r}, which "
                    "ipywidgets uses: its static page would lose it; name it otherwise"
                )
                raise TypeError(msg)
            cls._esm = bundle(front_end)
            cls._css = css_variables() + (_FOLDER / "kit.css").read_text(
                encoding="utf-8"
            )
        super().__init_subclass__(**kwargs)

    @classmethod
    def opening(cls: type[_Widget], **traits: Any) -> _Widget:
        """Return the widget in its simple view, which stands under a chapter's title.

        Where nothing can move, it is the drawing ``opening`` of the chapter's figures,
        and on a page that is no chapter `picture`.
        """
        widget = cls(**traits)
        widget.set_trait("simple", True)
        return widget

    def picture(self) -> Themed:
        """Draw what readers without JavaScript see, and the printed book."""
        raise NotImplementedError

    def _still(self) -> Themed:
        slug = type(self).__module__.split(".")[1]
        card = metadata(slug).get("card")
        if not self.simple or not card:
            return self.picture()
        draw = import_module(f"posenc.{slug}.figures").opening
        return Themed(draw, alt=card["alt"])

    def static_state(self) -> dict[str, Any]:
        """Return the values of traits that belong to the widget, not to its page."""
        inherited = {*anywidget.AnyWidget.class_trait_names(), *_HOST_TRAITS}
        return {
            name: value
            for name, value in self.get_state().items()
            if name not in inherited
        }

    def static_html(self) -> str:
        """Return a complete part of a page: picture, style, module, state and model."""
        return self._part_of_a_page(self._still().html())

    def _part_of_a_page(self, picture_html: str) -> str:
        # What {try} sets has its name right behind "posenc-": that is no opening.
        name = ("opening-" if self.simple else "") + type(self).__name__.lower()
        place = f"posenc-{name}-{next(_ids)}"
        # Links with a setting lead to widgets that have more than one gesture.
        data = "" if self.simple else f' data-name="{type(self).__name__}"'
        module = re.sub(r"^export default ", "const widget = ", self._esm, flags=re.M)
        model = (_FOLDER / "static_model.js").read_text(encoding="utf-8")
        # The picture's style stays when the widget takes the picture's place: other
        # pictures of the page need it, and the page holds it once.
        style, end, picture = picture_html.partition("</style>")
        start = f'mount(widget, "{place}", {script_json(self.static_state())});'
        return (
            f"<style>{self._css}</style>{style}{end}"
            f'<div id="{place}"{data}>{picture}</div>'
            f'<script type="module">\n{module}\n{model}\n{start}\n</script>'
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        data, metadata = super()._repr_mimebundle_(**kwargs)
        picture = self._still()
        data["text/plain"] = picture.alt
        if not IN_BROWSER:  # there the widget is always live, and covers its picture
            drawn = picture._repr_mimebundle_()
            data["image/png"] = drawn["image/png"]
            data["text/html"] = self._part_of_a_page(drawn["text/html"])
        return data, metadata


_HOST_TRAITS = ("_esm", "_css", "_anywidget_id")


def _front_end(cls: type) -> Path | None:
    """Return the file of the front end of a class; None if there is none."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
    path = Path(file or ".").with_name(f"{name}.js")
    return path if file and path.is_file() else None


def script_json(value: Any) -> str:
    """Return JSON that is safe inside a page's script: without ``</script>``."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")


def color_table(name: str) -> str:
    """Return a color table of matplotlib's as 256 colors ``rrggbb``, joined."""
    colors = mpl.colormaps[name](np.arange(256))
    return "".join(mpl.colors.to_hex(c)[1:] for c in colors)
