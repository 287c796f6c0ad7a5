import numpy as np

from posenc.core import running_example as example


def test_projections_give_small_whole_numbers_that_a_reader_can_check():
    np.testing.assert_array_equal(example.Q, [[2, 0, 0, 0], [1, 0, 2, 0], [0, 0, 2, 2]])
    np.testing.assert_array_equal(example.K, [[0, 0, 0, 2], [2, 2, 0, 1], [4, 2, 0, 0]])
    np.testing.assert_array_equal(example.V, example.X)


def test_scores_are_whole_after_scaling_and_tell_rows_apart():
    scores = example.Q @ example.K.T / 2
    np.testing.assert_array_equal(scores, [[0, 2, 4], [0, 1, 2], [2, 1, 0]])
