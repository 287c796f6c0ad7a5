"""What every page of the site has to keep: each rule returns a list of its problems.

An empty list is good news. Rules about a ``page`` look at it in the browser; rules
about a ``soup`` read its HTML.
"""

import gzip
import posixpath
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup
from playwright.sync_api import Page

AXE = Path(__file__).parent / "vendor/axe-core/axe.min.js"

#: Addresses that carry their content in themselves.
SELF_CONTAINED = ("data:", "blob:", "about:")

#: Upper bound of a page with everything it loads, compressed, in bytes.
MAX_WEIGHT = 1_000_000

#: Upper bound of a formula's width on a phone, in columns. Break a wider one.
MAX_FORMULA = 1.3


def foreign_requests(page: Page, home: str) -> list[str]:
    """Requests that went anywhere but below `home`, be they answered or not."""
    allowed = (home, *SELF_CONTAINED)
    return [url for url in page.record.requests if not url.startswith(allowed)]


def foreign_resources(soup: BeautifulSoup) -> list[str]:
    """Elements that fetch, or prepare to fetch, something from another host."""
    problems = []
    for tag in soup.find_all(True):
        for name in ("src", "srcset", "poster", "data", "action", "href", "xlink:href"):
            value = tag.get(name)
            fetches = name != "href" or tag.name in {"link", "use", "image", "base"}
            named_only = tag.name == "link" and set(tag.get("rel", [])) <= {"canonical"}
            if value and fetches and not named_only and is_foreign(value):
                problems.append(f"<{tag.name} {name}={value!r}>")
    for style in soup.find_all("style"):
        problems += foreign_urls(style.get_text())
    return problems


