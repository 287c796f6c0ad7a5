import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.swin import (
    relative_position_bias,
    relative_position_index,
    resize_table,
    score_mod,
    shift_regions,
    window_merge,
    window_partition,
)
from posenc.swin.exercises import oracle

PRINTED = json.loads(Path("book/data/printed_tables.json").read_text())["swin_2x2"]

sides = st.integers(1, 5)
WINDOWS = [(1, 1), (1, 4), (4, 1), (2, 3), (3, 2), (4, 4)]


def num_offsets(height, width):
    return (2 * height - 1) * (2 * width - 1)


def test_both_sign_rules_of_the_2x2_window_come_out(xp):
    index = np.asarray(relative_position_index(2, 2, xp=xp))
    np.testing.assert_array_equal(index, PRINTED["query_minus_key"])
    np.testing.assert_array_equal(index.T, PRINTED["other_minus_base"])


@given(height=sides, width=sides)
def test_index_matches_the_oracle(height, width):
    index = relative_position_index(height, width)
    expected = oracle.sorted_index(height, width, sign=1)
    np.testing.assert_array_equal(index, expected)
    assert index.dtype == np.int64
    assert set(index.ravel().tolist()) == set(range(num_offsets(height, width)))


@pytest.mark.parametrize("window", WINDOWS)
def test_bias_matches_the_oracle_and_keeps_the_dtype(xp, rng, window):
    table = rng.normal(size=(num_offsets(*window), 3)).astype(np.float32)
    rows = np.asarray(oracle.sorted_index(*window, sign=1))
    expected = np.moveaxis(table[rows], -1, 0)  # (H, N, N)
    bias = relative_position_bias(xp.asarray(table), *window)
    assert bias.dtype == xp.float32
    np.testing.assert_array_equal(np.asarray(bias), expected)


@given(window=st.tuples(sides, sides), new_window=st.tuples(sides, sides))
def test_resizing_matches_the_oracle(window, new_window):
    table = np.random.default_rng(0).normal(size=(num_offsets(*window), 2))
    expected = oracle.resize(table.tolist(), window, new_window)
    out = resize_table(table, window, new_window)
    np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("new_window", [(1, 1), (2, 5), (7, 7), (12, 9)])
@pytest.mark.parametrize("window", [(1, 3), (4, 4), (7, 5)])
def test_resizing_is_that_of_torch(xp, rng, window, new_window):
    torch = pytest.importorskip("torch")
    table = rng.normal(size=(num_offsets(*window), 3))
    image = torch.asarray(table.T).reshape(1, 3, 2 * window[0] - 1, 2 * window[1] - 1)
    expected = torch.nn.functional.interpolate(
        image,
        size=(2 * new_window[0] - 1, 2 * new_window[1] - 1),
        mode="bicubic",
        align_corners=False,
    )
    out = resize_table(xp.asarray(table), window, new_window)
    assert isinstance(out, type(xp.asarray(table)))
    np.testing.assert_allclose(
        np.asarray(out), expected.reshape(3, -1).T.numpy(), rtol=1e-12, atol=1e-12
    )


def test_partition_reads_each_window_row_by_row_and_merge_undoes_it(xp, rng):
    image = rng.normal(size=(2, 6, 12, 3))  # 3 x 4 windows of 2 x 3 cells
    windows = np.asarray(window_partition(xp.asarray(image), 2, 3))
    assert windows.shape == (2, 12, 6, 3)
    for w in range(12):
        top, left = 2 * (w // 4), 3 * (w % 4)
        expected = image[:, top : top + 2, left : left + 3].reshape(2, 6, 3)
        np.testing.assert_array_equal(windows[:, w], expected)
    merged = window_merge(xp.asarray(windows), 2, 3, rows=6, columns=12)
    np.testing.assert_array_equal(np.asarray(merged), image)


def test_regions_number_the_pieces_row_by_row(xp):
    regions = shift_regions(6, 8, (3, 4), (1, 2), xp=xp)
    down, across = [0, 0, 0, 1, 1, 2], [0, 0, 0, 0, 1, 1, 2, 2]
    expected = [[3 * r + c for c in across] for r in down]
    np.testing.assert_array_equal(np.asarray(regions), expected)
    assert regions.dtype == xp.int64


@given(
    window=st.tuples(sides, sides),
    grid=st.tuples(st.integers(1, 3), st.integers(1, 3)),
    data=st.data(),
)
def test_cells_of_a_window_share_a_region_if_they_were_neighbors(window, grid, data):
    shift = tuple(data.draw(st.integers(0, side - 1)) for side in window)
    rows, columns = (n * side for n, side in zip(grid, window, strict=True))
    regions = shift_regions(rows, columns, window, shift)
    expected = oracle.neighbors(rows, columns, window, shift)
    of_window = window_partition(regions[..., None] * 1.0, *window)[..., 0]
    mask = of_window[:, :, None] == of_window[:, None, :]
    np.testing.assert_array_equal(mask, expected)


# --- another window for keys ----------------------------------------------------------


@given(height=sides, width=sides, rows=sides, columns=sides)
def test_index_of_another_key_window_numbers_the_offsets(height, width, rows, columns):
    index = relative_position_index(height, width, key_window=(rows, columns))
    cells = [(r, c) for r in range(height) for c in range(width)]
    keys = [(r, c) for r in range(rows) for c in range(columns)]
    offsets = [[(a - c, b - d) for c, d in keys] for a, b in cells]
    order = sorted({offset for row in offsets for offset in row})  # row by row
    assert index.tolist() == [
        [order.index(offset) for offset in row] for row in offsets
    ]
    assert len(order) == (height + rows - 1) * (width + columns - 1)


def test_score_mod_of_another_key_window_adds_its_bias(rng):
    torch = pytest.importorskip("torch")
    table = torch.tensor(rng.normal(size=(5 * 5, 2)))
    bias = relative_position_bias(table, 2, 2, key_window=(4, 4))
    mod = score_mod(table, 2, 2, key_window=(4, 4))
    for head, query, key in ((0, 0, 0), (1, 3, 15), (0, 1, 7)):
        assert mod(0.0, 0, head, query, key) == bias[head, query, key]
