"""Widgets of one class share their module on a page, and part again on slides."""

import re
from collections import Counter

#: A widget's module with its host; and what starts it in its place.
_MODULE = re.compile(r'<script type="module">\n(.*?)</script>', re.DOTALL)
_START = "\nmount(widget, "
#: Code after the module of a class's first widget, and its replacement in others.
_KEEP = "\nglobalThis.{} = {{ widget, mount }};"
_TAKE = "const {{ widget, mount }} = globalThis.{};"


def share(html: str) -> str:
    """Share a module among widgets of a class: modules run in the order of a page."""
    pieces = [match[1].rpartition(_START) for match in _MODULE.finditer(html)]
    times = Counter(module for module, start, _ in pieces if start)
    names: dict[str, str] = {}

    def put(match: re.Match[str]) -> str:
        module, start, rest = match[1].rpartition(_START)
        if not start or times[module] == 1:
            return match[0]
        if module in names:
            module = _TAKE.format(names[module])
        else:
            names[module] = f"posencModule{len(names)}"
            module += _KEEP.format(names[module])
        return f'<script type="module">\n{module}{start}{rest}</script>'

    return _MODULE.sub(put, html)


def part(html: str) -> str:
    """Give each widget of a page a module of its own again."""
    modules: dict[str, str] = {}

    def put(match: re.Match[str]) -> str:
        module, start, rest = match[1].rpartition(_START)
        whole, keep, name = module.rpartition("\nglobalThis.")
        if keep and module.endswith(_KEEP.format(name.split(" ")[0])):
            modules[_TAKE.format(name.split(" ")[0])] = module = whole
        module = modules.get(module, module)
        return f'<script type="module">\n{module}{start}{rest}</script>'

    return _MODULE.sub(put, html)
