"""The pages around the chapters: their drawings, and the answers of the self-tests."""

import contextlib
import io
import re
from pathlib import Path

import jupytext
import matplotlib.pyplot as plt
import numpy as np

from posenc.prerequisites import figures as basics

BOOK = Path(__file__).parents[2] / "book"
PREREQUISITES = (BOOK / "prerequisites.md").read_text(encoding="utf-8")


def texts(draw):
    ax = draw()
    plt.close(ax.figure)
    return [text.get_text() for text in ax.texts if text.get_text()]


def test_numbers_in_the_drawings():
    assert [text.split("= ")[-1] for text in texts(basics.dot_products)] == [
        *("$q$", "5$", "0$", "−7$")
    ]
    assert texts(basics.relative_position_grid)[:9] == [
        *("0", "1", "2"),
        *("−1", "0", "1"),
        *("−2", "−1", "0"),
    ]
    assert texts(basics.softmax_temperatures)[:6:2] == ["0.00", "0.02", "0.98"]
    output = texts(basics.sliding_window)[1:10:2]
    assert output == ["4", "3", "5", "7", "3"]


def test_answers_in_words_are_those_that_the_code_computes():
    """Run the page's cells; compare the answers that the folded ones compute."""
    namespace, found = {}, []
    for cell in jupytext.reads(PREREQUISITES, fmt="md:myst").cells:
        tags = cell.metadata.get("tags", [])
        if cell.cell_type == "code" and tags in ([], ["solution"]):
            with contextlib.redirect_stdout(io.StringIO()):
                exec(cell.source, namespace)
            if tags:
                (name,) = re.findall(r"check\(.*, (my_\w+)\)$", cell.source)
                found.append(np.round([*map(np.asarray, namespace[name])], 3).tolist())
    assert found == [
        [2, 1, 1],
        [[20, 30, 10], [10, 20, 30]],
        [[0.25] * 4, [0.333, 0.333, 0.333, 0]],
        [-1, -2, 2.236, 2.236],
        [628.319],
        [2, 8, 3, 5, 0],
        [1, 2],
        [6, -2],
        [2, 3, 3, 2],
        [0.125],
    ]