def foreign_urls(style_sheet: str) -> list[str]:
    """Addresses on another host that a style sheet names."""
    urls = re.findall(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""", style_sheet)
    return [url for pair in urls for url in pair if is_foreign(url)]


def is_foreign(url: str) -> bool:
    """Whether `url` names a host."""
    return re.match(r"\s*(https?:|wss?:|//)", url, re.IGNORECASE) is not None


def errors(page: Page) -> list[str]:
    """Console errors and warnings, uncaught exceptions and failed requests."""
    return page.record.errors


def unset_formulas(page: Page) -> list[str]:
    """TeX that MathJax could not read, or did not see and left as it was."""
    return page.evaluate(r"""() => {
      const problems = [];
      for (const item of window.MathJax?.startup?.document?.math ?? [])
        item.root.walkTree(node => {
          // Commands that MathJax does not know, or not within \text, stand as text.
          const literal = node.isKind("mtext") && node.getText().includes("\\");
          if (node.isKind("merror") || literal) problems.push(`error in ${item.math}`);
        });
      for (const formula of document.querySelectorAll(".math"))
        if (!formula.querySelector("mjx-container"))
          problems.push(`not typeset: ${formula.textContent.trim()}`);
        else if (!formula.querySelector("mjx-assistive-mml math"))
          problems.push(`no MathML for those who listen: ${formula.innerHTML}`);
      const raw = /\\[([]|\$\$|\\[a-z]+\{|\$([a-z]|[^$\n]*[\\_^{=][^$\n]*)\$/i;
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode;
        if (text.parentElement.closest("script, style, pre, code, noscript, .math"))
          continue;
        if (raw.test(text.data)) problems.push(`raw TeX: ${text.data.trim()}`);
      }
      return [...new Set(problems)];
    }""")


def bad_images(page: Page) -> list[str]:
    """Images that do not load, or whose alternative text says nothing."""
    images = page.evaluate("""async () => {
      const images = [...document.images];
      for (const image of images) image.loading = "eager";
      await Promise.allSettled(images.map(image => image.decode()));
      return images.map(image => ({
        source: image.outerHTML.slice(0, 120),
        alt: image.getAttribute("alt"),
        decorative: ["presentation", "none"].includes(image.getAttribute("role")),
        loaded: image.naturalWidth > 0,
      }));
    }""")
    problems = []
    for image in images:
        if not image["loaded"]:
            problems.append(f"does not load: {image['source']}")
        if image["alt"] is None or not (image["alt"].strip() or image["decorative"]):
            problems.append(f"no alternative text: {image['source']}")
        elif is_file_name(image["alt"]):
            problems.append(f"a file name as alternative text: {image['alt']}")
    unnamed = page.locator("canvas:not([aria-label]):not([aria-labelledby])")
    return problems + [
        f"no label: {canvas.evaluate('e => e.outerHTML')[:80]}"
        for canvas in unnamed.all()
        if not canvas.text_content().strip()
    ]


def is_file_name(text: str) -> bool:
    """Whether an alternative text is the path that tools put where there is none."""
    path = r"\.(png|svg|jpe?g|gif|webp)\s*$|^\S*[/\\]\S*$"
    return re.search(path, text, re.IGNORECASE) is not None


def undrawn_icons(page: Page) -> list[str]:
    """Icons of the theme that its style sheet or its font does not hold."""
    return page.evaluate("""async () => {
      await document.fonts.ready;
      const problems = [];
      for (const icon of document.querySelectorAll("i[class*=fa-], span[class*=fa-]")) {
        const { content, font } = getComputedStyle(icon, "::before");
        if (!icon.checkVisibility()) continue;
        if (content === "none" || !document.fonts.check(font, content))
          problems.push(icon.outerHTML);
      }
      return problems;
    }""")


def lost_buttons(page: Page) -> list[str]:
    """Words that set a widget: those that are asleep, or find none on the page.

    They are pressed, and what goes wrong then is among the page's errors.
    """
    return page.evaluate("""() => {
      const buttons = [...document.querySelectorAll("button.pe-set")];
      const place = b =>
        document.querySelector(`[id^="posenc-${b.dataset.widget.toLowerCase()}-"]`);
      const lost = buttons.filter(b => b.disabled || !place(b));
      buttons.filter(b => !lost.includes(b)).forEach(b => b.click());
      return lost.map(b => `${b.textContent}: ${b.dataset.widget}`);
    }""")


def cut_contents(page: Page) -> list[str]:
    """Sections in the list at the right that the window's edge cuts off."""
    return page.evaluate("""() =>
      [...document.querySelectorAll(".page-toc a")]
        .filter((link) => link.checkVisibility())
        .filter((link) => {
          const text = document.createRange();
          text.selectNodeContents(link);
          return text.getBoundingClientRect().right > innerWidth + 0.5;
        })
        .map((link) => link.textContent.trim())""")


def wide_formulas(page: Page, most: int) -> list[str]:
    """Formulas much wider than their column, and more than `most` that scroll in it."""
    formulas = page.evaluate("""() => {
      const folds = [...document.querySelectorAll("details:not([open])")];
      for (const fold of folds) fold.open = true;
      const widths = [...document.querySelectorAll("article mjx-container[display]")]
        .filter((formula) => formula.scrollWidth > 1.05 * formula.clientWidth)
        .map((formula) => [formula.scrollWidth / formula.clientWidth,
          formula.closest(".math").parentElement.innerText.trim().slice(0, 60)]);
      for (const fold of folds) fold.open = false;
      return widths;
    }""")
    problems = [
        f"{width:.2f} columns wide: {around}"
        for width, around in formulas
        if width > MAX_FORMULA
    ]
    if len(formulas) > most:
        problems.append(f"{len(formulas)} formulas scroll, more than {most}")
    return problems


def sideways_scroll(page: Page) -> list[str]:
    """Pages wider than the window, and the elements that make them so."""
    return page.evaluate("""() => {
      const width = innerWidth, all = document.scrollingElement.scrollWidth;
      if (all <= width) return [];
      const name = e => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "")
        + [...e.classList].map(c => "." + c).join("");
      const clips = e => getComputedStyle(e).overflowX !== "visible";
      const offends = e => {
        if (e.getBoundingClientRect().right <= width + 0.5) return false;
        if (!e.checkVisibility({ visibilityProperty: true })) return false;
        for (let p = e.parentElement; p && p !== document.body; p = p.parentElement)
          if (clips(p)) return false;
        return true;
      };
      const elements = [...document.body.querySelectorAll("*")].filter(offends);
      const innermost = elements.filter(
        e => !elements.some(inner => inner !== e && e.contains(inner)));
      const end = e => Math.round(e.getBoundingClientRect().right);
      const widest = innermost.sort((e, f) => end(f) - end(e)).slice(0, 3).map(
        e => `${name(e)} ends at ${end(e)}: ${e.textContent.trim().slice(0, 60)}`);
      return [`${all} px in a window of ${width}`, ...widest];
    }""")


def accessibility(page: Page, *, contrast: bool = True) -> list[str]:
    """Serious and critical violations that axe-core finds in the page as it stands.

    Without `contrast` it is several times as fast, and takes the page apart: formulas
    (all but the first ten) and colors of code are not there afterwards. See
    `low_contrast`.
    """
    if not page.evaluate("() => typeof axe === 'object'"):
        page.evaluate(AXE.read_text() + ";0")
    # Left out: the glyphs of formulas, thousands of elements hidden from assistive
    # technology. Without preload: false, axe fetches style sheets again, from wrong
    # addresses.
    hidden = "mjx-math[aria-hidden]"
    if not contrast:  # axe models all elements, also those that it leaves out
        page.evaluate(
            """hidden => {
              for (const glyphs of document.querySelectorAll(hidden)) glyphs.remove();
              const formulas = [...document.querySelectorAll("mjx-assistive-mml")];
              for (const formula of formulas.slice(10)) formula.replaceChildren();
              for (const code of document.querySelectorAll("pre:not(:has(:not(span)))"))
                code.replaceChildren(code.innerText);
            }""",
            hidden,
        )
    options = {
        "preload": False,
        "resultTypes": ["violations"],
        "rules": {"color-contrast": {"enabled": contrast}},
    }
    violations = page.evaluate(
        """([hidden, options]) => axe.run({ exclude: [[hidden]] }, options)
          .then(results => results.violations)""",
        [hidden, options],
    )
    return [
        f"{violation['impact']} {violation['id']}: {node['target']}: "
        + " ".join(node["failureSummary"].split())
        for violation in violations
        if violation["impact"] in {"serious", "critical"}
        for node in violation["nodes"]
    ]


def low_contrast(page: Page) -> list[str]:
    """Pairs of colors, of a text and what lies behind it, that WCAG AA does not allow.

    Behind a text is the background of the nearest element around it that has one; what
    only lies over it, axe sees.
    """
    return page.evaluate(r"""() => {
      const numbers = color => {
        const [r, g, b, a = 1] = color.match(/[\d.]+/g).map(Number);
        return color.startsWith("color(srgb") ? [255 * r, 255 * g, 255 * b, a]
          : [r, g, b, a];
      };
      const luminance = color => {
        const [r, g, b] = color.map(channel => {
          const c = channel / 255;
          return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const over = (top, bottom) =>
        [0, 1, 2].map(i => top[3] * top[i] + (1 - top[3]) * bottom[i]);
      const backgrounds = new Map([[null, [255, 255, 255]]]);
      const behind = e => {
        if (!backgrounds.has(e)) {
          const own = numbers(getComputedStyle(e).backgroundColor);
          backgrounds.set(e, over(own, behind(e.parentElement)));
        }
        return backgrounds.get(e);
      };
      const left = "script, style, noscript, mjx-container, svg, [disabled], "
        + "[aria-hidden=true], .pst-js-only";
      const seen = new Set(), problems = [];
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode, e = text.parentElement;
        if (text.data.trim().length < 2 || e.closest(left)) continue; // as axe does
        const style = getComputedStyle(e);
        const large = parseFloat(style.fontSize) >= 24
          || parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700;
        const ground = behind(e), ink = over(numbers(style.color), ground);
        const key = `${ink} ${ground} ${large}`;
        if (seen.has(key)) continue;
        const visible = { visibilityProperty: true, opacityProperty: true };
        if (!e.checkVisibility(visible)) continue;
        seen.add(key);
        const [low, high] = [luminance(ink), luminance(ground)].sort((a, b) => a - b);
        const ratio = (high + 0.05) / (low + 0.05);
        if (ratio < (large ? 3 : 4.5))
          problems.push(`${ratio.toFixed(2)}: ${style.color}`
            + ` on rgb(${ground.map(Math.round)})`
            + ` in <${e.localName} class="${e.className}"> `
            + text.data.trim().slice(0, 40));
      }
      return problems;
    }""")


def wrong_theme(page: Page, *, dark: bool) -> list[str]:
    """A theme other than what the reader's system asks for, at first or now."""
    wanted = "dark" if dark else "light"
    first, now = page.evaluate(
        "() => [firstTheme, document.documentElement.dataset.theme]"
    )
    problems = []
    if first != wanted:
        problems.append(f"flashes: the first paint is {first}, not {wanted}")
    if now != wanted:
        problems.append(f"is {now}, not {wanted}")
    return problems


def unreadable_without_scripts(page: Page) -> list[str]:
    """Text and outputs that a reader without JavaScript can neither see nor open."""
    return page.evaluate("""() => {
      const main = document.querySelector("main article")
        ?? document.querySelector("main") ?? document.body;
      const texts = "h1, h2, h3, h4, p, li, dt, dd, pre, th, td, caption, figcaption";
      const outputs = ".cell_output, .output, .pe-widget";
      // A click opens these without a script; the second list is not for readers.
      const openable =
        "details:not([open]) > :not(summary), .sd-tab-content, summary *";
      const unwanted = "[hidden], template, script, style, .onlyprint, .pst-js-only";
      const visible = e => {
        const { width, height } = e.getBoundingClientRect();
        return width > 1 && height > 1
          && e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      };
      const expected = e => !e.closest(openable) && !e.closest(unwanted);
      const pictures = e => [...e.querySelectorAll("img, svg, table")].some(visible);
      const show = e => `<${e.localName} class="${e.className}"> `
        + e.textContent.trim().slice(0, 60);
      const problems = [];
      if (!main.innerText.trim()) problems.push("the main text is empty");
      for (const e of [...main.querySelectorAll(texts)].filter(expected))
        if (e.textContent.trim() && !visible(e)) problems.push(`hidden: ${show(e)}`);
      for (const e of [...main.querySelectorAll(outputs)].filter(expected))
        if (!e.innerText.trim() && !pictures(e)) problems.push(`empty: ${show(e)}`);
      for (const e of main.querySelectorAll("summary"))
        if (!e.innerText.trim()) problems.push(`a fold without a label: ${show(e)}`);
      return problems;
    }""")


def unreadable_formulas(page: Page) -> list[str]:
    """Formulas that a reader without JavaScript sees as TeX, or does not see."""
    return page.evaluate(r"""() => {
      const problems = [];
      const unopened = "details:not([open]) > :not(summary), .sd-tab-content";
      const raw = /\\[([]|\\[a-z]+\b/i;
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const { data, parentElement: around } = texts.currentNode;
        if (raw.test(data) && !around.closest("script, style, pre, code")
            && around.checkVisibility({ visibilityProperty: true }))
          problems.push(`raw TeX: ${data.trim()}`);
      }
      for (const formula of document.querySelectorAll(".math")) {
        const math = formula.nextElementSibling?.querySelector("math");
        const open = !formula.closest(unopened)
          && formula.parentElement.checkVisibility();
        const tex = formula.textContent.trim();
        if (!math) problems.push(`no MathML: ${tex}`);
        else if (open) {
          const { width, height } = math.getBoundingClientRect();
          const seen = math.checkVisibility({ visibilityProperty: true });
          if (!seen || width < 3 || height < 5)
            problems.push(`not to be seen: ${tex}`);
        }
      }
      return problems;
    }""")


def bad_structure(soup: BeautifulSoup) -> list[str]:
    """Language, title, one first-level heading, no level skipped, ids used once."""
    problems = []
    if not (soup.html and soup.html.get("lang")):
        problems.append("<html> has no lang")
    if not (soup.title and soup.title.get_text().strip()):
        problems.append("no <title>")
    headings = [
        tag
        for tag in (soup.main or soup).find_all(re.compile("^h[1-6]$"))
        if not tag.find_parent(class_="onlyprint")
    ]
    levels = [int(tag.name[1]) for tag in headings]
    if levels.count(1) != 1 or levels[0] != 1:
        problems.append(f"one <h1> has to come first, got levels {levels}")
    for before, level, tag in zip(levels, levels[1:], headings[1:], strict=False):
        if level > before + 1:
            problems.append(f"h{level} after h{before}: {tag.get_text()}")
    ids = Counter(tag["id"] for tag in soup.find_all(id=True))
    return problems + [f"id twice: {i}" for i in sorted(ids) if ids[i] > 1]


def dead_links(
    name: str, soup: BeautifulSoup, anchors: Mapping[str, set[str]], folder: Path
) -> list[str]:
    """Links and sources of page `name` that lead nowhere inside the site at `folder`.

    `anchors` holds those of all pages by their path below `folder`. Of addresses on
    other hosts only the form is checked.
    """
    problems = []
    for tag in soup.find_all(True):
        for attribute in ("href", "src", "data", "action", "poster"):
            value = tag.get(attribute)
            if value is not None and (problem := dead(value, name, anchors, folder)):
                problems.append(f"<{tag.name} {attribute}={value!r}>: {problem}")
    return problems


def dead(
    url: str, name: str, anchors: Mapping[str, set[str]], folder: Path
) -> str | None:
    """What is wrong with one address on page `name`, or None."""
    parts = urlsplit(url)
    if parts.scheme == "mailto":
        return None if "@" in parts.path else "no address"
    if url.startswith(SELF_CONTAINED):
        return None
    if parts.scheme or parts.netloc:
        proper = parts.scheme in {"http", "https"} and "." in parts.netloc
        return None if proper and not re.search(r"\s", url) else "not a proper address"
    path = name
    if parts.path:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), parts.path))
        path = unquote(path)
    if path.startswith(("/", "..")):
        return "leaves the site"
    if (folder / path).is_dir():
        return "a folder, which opens only on some servers"
    if not (folder / path).is_file():
        return "no such file"
    fragment = unquote(parts.fragment)
    if fragment and path in anchors and fragment not in anchors[path]:
        return "no such anchor"
    return None


class _Anchors(HTMLParser):
    """Collects the names that a fragment can lead to; much faster than a soup."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note its id, and the name of an ``<a>``."""
        for name, value in attrs:
            if value and (name == "id" or (tag, name) == ("a", "name")):
                self.found.add(value)


def anchors(html: str) -> set[str]:
    """All that a fragment can lead to in a page."""
    parser = _Anchors()
    parser.feed(html)
    return parser.found


def weight(page: Page, home: str, folder: Path) -> int:
    """Bytes of the page and all it loads, as a server that compresses would send it."""
    paths = {
        unquote(urlsplit(url).path).lstrip("/")
        for url in page.record.requests
        if url.startswith(home)
    }
    return sum(compressed_size(folder / path) for path in paths)


@cache
def compressed_size(file: Path) -> int:
    """Bytes of a file after gzip, or before where that is less (fonts, pictures)."""
    content = file.read_bytes()
    return min(len(content), len(gzip.compress(content, compresslevel=6)))


def too_heavy(page: Page, home: str, folder: Path) -> list[str]:
    """A page that loads more than `MAX_WEIGHT`."""
    total = weight(page, home, folder)
    return [f"{total:,} bytes, over {MAX_WEIGHT:,}"] if total > MAX_WEIGHT else []
