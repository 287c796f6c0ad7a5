"""Widgets of one class share their module on a page, and part again on slides."""

import re
from collections import Counter

#: A widget's module with its host; and what starts it in its place.
_MODULE = re.compile(r'<script type="module">\n(.*?)</script>', re.DOTALL)
_START = "\nmount(widget, "
#: What the first widget of a class leaves behind its module, and others have instead.
_KEEP = "\nglobalThis.{} = {{ widget, mount }};"
_TAKE = "const {{ widget, mount }} = globalThis.{};"


def share(html: str) -> str:
    """Share a module among widgets of a class: modules run in the order of a page."""
    pieces = [found[1].rpartition(_START) for found in _MODULE.finditer(html)]
    times = Counter(module for module, start, _ in pieces if start)
    kept: dict[str, str] = {}

    def put(found: re.Match[str]) -> str:
        module, start, rest = found[1].rpartition(_START)
        if not start or times[module] == 1:
            return found[0]
        if module in kept:
            module = _TAKE.format(kept[module])
        else:
            kept[module] = f"posencModule{len(kept)}"
            module += _KEEP.format(kept[module])
        return f'<script type="module">\n{module}{start}{rest}</script>'

    return _MODULE.sub(put, html)


def part(html: str) -> str:
    """Give each widget of a page a module of its own again."""
    kept: dict[str, str] = {}

    def put(found: re.Match[str]) -> str:
        module, start, rest = found[1].rpartition(_START)
        whole, keep, name = module.rpartition("\nglobalThis.")
        if keep and module.endswith(_KEEP.format(name.split(" ")[0])):
            kept[_TAKE.format(name.split(" ")[0])] = module = whole
        module = kept.get(module, module)
        return f'<script type="module">\n{module}{start}{rest}</script>'

    return _MODULE.sub(put, html)
