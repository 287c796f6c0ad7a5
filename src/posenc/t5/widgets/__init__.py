"""The widget of the chapter on T5: table of buckets, staircase, bias."""

from itertools import product
from typing import Any

import numpy as np
import traitlets

from posenc import t5
from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table
from posenc.t5.figures import (
    BIAS_COLORS,
    BUCKET_COLORS,
    bucket_steps,
    mpnet_head,
    overview,
)

__all__ = ["BucketTable"]

MAX_LENGTH = 48
NUM_BUCKETS = (4, 6, 8, 12, 16, 24, 32, 48, 64)
MAX_DISTANCES = (8, 12, 16, 20, 24, 32, 64, 96, 128, 256, 512)


class BucketTable(BookWidget):
    """T5's buckets as a table of numbers and as a staircase, with settings to choose.

    Parameters
    ----------
    q_len, k_len : int, default 16
        Queries and keys of the table, 1 … 48.
    num_buckets : int, default 16
        One of `NUM_BUCKETS`.
    max_distance : int, default 128
        One of `MAX_DISTANCES`.
    bidirectional : bool, default True
        As in `posenc.t5.bucket_starts`.
    view : {"buckets", "bias"}, default "buckets"
        Whether cells show bucket numbers, or biases of a head of MPNet (`mpnet_head`).
    log_axis : bool, default True
        Whether the staircase's axis is logarithmic.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above, or the setting admits no buckets. To pass
        through an impossible setting, change traits in `hold_trait_notifications`.

    Examples
    --------
    >>> widget = BucketTable(num_buckets=32, bidirectional=False)
    >>> widget.max_distance = 8
    Traceback (most recent call last):
        ...
    traitlets.traitlets.TraitError: max_distance must be an integer of at least 17, ...
    """

    q_len = traitlets.Int(16, min=1, max=MAX_LENGTH)
    k_len = traitlets.Int(16, min=1, max=MAX_LENGTH)
    num_buckets = traitlets.Enum(NUM_BUCKETS, default_value=16)
    max_distance = traitlets.Enum(MAX_DISTANCES, default_value=128)
    bidirectional = traitlets.Bool(True)
    view = traitlets.Enum(("buckets", "bias"), default_value="buckets")
    log_axis = traitlets.Bool(True)

    @table
    def settings(self) -> dict[str, Any]:
        """Buckets by setting: steps (None for no end), empty ones, biases of MPNet."""
        found = {}
        for num, most, both in product(NUM_BUCKETS, MAX_DISTANCES, (True, False)):
            exact = num // (4 if both else 2)  # distances with a bucket each
            if most <= exact:
                continue
            setting: Any = dict(zip(_SETTING, (num, most, both), strict=True))
            steps, empty = bucket_steps(**setting)
            found[f"{num},{most},{str(both).lower()}"] = {
                "exact": exact,
                "steps": [
                    [n if abs(n) < np.inf else None for n in step] for step in steps
                ],
                "empty": empty,
                "bias": mpnet_head(**setting).round(2).tolist(),
            }
        return found

    @table
    def choices(self) -> dict[str, Any]:
        return {
            "max_length": MAX_LENGTH,
            "num_buckets": NUM_BUCKETS,
            "max_distance": MAX_DISTANCES,
        }

    @table
    def colors(self) -> dict[str, str]:
        return {"bucket": color_table(BUCKET_COLORS), "bias": color_table(BIAS_COLORS)}

    @traitlets.validate("num_buckets", "max_distance", "bidirectional")
    def _check_setting(self, proposal: Any) -> Any:
        """Refuse what `posenc.t5` refuses, in its words."""
        setting = {name: getattr(self, name) for name in _SETTING}
        setting[proposal["trait"].name] = proposal["value"]
        try:
            t5.bucket_starts(**setting)
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from None
        return proposal["value"]

    def picture(self) -> Themed:
        """Table and staircase of the present setting."""
        setting = {name: getattr(self, name) for name in ("q_len", "k_len", *_SETTING)}
        direction = "both directions" if self.bidirectional else "the past only"
        alt = (
            f"Table of T5 buckets for {self.q_len} queries and {self.k_len} keys, and "
            "a staircase of bucket against relative position: "
            f"{self.num_buckets} buckets for {direction}, "
            f"max distance {self.max_distance}."
        )
        bias = None
        if self.view == "bias":
            alt = alt.replace("Table of T5 buckets", "Table of biases of MPNet")
            bias = mpnet_head(**{name: setting[name] for name in _SETTING})
        return Themed(lambda: overview(**setting, bias=bias), alt=alt)


_SETTING = ("num_buckets", "max_distance", "bidirectional")
