"""What all widgets share: one front end, hosted by Jupyter or by the page itself.

A widget's front end is an ECMAScript module with the default export ``{ render }``.
``render({ model, el })`` touches its model through ``get``, ``set``, ``on`` and
``save_changes`` alone. Jupyter gives it a model that is in step with Python. On a page
without Python, the HTML version of the widget carries the module, the values of its
traits and a small host.
"""

import itertools
import json
import re
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import matplotlib as mpl
import numpy as np

from posenc.display import IN_BROWSER
from posenc.figures.palette import css_variables
from posenc.figures.themes import Themed

_FOLDER = Path(__file__).parent
_KIT = ("kit.js", "canvas.js")
_ids = itertools.count(1)


class BookWidget(anywidget.AnyWidget):
    """A widget of the book: subclasses give `scripts`, traits and `picture`.

    Its traits tagged ``sync=True`` are its state; they hold what JSON can hold.
    """

    #: Files of the front end, in the order of use; the last one has the default export.
    scripts: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        if "scripts" in cls.__dict__:  # anywidget makes subclasses of its own
            taken = cls.__dict__.keys() & {*anywidget.AnyWidget.class_trait_names()}
            if taken - {"_esm", "_css"}:
                msg = (
                    f"{cls.__name__} has a trait named {sorted(taken)[0]!r}, which "
                    "ipywidgets uses: its static page would lose it; name it otherwise"
                )
                raise TypeError(msg)
            cls._esm = join_modules(_FOLDER / name for name in (*_KIT, *cls.scripts))
            cls._css = css_variables() + (_FOLDER / "kit.css").read_text(
                encoding="utf-8"
            )
        super().__init_subclass__(**kwargs)

    def picture(self) -> Themed:
        """Draw what readers without JavaScript see, and the printed book."""
        raise NotImplementedError

    def static_state(self) -> dict[str, Any]:
        """Values of the traits that belong to the widget itself, not to its host."""
        inherited = {*anywidget.AnyWidget.class_trait_names(), *_HOST_TRAITS}
        return {
            name: value
            for name, value in self.get_state().items()
            if name not in inherited
        }

    def static_html(self) -> str:
        """Part of a page, complete in itself: picture, style, module, state, host."""
        place = f"posenc-{type(self).__name__}-{next(_ids)}".lower()
        module = re.sub(r"^export default ", "const widget = ", self._esm, flags=re.M)
        host = (_FOLDER / "host.js").read_text(encoding="utf-8")
        # The picture's style stays when the widget takes the picture's place: other
        # pictures of the page need it, and the page holds it once.
        style, end, picture = self.picture().html().partition("</style>")
        start = f'mount(widget, "{place}", {script_json(self.static_state())});'
        return (
            f"<style>{self._css}</style>{style}{end}"
            f'<div id="{place}">{picture}</div>'
            f'<script type="module">\n{module}\n{host}\n{start}\n</script>'
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        data, metadata = super()._repr_mimebundle_(**kwargs)
        picture = self.picture()
        data["text/plain"] = picture.alt
        if not IN_BROWSER:  # there the widget is always live: nobody sees its picture
            data["image/png"] = picture.png()
            data["text/html"] = self.static_html()
        return data, metadata


_HOST_TRAITS = ("_esm", "_css", "_anywidget_id")
#: Comments on lines of their own: every widget of a page would carry them.
_COMMENT = r"^[ \t]*(?://.*|/\*\*[\s\S]*?\*/)\n"
_FORBIDDEN = r"^\s*import\b|\bimport\(|</script|<!--"


def join_modules(paths: Any) -> str:
    """One module from several files that import from one another, without comments.

    Raises
    ------
    ValueError
        If a file imports from elsewhere, or cannot stand inside a page's script.
    """
    parts = []
    for path in paths:
        text = path.read_text(encoding="utf-8")
        text = re.sub(r'^import \{[^}]*\} from "\./\w+\.js";\n', "", text, flags=re.M)
        text = re.sub(r"^export (?!default)", "", text, flags=re.M)
        text = re.sub(_COMMENT, "", text, flags=re.M)
        forbidden = re.search(_FORBIDDEN, text, flags=re.M | re.I)
        if forbidden:
            msg = (
                f"{path.name} must hold no import other than of a neighbor's names and "
                f"nothing that ends a script, got {forbidden[0]!r}: write it otherwise"
            )
            raise ValueError(msg)
        parts.append(text)
    return "\n".join(parts)


def script_json(value: Any) -> str:
    """JSON that is safe inside a page's script: no ``</script>`` can occur in it."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")


def color_table(name: str) -> str:
    """One of matplotlib's color tables as 256 colors ``rrggbb``, one after another."""
    colors = mpl.colormaps[name](np.arange(256))
    return "".join(mpl.colors.to_hex(c)[1:] for c in colors)
