"""Every widget on the side of Python: what follows from its traits.

A widget is found because its class is public in the package ``widgets`` of a chapter.
Numbers that its tables hold, and words of its picture, are tested in its own chapter.
"""

import contextlib
import functools
import json
import re

import pytest
import traitlets
from bs4 import BeautifulSoup
from figure_rules import compared, drawn, picture
from widget_page import every_widget, mounted_state, other_values, settable, undrawn

WIDGETS = every_widget()
TRAITS = [(cls, name) for cls in WIDGETS for name in settable(cls)]

#: What readers change on the page alone: the printed picture does not show it.
NOT_IN_PICTURE = {
    ("BitsAndSines", "cosines"),
    ("BucketTable", "log_axis"),
    ("ClosedCurve", "base"),  # the curve of the digits has none
    ("DecayCurves", "guess"),  # it shows the truth at once
    ("DecayCurves", "revealed"),
    ("LinearBias", "view"),
    ("MeasuredCost", "guess"),
    ("MeasuredCost", "revealed"),
    ("MemoryCalculator", "guess"),
    ("MemoryCalculator", "itemsize"),
    ("MemoryCalculator", "num_layers"),
    ("MemoryCalculator", "revealed"),
    ("ShiftSteps", "followed"),
    ("ShiftSteps", "step"),
    ("SkewSteps", "step"),
    ("SkewSteps", "zero"),
    ("WindowIndex", "moves"),
}


def in_vain(cls, name):
    return (cls.__name__, name) in NOT_IN_PICTURE


def wrong_values(trait):
    """Values that a trait must refuse."""
    if isinstance(trait, traitlets.Bool):
        return ["yes", None]
    if isinstance(trait, traitlets.Enum):
        return ["no such choice", None, -999]
    if isinstance(trait, traitlets.Int | traitlets.Float):
        part = [1.5] if isinstance(trait, traitlets.Int) else []
        return [trait.min - 1, (trait.max or 10**6) + 1, "1", None, *part]
    if isinstance(trait, traitlets.Unicode):
        return [None, 3, ["text"]]
    if isinstance(trait, traitlets.List):
        short = [[]] if trait._minlen else []
        fixed = trait._minlen == trait._maxlen  # steps of a guess
        far = [[10**6] * trait._minlen, [0] * (trait._maxlen + 1)] if fixed else []
        return [["no such item"], "text", None, *short, *far]
    raise TypeError(trait)


@functools.cache
def others(cls, name):
    """Values of a trait, other than its default."""
    return other_values(cls(), name)


@functools.cache
def picture_of(cls):
    """Picture of the default setting."""
    return picture(cls().picture().draw, "light", lay_out=True)


@pytest.fixture(scope="module", params=WIDGETS, ids=lambda cls: cls.__name__)
def shown(request):
    """A widget in a setting of its own, and its part of a page."""
    widget = request.param()
    for name in settable(request.param):
        for value in other_values(widget, name)[:1]:
            with contextlib.suppress(traitlets.TraitError):
                setattr(widget, name, value)
    with undrawn():
        return widget, widget.static_html()


def test_widgets_are_found():
    assert len(WIDGETS) >= 26
    assert {cls.__name__ for cls in WIDGETS} >= {"BucketTable", "TurnedPair"}


@pytest.mark.parametrize(("cls", "name"), TRAITS)
def test_values_out_of_range_are_refused_and_leave_the_old_one(cls, name):
    widget = cls()
    before = getattr(widget, name)
    for value in wrong_values(cls.class_traits()[name]):
        with pytest.raises(traitlets.TraitError, match=name):
            setattr(widget, name, value)
        with pytest.raises(traitlets.TraitError, match=name):
            cls(**{name: value})
        assert getattr(widget, name) == before


@pytest.mark.parametrize(("cls", "name"), TRAITS)
def test_other_values_are_taken(cls, name):
    assert others(cls, name)


@pytest.mark.parametrize("cls", WIDGETS)
def test_tables_are_read_only(cls):
    widget = cls()
    tables = widget.static_state().keys() - {*settable(cls)}
    for name in tables:
        before = getattr(widget, name)
        with pytest.raises(traitlets.TraitError, match="read-only"):
            setattr(widget, name, before)
        assert getattr(widget, name) is before


@pytest.mark.parametrize(("cls", "name"), TRAITS)
def test_parameters_are_documented(cls, name):
    parameters = cls.__doc__.split("Parameters\n")[1].split("Raises\n")[0]
    assert re.search(rf"^ *(\w+, )*{name}(, \w+)* :", parameters, re.MULTILINE)


@pytest.mark.parametrize(("cls", "name"), [t for t in TRAITS if not in_vain(*t)])
def test_picture_follows_the_traits(cls, name):
    before, after = cls().picture(), cls(**{name: others(cls, name)[-1]}).picture()
    assert before.alt.strip()
    assert after.alt != before.alt or drawn(after) != compared(picture_of(cls))


@pytest.mark.parametrize("cls", WIDGETS)
def test_words_of_the_picture_neither_touch_each_other_nor_leave_it(cls):
    assert picture_of(cls).crowded == set()


@pytest.mark.parametrize("cls", WIDGETS)
def test_front_end_asks_for_what_there_is_and_uses_it(cls):
    state = cls().static_state()
    asked = set(re.findall(r'\bget\("(\w+)"\)', cls._esm))
    assert asked <= state.keys()
    assert [name for name in state if not re.search(rf"\b{name}\b", cls._esm)] == []


@pytest.mark.parametrize("cls", WIDGETS)
def test_front_end_is_one_module_without_imports(cls):
    assert re.findall(r"^export .*$", cls._esm, re.MULTILINE) == [
        cls._esm.splitlines()[-1]
    ]
    assert cls._esm.splitlines()[-1].startswith("export default $")
    assert not re.search(r"^\s*import\b", cls._esm, re.MULTILINE)
    assert cls._css.count("--pe-query: #") == 2  # light and dark


def test_page_is_complete_in_itself(shown):
    soup = BeautifulSoup(shown[1], "html.parser")
    scripts = soup.find_all("script")
    assert [dict(script.attrs) for script in scripts] == [{"type": "module"}]
    assert not soup.find_all(src=lambda s: s and not s.startswith("data:"))
    assert not soup.find_all(["link", "iframe", "object"])
    code = scripts[0].string + "".join(style.string for style in soup("style"))
    outside = r"https?://|\burl\(|@import|^\s*import\b|^export "
    assert not re.search(outside, code, re.MULTILINE)


def test_state_in_the_page_is_the_widgets(shown):
    widget, html = shown
    state = mounted_state(html)
    assert state == json.loads(json.dumps(widget.static_state(), allow_nan=False))
    assert state.keys() >= {*settable(type(widget))}


def test_without_javascript_there_is_the_picture(shown):
    widget, html = shown
    (image,) = BeautifulSoup(html, "html.parser").div.find_all("img")
    assert "pe-figure" in image["class"]
    assert image["alt"] == widget.picture().alt
    assert image["src"].startswith("data:image/svg+xml")
