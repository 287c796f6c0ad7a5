"""How a notebook looks in its host: pictures, and styles of ours that count.

All of it works in JupyterLab, Notebook 7 and JupyterLite, whose application the page
shows as ``window.jupyterapp``, and in a page of nbconvert's. An empty list of problems
is good news.
"""

import contextlib
import time
from itertools import chain

import pytest
from playwright.sync_api import TimeoutError

from posenc.kit.figures.palette import THEMES

#: The page's notebook, or a page that is one.
_ROOT = "window.jupyterapp?.shell.currentWidget.node ?? document.body"

#: Canvases of a chapter that look the same in both themes: the first step of
#: `ShiftSteps` holds no color of either.
_UNCHANGED = {"transformer_xl": 1}

#: Of every place with pictures: what those show that are to be seen.
_SHOWN = """(root) => {
  const figures = [...root.querySelectorAll(".pe-figure")];
  const places = new Set(figures.map((figure) => figure.parentNode));
  return [...places].map((place) => [...place.querySelectorAll("img")]
    .filter((image) => image.checkVisibility() && image.clientWidth > 50)
    .map((image) => {
      const { content } = getComputedStyle(image);
      return content.startsWith("url(") ? content : image.src;
    }));
}"""

#: Declarations of ours that do not hold since a host's rule outranks them: what changes
#: once each of ours is important.
_OUTRANKED = """(root) => {
  const ours = [];
  const collect = (rules) => {
    for (const rule of rules) {
      if (rule.style) ours.push(rule.style);
      if (rule.cssRules) collect(rule.cssRules);
    }
  };
  for (const { ownerNode, cssRules } of document.styleSheets)
    if (/[.]pe-|--pe-/.test(ownerNode?.textContent ?? "")) collect(cssRules);
  const boxes = ".pe-widget, .pe-check, .pe-hint, .pe-progress, .pe-convention";
  const nodes = [...root.querySelectorAll(boxes)]
    .flatMap((box) => [box, ...box.querySelectorAll("*")]);
  const styled = nodes.filter((node) => node.hasAttribute("style"));
  nodes.push(...root.querySelectorAll(".pe-figure"));
  const styles = [...ours, ...styled.map((node) => node.style)];
  const names = [...new Set(styles.flatMap((style) => [...style]))];
  const computed = () => nodes.map((node) => {
    const style = getComputedStyle(node);
    return names.map((name) => style.getPropertyValue(name));
  });
  const important = (text) =>
    (text + ";").replace(/( *!important)?;+/g, " !important;");
  const before = computed(), texts = ours.map((style) => style.cssText);
  // As written: a browser's own text lacks a border of which a part was set anew.
  const attributes = styled.map((node) => node.getAttribute("style"));
  ours.forEach((style, i) => { style.cssText = important(texts[i]); });
  styled.forEach((node, i) => node.setAttribute("style", important(attributes[i])));
  const after = computed(), found = new Set();
  ours.forEach((style, i) => { style.cssText = texts[i]; });
  styled.forEach((node, i) => node.setAttribute("style", attributes[i]));
  nodes.forEach((node, i) => names.forEach((name, j) => {
    const [is, wanted] = [before[i][j], after[i][j]];
    const box = node.closest(boxes) ?? node;
    if (is !== wanted)
      found.add(`${box.classList[0]} ${node.localName} ${name}: ${is}, not ${wanted}`);
  }));
  return [nodes.length, names.length, [...found]];
}"""

#: Formulas: how many there are, and the texts around those that are none.
_FORMULAS = """(root) => {
  const texts = [...root.querySelectorAll(".jp-RenderedMarkdown, .jp-RenderedHTML")];
  const left = texts.flatMap((text) => {
    const copy = text.cloneNode(true);
    copy.querySelectorAll("mjx-container, code, pre, style").forEach((e) => e.remove());
    return copy.textContent.match(/.*[$].*|.*\\\\[(\\[a-z].*/g) ?? [];
  });
  const strange = [...root.querySelectorAll("mjx-container")].filter((formula) =>
    formula.querySelector("mjx-merror, [data-mjx-error]")
    || getComputedStyle(formula).color !== getComputedStyle(formula.parentNode).color);
  return [root.querySelectorAll("mjx-container").length,
    [...left, ...strange.map((formula) => formula.parentNode.textContent)]];
}"""

_CANVASES = """(root) => {
  return [...root.querySelectorAll(".pe-widget canvas")].map((e) => e.toDataURL());
}"""

_SET_THEME = """async (theme) => {
  await window.jupyterapp.commands.execute("apputils:change-theme", { theme });
}"""


def _ask(page, question):
    return page.evaluate_handle(_ROOT).evaluate(question)


def theme(page):
    """Theme of the page: ``"light"`` or ``"dark"``."""
    is_light = page.evaluate("document.body.dataset.jpThemeLight") != "false"
    return "light" if is_light else "dark"


def set_theme(page, name):
    """Choose a theme as readers do, and wait until it is there.

    JupyterLab stops following the system then. Until its settings say so, it may go
    back to the system's theme: so it is chosen again.
    """
    for _ in range(20):
        page.evaluate(_SET_THEME, f"JupyterLab {name.capitalize()}")
        with contextlib.suppress(TimeoutError):
            page.wait_for_function(
                "is => document.body.dataset.jpThemeLight === is",
                arg=str(name == "light").lower(),
                timeout=6_000,
            )
            return
    pytest.fail(f"JupyterLab does not take the {name} theme", pytrace=False)


def wrong_pictures(page, figures):
    """Figures that show no picture, several, or one for another theme.

    `figures` is how many there are to be.
    """
    shown = _ask(page, _SHOWN)
    counts = [len(pictures) for pictures in shown]
    problems = [] if counts == [1] * figures else [f"{figures} figures show {counts}"]
    surface = THEMES[theme(page)]["surface"].replace("#", "%23")
    return problems + [
        f"not of the {theme(page)} theme: {url[:60]}"
        for url in chain(*shown)
        if surface not in url
    ]


def problems(page, figures, slug=""):
    """What is wrong in either theme: pictures, formulas, styles, or canvases."""
    found = _problems_here(page, figures)
    before = _ask(page, _CANVASES)
    set_theme(page, "dark" if theme(page) == "light" else "light")
    end = time.monotonic() + 10
    while (same := _same(before, _ask(page, _CANVASES))) > _UNCHANGED.get(slug, 0):
        if time.monotonic() > end:
            found.append(f"{same} of {len(before)} canvases keep the colors of before")
            break
    return found + _problems_here(page, figures)


def _same(before, after):
    return sum(a == b for a, b in zip(before, after, strict=True))


def _problems_here(page, figures):
    nodes, names, outranked = _ask(page, _OUTRANKED)
    formulas, wrong = _ask(page, _FORMULAS)
    counts = {"nodes": nodes, "properties": names, "formulas": formulas}
    return [
        *wrong_pictures(page, figures),
        *(f"outranked: {declaration}" for declaration in outranked),
        *(f"formula: {text}" for text in wrong),
        *(f"there are no {what}" for what, count in counts.items() if not count),
    ]
