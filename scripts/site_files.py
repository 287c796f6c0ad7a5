"""Files at the top of the site, for browsers that err, search engines and forges."""

from html import escape
from pathlib import Path
from urllib.parse import urlsplit

#: Replaces jupyter-book's root page, which has no title, language, icon or link.
ROOT_PAGE = """<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="refresh" content="0; url=book/index.html">
    <link rel="icon" href="_static/favicon.svg">
    <title>{title}</title>
  </head>
  <body><main><h1><a href="book/index.html">{title}</a></h1></main></body>
</html>
"""

#: A forge shows it at any address that is wrong: so its links begin at the site's top.
LOST_PAGE = """<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <link rel="icon" href="{top}_static/favicon.svg">
    <title>No such page: {title}</title>
    <style>
      :root {{ color-scheme: light dark; font: 1.1rem/1.5 sans-serif; }}
      main {{ max-width: 38rem; margin: 15vh auto; padding: 0 1rem; }}
    </style>
  </head>
  <body>
    <main>
      <h1>Where am I? Not on a page.</h1>
      <p>There is no page at this address, or not any more.</p>
      <ul>
        <li><a href="{top}book/index.html">To the first page of the book</a></li>
        <li><a href="{top}search.html">Search the book</a></li>
      </ul>
    </main>
  </body>
</html>
"""

SITEMAP = """<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{entries}
</urlset>
"""


def write(site: Path, title: str, address: str) -> None:
    """Write all of them.

    Parameters
    ----------
    site : Path
        Folder of the built site.
    title : str
        Of the book.
    address : str
        Of the site, with a slash at its end; if it is empty there is no sitemap, which
        must have whole addresses.
    """
    words = {"title": escape(title), "top": urlsplit(address).path or "/"}
    (site / "index.html").write_text(ROOT_PAGE.format(**words), "utf-8")
    (site / "404.html").write_text(LOST_PAGE.format(**words), "utf-8")
    # Forges that run Jekyll would leave out every folder that begins with a line.
    (site / ".nojekyll").write_text("", "utf-8")
    robots = "User-agent: *\nAllow: /\n"
    (site / "sitemap.xml").unlink(missing_ok=True)
    if address:
        robots += f"\nSitemap: {address}sitemap.xml\n"
        (site / "sitemap.xml").write_text(sitemap(site, address), "utf-8")
    (site / "robots.txt").write_text(robots, "utf-8")


def sitemap(site: Path, address: str) -> str:
    """Return the addresses of all pages of the book, as XML."""
    pages = sorted(
        path.relative_to(site).as_posix() for path in site.glob("book/*.html")
    )
    entries = [f"  <url><loc>{escape(address + page)}</loc></url>" for page in pages]
    return SITEMAP.format(entries="\n".join(entries))
