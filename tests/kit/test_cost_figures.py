import numpy as np
import pytest

from posenc.kit.figures.cost import cost_curve, scaling_curve
from posenc.kit.figures.themes import theme

MEASURED = {
    "128": {
        "write": {"median": 1.0, "low": 0.9, "high": 1.1},
        "ours": {"median": 2.0, "low": 1.5, "high": 2.5},
        "other": {"median": 9.0, "low": 8.0, "high": 9.5},
    },
    "256": {
        "write": {"median": 4.0, "low": 3.9, "high": 4.1},
        "ours": {"median": 5.0, "low": 4.5, "high": 5.5},
        "other": {"median": 30.0, "low": 28.0, "high": 33.0},
    },
}


def test_curves_are_the_medians_and_bands_span_the_quartiles():
    with theme("light"):
        ax = cost_curve(MEASURED, {"ours": "our way", "write": "bound"}, bound="write")
    lines = {line.get_label(): line for line in ax.get_lines()}
    assert set(lines) == {"our way", "bound"}
    np.testing.assert_array_equal(lines["our way"].get_xydata(), [[128, 2], [256, 5]])
    np.testing.assert_array_equal(lines["bound"].get_xydata(), [[128, 1], [256, 4]])
    band = ax.collections[0]
    edges = {tuple(point) for point in band.get_paths()[0].vertices}
    assert {(128, 1.5), (128, 2.5), (256, 4.5), (256, 5.5)} <= edges


class TestScaling:
    CELLS = {  # noqa: RUF012
        "512": {"a": {"ms": 1.0, "mib": 3.0}, "b": {"ms": 2.0, "mib": 4.0}},
        "1024": {"a": {"ms": 5.0, "mib": 6.0}},
    }

    def test_megabytes_are_a_million_bytes(self):
        ax = scaling_curve(self.CELLS, {"b": "second"}, "mb")
        assert ax.lines[0].get_ydata().tolist() == [4 * 1.048576]
        assert ax.get_ylabel() == "memory (MB)"

    @pytest.mark.parametrize("what", ["ms", "mib"])
    def test_a_curve_ends_where_it_was_not_measured(self, what):
        ax = scaling_curve(self.CELLS, {"a": "first", "b": "second"}, what)
        curves = {
            line.get_label(): (list(line.get_xdata()), list(line.get_ydata()))
            for line in ax.lines
        }
        assert curves == {
            "first": ([512, 1024], [self.CELLS[n]["a"][what] for n in ("512", "1024")]),
            "second": ([512], [self.CELLS["512"]["b"][what]]),
        }
        assert ("ms" in ax.get_ylabel()) == (what == "ms")
