"""Content of the map's widget, the methods that Python finds."""

from posenc.map import ENTRIES, matching
from posenc.map.widgets import MethodMap


def found(w):
    return matching(**{question: getattr(w, question) for question in w.answers})


def method_map(w):
    labels = [entry.label for entry in found(w)]
    return labels, {
        f"{len(labels)} of {len(ENTRIES)} methods": len(labels) < len(ENTRIES)
    }


SHOWN = {MethodMap: method_map}
TABLES = {MethodMap: lambda w: [[entry.title] for entry in found(w)]}
