"""Names in the order of a list of people."""

import unicodedata

__all__ = ["plain_letters"]


def plain_letters(text: str) -> str:
    """Return text to sort by: without accents, and with capital letters as small ones.

    Examples
    --------
    >>> sorted(["Zuse", "Özil", "noether"], key=plain_letters)
    ['noether', 'Özil', 'Zuse']
    """
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in parts if not unicodedata.combining(c))
