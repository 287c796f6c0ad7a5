r"""TITLE: one sentence that says what this encoding does.

Companion of ``book/SLUG.md``. Replace the function by those of the method, each from
its mathematics.

Axis names: ``seq_len`` = L, ``...`` = any leading axes.

References
----------
Authors (year), Title, link, and the section that each function follows.
"""

from .scaling import scaled_position

__all__ = ["scaled_position"]
