"""Take pictures of pages of the built site, to be looked at by a person.

``python tests/site/screenshots.py [page …] --out DIR``, for example ``book/t5.html``;
without a page, all of them. Each is taken wide and narrow, light and dark, in full
length, and once without JavaScript.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "scripts")]

from browsing import launched, open_page, served  # noqa: E402
from build_book import SITE  # noqa: E402

#: What is taken of each page: name of the picture, options of `open_page`.
VIEWS = {
    "wide-light": {"width": 1280},
    "wide-dark": {"width": 1280, "dark": True},
    "phone-light": {"width": 360},
    "phone-dark": {"width": 360, "dark": True},
    "wide-no-js": {"width": 1280, "javascript": False},
    "phone-no-js": {"width": 360, "javascript": False},
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", metavar="page", help="below _build/html")
    parser.add_argument("--out", type=Path, required=True, help="folder for the PNGs")
    parser.add_argument("--views", nargs="*", choices=VIEWS, default=list(VIEWS))
    options = parser.parse_args()
    pages = options.pages or sorted(
        path.relative_to(SITE).as_posix() for path in SITE.glob("book/*.html")
    )
    options.out.mkdir(parents=True, exist_ok=True)
    with launched() as browser, served(SITE) as address:
        for name in pages:
            for view in options.views:
                page = open_page(browser, address + name, **VIEWS[view])
                picture = options.out / f"{Path(name).stem}-{view}.png"
                page.screenshot(path=picture, full_page=True)
                page.context.close()
                print(picture)


if __name__ == "__main__":
    main()
