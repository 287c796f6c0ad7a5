import itertools

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from posenc.core.running_example import K, Q
from posenc.rope import (
    apply_partial_rotary,
    apply_rotary,
    apply_rotary_complex,
    apply_rotary_real,
    axial_angles,
    axial_angles_3d,
    decay_bound,
    dynamic_ntk_frequencies,
    layout_permutation,
    llama3_frequencies,
    longrope_attention_factor,
    longrope_frequencies,
    mean_partial_sum,
    multimodal_angles,
    proportional_frequencies,
    rotary_angles,
    rotary_factors,
    rotation_matrix,
    scaled_angles,
    scaled_frequencies,
    xpos_scale,
    yarn_attention_factor,
    yarn_frequencies,
)
from posenc.rope.exercises import oracle

LAYOUTS = ["interleaved", "half"]


def complex_form(x, angles, *, layout="interleaved", pair_scale=None):
    factors = rotary_factors(angles, pair_scale=pair_scale)
    return apply_rotary_complex(x, factors, layout=layout)


FORMS = [apply_rotary, apply_rotary_real, complex_form]


def rotate(x, positions, xp=np, form=apply_rotary, base=10_000.0, **options):
    x = xp.asarray(x)
    angles = rotary_angles(xp.asarray(positions), x.shape[-1], base=base)
    return np.asarray(form(x, angles, **options))


# --- angles ---------------------------------------------------------------------------


@given(
    positions=st.lists(st.integers(-(2**20), 2**20), max_size=5),
    pairs=st.integers(1, 8),
    base=st.floats(0.5, 1e7),
)
def test_angles_are_position_times_frequency_up_to_whole_turns(positions, pairs, base):
    angles = rotary_angles(np.asarray(positions, dtype=int), 2 * pairs, base=base)
    theta = [base ** (-2 * i / (2 * pairs)) for i in range(pairs)]
    expected = np.outer(positions, theta)
    assert ((angles >= 0) & (angles <= 2 * np.pi)).all()
    # Angles of 1e6 to 1e12 radians are themselves known to about 1e-16 of their size.
    tolerance = 1e-9 + 1e-15 * np.abs(expected).max(initial=0)
    np.testing.assert_allclose(np.cos(angles), np.cos(expected), atol=tolerance)
    np.testing.assert_allclose(np.sin(angles), np.sin(expected), atol=tolerance)


@pytest.mark.parametrize("dtype", ["float32", "int32", "int64"])
def test_float32_angles_are_right_to_1e_6_at_every_far_position(xp, dtype):
    far = np.asarray([0, 1, 4095, 2**19 + 1, 2**20 - 1, 2**20])
    positions = xp.asarray(far, dtype=getattr(xp, dtype))
    angles = rotary_angles(positions, 128, dtype=xp.float32)
    assert angles.dtype == xp.float32
    exact = np.outer(far, 10_000.0 ** (-np.arange(0, 128, 2) / 128))
    angles = np.asarray(angles, dtype=np.float64)
    np.testing.assert_allclose(np.cos(angles), np.cos(exact), atol=1e-6)
    np.testing.assert_allclose(np.sin(angles), np.sin(exact), atol=1e-6)


def test_half_precision_default_of_torch_still_gives_float32_angles():
    torch = pytest.importorskip("torch")
    torch.set_default_dtype(torch.bfloat16)
    try:
        assert rotary_angles(torch.arange(3), 4).dtype == torch.float32
    finally:
        torch.set_default_dtype(torch.float32)


# --- rotation -------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_all_forms_match_the_complex_form_of_the_paper(xp, rng, form, layout):
    x, positions = rng.normal(size=(7, 8)), np.asarray([0.0, 1, 2, 2.5, -4, 1000, 7])
    expected = oracle.turn(x, positions, 100.0, half=layout == "half")
    out = rotate(x, positions, xp, form, base=100.0, layout=layout)
    np.testing.assert_allclose(out, expected, rtol=1e-9, atol=1e-12)


@given(
    positions=st.lists(st.floats(-1000, 1000), min_size=4, max_size=4),
    shift=st.floats(-1000, 1000),
    layout=st.sampled_from(LAYOUTS),
)
def test_scores_depend_on_the_offset_only(positions, shift, layout):
    q, k = np.random.default_rng(0).normal(size=(2, 4, 8))
    positions = np.asarray(positions)

    def scores(pos):
        return rotate(q, pos, layout=layout) @ rotate(k, pos, layout=layout).T

    # positions + shift is rounded: 1e-13 of 2,000 tokens, times |q| |k| of about 8.
    np.testing.assert_allclose(scores(positions + shift), scores(positions), atol=1e-10)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_pairs_keep_their_norms_and_position_zero_is_the_identity(
    xp, rng, form, layout
):
    x = rng.normal(size=(3, 8))
    out = rotate(x, np.asarray([0.0, 5.0, 1e5]), xp, form, layout=layout)
    np.testing.assert_array_equal(out[0], x[0])

    def norms(x):
        pairs = x.reshape(3, 4, 2) if layout == "interleaved" else x.reshape(3, 2, 4)
        return np.linalg.norm(pairs, axis=-1 if layout == "interleaved" else -2)

    np.testing.assert_allclose(norms(out), norms(x), rtol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_rotations_compose(xp, rng, form):
    x, there, back = (
        rng.normal(size=(4, 6)),
        np.arange(4.0),
        np.asarray([5.0, 1, -2, 9]),
    )
    twice = rotate(rotate(x, there, xp, form), back, xp, form)
    np.testing.assert_allclose(twice, rotate(x, there + back, xp, form), atol=1e-12)


def test_running_example_by_hand():
    # base 1: both pairs turn by one radian per token, q = (2, 0 | 0, 0) at position 0.
    out = rotate(Q, np.arange(3), base=1.0)
    c1, s1, c2, s2 = np.cos(1), np.sin(1), np.cos(2), np.sin(2)
    expected = [
        [2, 0, 0, 0],
        [c1, s1, 2 * c1, 2 * s1],
        [0, 0, 2 * c2 - 2 * s2, 2 * s2 + 2 * c2],
    ]
    np.testing.assert_allclose(out, expected, atol=1e-12)
    # "man" asks "dog": (0, 0 | 2, 2) and (0, 0 | 0, 2), turned by two radians.
    score = out[2] @ rotate(K, np.arange(3), base=1.0)[0]
    np.testing.assert_allclose(score, 4 * (np.cos(2) + np.sin(2)), atol=1e-12)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_sequence_may_have_positions_of_its_own(xp, rng, form, layout):
    x = rng.normal(size=(2, 2, 5, 6))  # as many heads as sequences: the trap
    positions = np.asarray([[0, 0, 0, 1, 2], [7, 8, 0, 1, 2]])
    out = rotate(x, positions[:, None, :], xp, form, layout=layout)
    for b in range(2):
        for h in range(2):
            expected = oracle.turn(
                x[b, h], positions[b], 10_000.0, half=layout == "half"
            )
            # Integer positions give torch float32 angles.
            np.testing.assert_allclose(out[b, h], expected, atol=1e-6)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_views_at_odd_addresses_and_strides_are_rotated_too(rng, layout):
    torch = pytest.importorskip("torch")
    memory = torch.as_tensor(rng.normal(size=400))
    views = [
        memory[1:25].view(3, 8),  # begins at an odd address
        memory[:27].view(3, 9)[:, :8],  # rows at odd strides
        memory[:48].view(3, 16)[:, ::2],  # features apart
        memory[:24].view(8, 3).T,  # features down
        memory[:96].view(4, 3, 8).transpose(0, 1)[:, 2],
        memory[:8].expand(3, 8),
    ]
    for x in views:
        before = x.clone()
        out = rotate(x, np.arange(3.0), torch, layout=layout)
        expected = rotate(before.numpy(), np.arange(3.0), layout=layout)
        np.testing.assert_allclose(out, expected, atol=1e-12)
        np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_input_is_left_alone_and_the_result_is_a_new_array(xp, rng, form, layout):
    x = xp.asarray(rng.normal(size=(3, 4)))
    before = np.array(np.asarray(x))
    out = form(x, xp.zeros((3, 2)), layout=layout)
    out[...] = 0.0
    np.testing.assert_array_equal(np.asarray(x), before)


# --- matrix and layouts ---------------------------------------------------------------


@given(position=st.floats(-1e4, 1e4), pairs=st.integers(1, 5))
def test_matrix_matches_the_paper_and_the_element_wise_formula(position, pairs):
    matrix = rotation_matrix(position, 2 * pairs, base=50.0)
    expected = oracle.matrix(position, 2 * pairs, 50.0)
    np.testing.assert_allclose(matrix, expected, atol=1e-10)
    x = np.random.default_rng(0).normal(size=(1, 2 * pairs))
    np.testing.assert_allclose(
        matrix @ x[0], rotate(x, [position], base=50.0)[0], atol=1e-10
    )


@given(m=st.integers(-50, 50), n=st.integers(-50, 50), layout=st.sampled_from(LAYOUTS))
def test_matrices_of_two_positions_make_that_of_the_offset(m, n, layout):
    r_m, r_n, r_offset = (rotation_matrix(p, 6, layout=layout) for p in (m, n, n - m))
    np.testing.assert_allclose(r_m.T @ r_n, r_offset, atol=1e-12)
    np.testing.assert_allclose(np.linalg.det(r_m), 1.0, rtol=1e-12)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_matrix_turns_the_pairs_of_its_layout(xp, rng, layout):
    x = rng.normal(size=(1, 6))
    matrix = rotation_matrix(3, 6, layout=layout, xp=xp, dtype=xp.float64)
    expected = rotate(x, np.asarray([3.0]), layout=layout)[0]
    np.testing.assert_allclose(np.asarray(matrix) @ x[0], expected, atol=1e-12)


@given(
    pairs=st.integers(1, 6),
    source=st.sampled_from(LAYOUTS),
    target=st.sampled_from(LAYOUTS),
)
def test_layouts_agree_up_to_the_permutation(pairs, source, target):
    order = layout_permutation(2 * pairs, source=source, target=target)
    x, positions = (
        np.random.default_rng(0).normal(size=(3, 5, 2 * pairs)),
        np.arange(5.0),
    )
    rotated = rotate(x, positions, layout=source)
    np.testing.assert_allclose(
        rotate(x[..., order], positions, layout=target), rotated[..., order], rtol=1e-12
    )
    back = layout_permutation(2 * pairs, source=target, target=source)
    np.testing.assert_array_equal(order[back], np.arange(2 * pairs))


def test_permutations_by_hand(xp):
    half = layout_permutation(8, source="interleaved", target="half", xp=xp)
    np.testing.assert_array_equal(np.asarray(half), [0, 2, 4, 6, 1, 3, 5, 7])
    back = layout_permutation(8, source="half", target="interleaved", xp=xp)
    np.testing.assert_array_equal(np.asarray(back), [0, 4, 1, 5, 2, 6, 3, 7])
    assert half.dtype == xp.int64


# --- decay ----------------------------------------------------------------------------


def test_decay_curve_of_the_paper(xp):
    distance = xp.asarray([0, 10, 50, 100, 250])
    curve = np.asarray(mean_partial_sum(distance, 128))
    np.testing.assert_allclose(curve, [32.5, 17.95, 12.63, 10.23, 6.55], atol=5e-3)
    expected = [
        np.mean(oracle.partial_sums(d, 128, 1e4)) for d in (0, 10, 50, 100, 250)
    ]
    np.testing.assert_allclose(curve, expected, rtol=1e-6)


def test_neither_the_curve_nor_a_score_falls_at_every_step():
    distance = np.arange(300.0)
    assert (np.diff(mean_partial_sum(distance, 128)) > 0).sum() == 138
    ones = np.ones((300, 128))
    scores = rotate(ones, distance) @ np.ones(128)
    assert (np.diff(scores) > 0).sum() == 134
    np.testing.assert_allclose(scores[250], 39.3, atol=0.05)


@given(distance=st.floats(-500, 500), pairs=st.integers(1, 8))
def test_partial_sums_match_the_oracle(distance, pairs):
    expected = np.mean(oracle.partial_sums(distance, 2 * pairs, 100.0))
    np.testing.assert_allclose(
        mean_partial_sum(distance, 2 * pairs, base=100.0), expected, rtol=1e-9
    )


@given(
    seed=st.integers(0, 2**32 - 1),
    distance=st.integers(-500, 500),
    pairs=st.integers(1, 8),
    layout=st.sampled_from(LAYOUTS),
)
def test_bound_holds_and_matches_the_oracle(seed, distance, pairs, layout):
    q, k = np.random.default_rng(seed).normal(size=(2, 2 * pairs))
    bound = decay_bound(q, k, distance, base=100.0, layout=layout)
    score = rotate(q[None], [distance], base=100.0, layout=layout)[0] @ k
    assert abs(score) <= bound * (1 + 1e-12)
    order = layout_permutation(2 * pairs, source=layout, target="interleaved")
    expected = oracle.decay_bound(q[order], k[order], distance, 100.0)
    np.testing.assert_allclose(bound, expected, rtol=1e-9)


def test_bounds_of_many_pairs_and_distances_are_those_of_each(rng):
    q, k = rng.normal(size=(2, 3, 1, 8))
    bounds = decay_bound(q, k, np.arange(5.0))
    pairs = zip(q[:, 0], k[:, 0], strict=True)
    expected = [[decay_bound(*pair, n) for n in range(5)] for pair in pairs]
    np.testing.assert_allclose(bounds, expected, rtol=1e-12)


def test_bound_is_reached_at_distance_zero_by_a_falling_staircase():
    # h = (3, 2, 1): every step is 1, all S_j are positive, so the bound is the score.
    q = np.repeat(np.sqrt([3.0, 2.0, 1.0]), 2) / np.sqrt(2)
    np.testing.assert_allclose(decay_bound(q, q, 0), q @ q, rtol=1e-12)


# --- scaling, xPos, two dimensions ----------------------------------------------------

STRETCHED = {
    "scale": st.floats(1, 64),
    "base": st.floats(2, 1e6),
    "trained_len": st.integers(1, 8192),
}


@pytest.mark.parametrize("method", ["interpolation", "ntk", "yarn"])
@given(pairs=st.integers(2, 16), **STRETCHED)
def test_scaled_frequencies_match_the_oracle(method, pairs, **setting):
    setting["method"] = method
    out = scaled_frequencies(2 * pairs, **setting)
    expected = oracle.scaled_frequencies(2 * pairs, **setting, alpha=1, beta=32)
    np.testing.assert_allclose(out, expected, rtol=1e-12)


def test_methods_keep_the_ends_of_their_range():
    plain = scaled_frequencies(64, scale=1.0, method="interpolation")
    for method in ("interpolation", "ntk", "yarn"):
        same = scaled_frequencies(64, scale=1.0, method=method, trained_len=4096)
        np.testing.assert_allclose(same, plain, rtol=1e-12)
    ntk = scaled_frequencies(64, scale=8.0, method="ntk") / plain
    np.testing.assert_allclose(ntk[[0, -1]], [1, 1 / 8], rtol=1e-12)
    assert (np.diff(ntk) < 0).all()
    yarn = scaled_frequencies(64, scale=8.0, method="yarn", trained_len=4096) / plain
    turns = 4096 * plain / (2 * np.pi)
    np.testing.assert_allclose(yarn[turns > 32], 1.0, rtol=1e-12)
    np.testing.assert_allclose(yarn[turns < 1], 1 / 8, rtol=1e-12)
    assert ((turns > 1) & (turns < 32)).sum() > 5
    assert (np.diff(yarn) <= 0).all()


@pytest.mark.parametrize("method", ["interpolation", "ntk", "yarn"])
def test_scaled_angles_use_the_scaled_frequencies(xp, method):
    positions = np.asarray([[0.0, 1.0, 3000.5], [2.0, 2.0**20, -7.0]])
    setting = {"scale": 4.0, "method": method, "trained_len": 2048, "base": 500.0}
    angles = np.asarray(scaled_angles(xp.asarray(positions), 32, **setting))
    theta = oracle.scaled_frequencies(32, **setting, alpha=1, beta=32)
    exact = positions[..., None] * np.asarray(theta)
    np.testing.assert_allclose(np.exp(1j * angles), np.exp(1j * exact), atol=1e-9)


def test_interpolation_squeezes_positions_into_the_trained_range():
    long, short = np.arange(0, 80, 8.0), np.arange(10.0)
    np.testing.assert_allclose(
        scaled_angles(long, 16, scale=8.0, method="interpolation"),
        rotary_angles(short, 16),
        atol=1e-12,
    )


def test_yarn_sharpens_the_scores_by_the_published_amount():
    assert yarn_attention_factor(1.0) == 1.0
    np.testing.assert_allclose(yarn_attention_factor(32.0), 1.3465735902799727)
    both = yarn_attention_factor(32.0, mscale=2.0, mscale_all_dim=0.5)
    np.testing.assert_allclose(both, (1 + 0.2 * np.log(32)) / (1 + 0.05 * np.log(32)))


@given(
    seed=st.integers(0, 2**32 - 1),
    query_position=st.integers(-300, 300),
    key_position=st.integers(-300, 300),
    layout=st.sampled_from(LAYOUTS),
    form=st.sampled_from(FORMS),
)
def test_xpos_scores_match_the_oracle(seed, query_position, key_position, layout, form):
    q, k = np.random.default_rng(seed).normal(size=(2, 8))
    expected = oracle.xpos_score(q, k, query_position, key_position, 0.3, 100.0, 1e4)
    order = layout_permutation(8, source="interleaved", target=layout)

    def turn(x, position, sign):
        at = np.asarray([float(position)])
        scale = xpos_scale(at, 8, gamma=0.3, scale_base=100.0) ** sign
        angles = rotary_angles(at, 8)
        return form(x[None, order], angles, layout=layout, pair_scale=scale)[0]

    score = turn(q, query_position, 1) @ turn(k, key_position, -1)
    np.testing.assert_allclose(score, expected, rtol=1e-9, atol=1e-9)


def test_xpos_fades_with_the_offset_and_by_the_published_factors(xp):
    scale = np.asarray(xpos_scale(xp.asarray([0.0, 512.0]), 4))
    np.testing.assert_allclose(scale, [[1, 1], [0.4 / 1.4, 0.9 / 1.4]], rtol=1e-6)
    ones = np.ones((600, 16))
    positions = np.arange(600.0)
    scale, angles = xpos_scale(positions, 16), np.zeros((600, 8))
    q = apply_rotary(ones, angles, pair_scale=scale)
    k = apply_rotary(ones, angles, pair_scale=1 / scale)
    assert (np.diff(q @ k[0]) < 0).all()


def test_axial_scores_depend_on_both_offsets(xp, rng):
    q, k = rng.normal(size=(2, 8))
    rows, columns = (
        g.ravel() for g in np.meshgrid(*[np.arange(4.0)] * 2, indexing="ij")
    )

    def scores(rows, columns):
        angles = axial_angles(xp.asarray(rows), xp.asarray(columns), 8, base=100.0)
        turned = [
            np.asarray(apply_rotary(xp.asarray(np.tile(x, (16, 1))), angles))
            for x in (q, k)
        ]
        return turned[0] @ turned[1].T

    here = scores(rows, columns)
    np.testing.assert_allclose(scores(rows + 3, columns - 5), here, atol=1e-12)
    grid = here.reshape(4, 4, 4, 4)
    np.testing.assert_allclose(grid[1:, :, 1:], grid[:-1, :, :-1], atol=1e-12)
    np.testing.assert_allclose(grid[:, 1:, :, 1:], grid[:, :-1, :, :-1], atol=1e-12)
    assert abs(grid[0, 0, 0, 1] - grid[0, 0, 1, 0]) > 1e-3  # rows are not columns


def test_axial_angles_are_two_rotary_embeddings(rng):
    x = rng.normal(size=(5, 8))
    rows, columns = np.asarray([0.0, 1, 2, 0, 7]), np.asarray([3.0, 0, 1, 9, 7])
    out = apply_rotary(x, axial_angles(rows, columns, 8))
    expected = [oracle.turn(x[:, :4], rows, 1e4), oracle.turn(x[:, 4:], columns, 1e4)]
    np.testing.assert_allclose(out, np.concatenate(expected, axis=1), atol=1e-12)


# --- rules of checkpoints -------------------------------------------------------------

AT_THE_ENDS = {"scale": 4.0, "alpha": 1.0, "width": 40.0, "truncate": True}


@given(
    pairs=st.integers(1, 16),
    **STRETCHED,
    alpha=st.floats(0.1, 4),
    width=st.floats(0.1, 40),
    truncate=st.booleans(),
)
@example(pairs=4, base=100.0, trained_len=2, **AT_THE_ENDS)  # all pairs beyond the ramp
@example(
    pairs=4, base=10.0, trained_len=1000, **AT_THE_ENDS
)  # the ramp ends beyond all
def test_yarn_of_the_code_matches_a_loop(pairs, alpha, width, truncate, **setting):
    setting |= {"alpha": alpha, "beta": alpha + width}
    out = yarn_frequencies(2 * pairs, ramp="pairs", truncate=truncate, **setting)
    expected = oracle.yarn_in_pairs(2 * pairs, truncate=truncate, **setting)
    np.testing.assert_allclose(out, expected, rtol=1e-9)
    paper = oracle.scaled_frequencies(2 * pairs, method="yarn", **setting)
    np.testing.assert_allclose(yarn_frequencies(2 * pairs, **setting), paper, rtol=1e-9)


def test_the_two_ramps_of_yarn_agree_at_their_ends_only(xp):
    setting = {"scale": 8.0, "trained_len": 2048, "xp": xp}
    turns, pairs, exact = (
        np.asarray(yarn_frequencies(64, **setting, **options))
        for options in ({}, {"ramp": "pairs"}, {"ramp": "pairs", "truncate": False})
    )
    plain = 10_000.0 ** (-np.arange(32) / 32)
    for theta in (turns, pairs, exact):
        np.testing.assert_allclose(theta[:8], plain[:8], rtol=1e-12)
        np.testing.assert_allclose(theta[21:], plain[21:] / 8, rtol=1e-12)
    assert (np.abs(turns / exact - 1)[9:20] > 0.05).all()
    assert (np.abs(pairs / exact - 1)[10:21] > 5e-3).all()


@given(
    pairs=st.integers(1, 16),
    **STRETCHED,
    low=st.floats(0, 4),
    width=st.floats(0.1, 40),
)
def test_llama_3_matches_a_loop(pairs, low, width, **setting):
    high = low + width
    out = llama3_frequencies(
        2 * pairs, **setting, low_freq_factor=low, high_freq_factor=high
    )
    expected = oracle.llama3(2 * pairs, **setting, low=low, high=high)
    np.testing.assert_allclose(out, expected, rtol=1e-9)


def test_llama_3_1_by_hand():
    # Head of 128 features, factor 8, trained on 8,192 tokens: pairs of wavelengths up
    # to 2,048 tokens are kept, those above 8,192 are slowed down by 8.
    theta = llama3_frequencies(128, scale=8.0, trained_len=8192)
    plain = 500_000.0 ** (-np.arange(64) / 64)
    wavelengths = 2 * np.pi / plain
    fast, slow = wavelengths < 2048, wavelengths > 8192
    np.testing.assert_allclose(theta[fast], plain[fast], rtol=1e-12)
    np.testing.assert_allclose(theta[slow], plain[slow] / 8, rtol=1e-12)
    between = ~fast & ~slow
    assert between.sum() == 6
    assert ((theta < plain) & (theta > plain / 8))[between].all()


@given(pairs=st.integers(2, 16), seq_len=st.integers(0, 40_000), **STRETCHED)
def test_dynamic_ntk_matches_a_loop(pairs, seq_len, **setting):
    out = dynamic_ntk_frequencies(2 * pairs, seq_len, **setting)
    expected = oracle.dynamic_ntk(2 * pairs, seq_len, **setting)
    np.testing.assert_allclose(out, expected, rtol=1e-9)


@given(
    factors=st.lists(
        st.tuples(st.floats(0.5, 64), st.floats(0.5, 64)), min_size=1, max_size=8
    ),
    base=st.floats(2, 1e6),
    trained_len=st.integers(2, 8192),
    scale=st.floats(1, 64),
)
def test_longrope_divides_by_its_factors_and_switches_after_the_trained_length(
    factors, base, trained_len, scale
):
    short, long = zip(*factors, strict=True)
    head_dim = 2 * len(factors)
    setting = {"short_factors": short, "long_factors": long, "trained_len": trained_len}
    for seq_len, chosen in ((trained_len, short), (trained_len + 1, long), (0, short)):
        theta = longrope_frequencies(head_dim, seq_len, **setting, base=base)
        for i, factor in enumerate(chosen):
            expected = base ** (-2 * i / head_dim) / factor
            np.testing.assert_allclose(theta[i], expected, rtol=1e-12)
    factor = longrope_attention_factor(scale, trained_len)
    np.testing.assert_allclose(
        factor**2, np.log(trained_len * scale) / np.log(trained_len), rtol=1e-12
    )


@given(
    pairs=st.integers(1, 16),
    fraction=st.floats(0, 1),
    base=st.floats(2, 1e6),
    scale=st.floats(1, 8),
)
def test_proportional_frequencies_stop_at_a_part_of_the_head(
    pairs, fraction, base, scale
):
    theta = proportional_frequencies(
        2 * pairs, fraction=fraction, base=base, scale=scale
    )
    for i in range(pairs):
        turns = i < int(fraction * 2 * pairs // 2)
        expected = base ** (-2 * i / (2 * pairs)) / scale if turns else 0.0
        np.testing.assert_allclose(theta[i], expected, rtol=1e-12)


def test_angles_take_the_frequencies_of_a_rule(xp):
    theta = llama3_frequencies(16, scale=8.0, trained_len=64)
    positions = xp.asarray([[0, 1, 5], [100, 2**20, -3]])
    exact = np.asarray(positions)[..., None] * theta
    for given_theta in (theta, xp.asarray(theta), list(theta)):
        angles = rotary_angles(positions, 16, frequencies=given_theta, dtype=xp.float64)
        np.testing.assert_allclose(
            np.exp(1j * np.asarray(angles)), np.exp(1j * exact), atol=1e-9
        )


def test_learned_frequencies_get_gradients():
    torch = pytest.importorskip("torch")
    theta = torch.rand(4, dtype=torch.float64, requires_grad=True)
    rotary_angles(torch.arange(3), 8, frequencies=theta).sum().backward()
    torch.testing.assert_close(theta.grad, torch.full((4,), 3.0, dtype=torch.float64))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("width", [4, 10])
def test_the_first_features_turn_and_the_others_stay(xp, rng, width, layout):
    x, positions = rng.normal(size=(3, 10)), np.asarray([0.0, 2.0, 50.0])
    angles = rotary_angles(xp.asarray(positions)[None], width, base=100.0)
    out = np.asarray(apply_partial_rotary(xp.asarray(x)[None], angles, layout=layout))
    turned = oracle.turn(x[:, :width], positions, 100.0, half=layout == "half")
    np.testing.assert_allclose(out[0, :, :width], turned, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(out[0, :, width:], x[:, width:])


@given(
    sections=st.lists(st.integers(0, 5), min_size=1, max_size=4).filter(any),
    seed=st.integers(0, 1000),
    interleaved=st.booleans(),
)
def test_each_pair_follows_the_axis_of_its_section(sections, seed, interleaved):
    rng = np.random.default_rng(seed)
    pairs, count = sum(sections), len(sections)
    axes = oracle.section_axes(sections, interleaved=interleaved)
    positions = rng.integers(0, 1000, size=(count, 2, 3))
    setting = {"sections": sections, "interleaved": interleaved, "base": 100.0}
    if axes is None:
        with pytest.raises(ValueError, match="interleaved sections must leave room"):
            multimodal_angles(positions, 2 * pairs, **setting)
        return
    angles = multimodal_angles(positions, 2 * pairs, **setting)
    assert angles.shape == (2, 3, pairs)
    for i, axis in enumerate(axes):
        exact = positions[axis] * 100.0 ** (-i / pairs)
        np.testing.assert_allclose(
            np.exp(1j * angles[..., i]), np.exp(1j * exact), atol=1e-9
        )


@pytest.mark.parametrize("interleaved", [False, True])
def test_text_has_one_position_on_all_axes(xp, interleaved):
    positions = xp.asarray([[0, 1, 7]] * 3)
    setting = {"sections": [4, 3, 3], "interleaved": interleaved}
    of_axes = multimodal_angles(positions, 20, **setting)
    plain = rotary_angles(positions[0, ...], 20)
    assert of_axes.dtype == plain.dtype
    np.testing.assert_array_equal(np.asarray(of_axes), np.asarray(plain))
    theta = proportional_frequencies(20, fraction=0.5)
    np.testing.assert_array_equal(
        np.asarray(multimodal_angles(positions, 20, **setting, frequencies=theta)),
        np.asarray(rotary_angles(positions[0, ...], 20, frequencies=theta)),
    )


@pytest.mark.parametrize("sections", [None, [1, 2, 3], (3, 3, 0)])
def test_three_axes_are_three_rotary_embeddings(xp, rng, sections):
    x = rng.normal(size=(4, 12))
    places = [rng.integers(0, 50, size=4) for _ in range(3)]
    angles = axial_angles_3d(
        *(xp.asarray(place) for place in places), 12, sections=sections, base=100.0
    )
    assert angles.dtype == rotary_angles(xp.asarray(places[0]), 4).dtype
    out = np.asarray(apply_rotary(xp.asarray(x), angles))
    ends = np.cumsum([0, *(sections or [2, 2, 2])]) * 2
    for axis, (start, end) in enumerate(itertools.pairwise(ends)):
        expected = oracle.turn(x[:, start:end], places[axis], 100.0)
        np.testing.assert_allclose(out[:, start:end], expected, atol=1e-5)


# --- torch ----------------------------------------------------------------------------


def attention(**options):
    torch = pytest.importorskip("torch")
    from posenc.nn import RotaryAttention

    torch.manual_seed(0)
    return RotaryAttention(16, 2, **options).double()


def left_padded(x, lengths):
    """Right-align each sequence, count from its first token, mask the padding."""
    import torch

    padded, seq_len = torch.randn_like(x), x.shape[1]  # pads hold garbage
    slots = torch.arange(seq_len)
    first = seq_len - torch.asarray(lengths)[:, None]
    for row, n in enumerate(lengths):
        padded[row, seq_len - n :] = x[row, :n]
    real = slots >= first
    return padded, (slots - first).clamp(min=0), real[:, None, None, :]


def test_left_padding_changes_nothing_for_the_real_tokens():
    torch = pytest.importorskip("torch")
    module, x = attention(), torch.randn(3, 6, 16, dtype=torch.float64)
    lengths = [6, 4, 1]
    padded, positions, mask = left_padded(x, lengths)
    out, (keys, *_) = module(padded, positions=positions, mask=mask)
    for row, n in enumerate(lengths):
        alone, (alone_keys, *_) = module(x[row : row + 1, :n])
        torch.testing.assert_close(out[row, 6 - n :], alone[0])
        # The same positions, hence the very same keys: a cache can be shared.
        torch.testing.assert_close(keys[row, :, 6 - n :], alone_keys[0])
    assert torch.isfinite(out).all()  # queries of the padding may attend to nothing


def test_left_padded_prompts_decode_further_at_their_own_positions():
    torch = pytest.importorskip("torch")
    module, x = attention(), torch.randn(2, 6, 16, dtype=torch.float64)
    lengths = torch.asarray([6, 3])
    padded, positions, mask = left_padded(x, lengths.tolist())
    _, past = module(padded, positions=positions, mask=mask)
    token = torch.randn(2, 1, 16, dtype=torch.float64)
    longer = torch.nn.functional.pad(mask, (0, 1), value=True)
    out, _ = module(token, positions=lengths[:, None], mask=longer, past=past)
    for row, n in enumerate(lengths.tolist()):
        whole = torch.cat([x[row : row + 1, :n], token[row : row + 1]], dim=1)
        torch.testing.assert_close(out[row, 0], module(whole)[0][0, -1])
    # Without positions they count on from the last ones of each sequence …
    torch.testing.assert_close(module(token, mask=longer, past=past)[0], out)
    # … not by slot, as in the real bug.
    wrong, _ = module(token, positions=torch.asarray([6]), mask=longer, past=past)
    torch.testing.assert_close(wrong[0], out[0])
    assert (wrong[1] - out[1]).abs().max() > 1e-3


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_cropped_cache_keeps_its_positions(given, dtype):
    torch = pytest.importorskip("torch")
    module = attention().to(getattr(torch, dtype))
    x = torch.randn(5, 13, 16, dtype=getattr(torch, dtype))
    start = torch.asarray([0, 3, 0, 7, 100])[:, None] + torch.arange(13)
    positions = {"positions": start[:, :9]} if given else {}
    _, past = module(x[:, :9], **positions)
    for token in range(9, 13):
        past = tuple(part[..., -4:, :] for part in past)  # of the third, nothing
        out, past = module(x[:, token : token + 1], past=past)
        near = torch.arange(13) >= token - 4  # keys of all positions, four of them seen
        whole, _ = module(x[:, : token + 1], mask=near[: token + 1])
        torch.testing.assert_close(out, whole[:, -1:])
        assert past[2].shape == (5, 1, 1, 1)
        expected = start[:, token] + 1 if given else torch.asarray([token + 1] * 5)
        assert past[2].flatten().tolist() == expected.tolist()


def test_a_cache_can_be_sorted_by_sequences():
    torch = pytest.importorskip("torch")
    module, x = attention(), torch.randn(3, 5, 16, dtype=torch.float64)
    order = torch.asarray([2, 0, 0, 1])
    starts = torch.asarray([[0], [5], [9]]) + torch.arange(4)
    _, past = module(x[:, :4], positions=starts)
    out, _ = module(x[order, 4:], past=tuple(part[order] for part in past))
    _, past = module(x[order, :4], positions=starts[order])
    torch.testing.assert_close(out, module(x[order, 4:], past=past)[0])


@pytest.mark.bad_input
def test_keys_and_values_alone_do_not_tell_the_next_position():
    torch = pytest.importorskip("torch")
    module, x = attention(), torch.randn(2, 5, 16, dtype=torch.float64)
    _, (k, v, following) = module(x[:, :4])
    for past, message in (
        ((k, v), "past must end with the next position, got"),
        ((k, v, 4), r"past\[2\] must be an array"),
        ((k, v, x), r"past\[2\] must h"),
        ((k, v, torch.asarray([4])), r"past\[2\] must have shape .*2, 1, 1, 1"),
        (k, r"past must be three .*, got a Tensor"),
        ([x[..., :-1, :] for x in (k, v, following)], "drop keys at the old end only"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            module(x[:, 4:], past=past)
    out, _ = module(x[:, 4:], past=(k, v), positions=torch.asarray([4]))
    torch.testing.assert_close(out, module(x[:, 4:], past=(k, v, following))[0])


def test_packed_sequences_behave_as_if_they_were_alone():
    torch = pytest.importorskip("torch")
    module, x = attention(), torch.randn(2, 7, 16, dtype=torch.float64)
    segments = torch.asarray([[0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 2, 2]])
    positions = torch.asarray([[0, 1, 2, 0, 1, 2, 3], [0, 1, 0, 1, 2, 0, 1]])
    same = segments[:, None, :, None] == segments[:, None, None, :]
    out, (keys, *_) = module(x, positions=positions, mask=same)
    for row in range(2):
        for segment in range(3):
            here = segments[row] == segment
            if here.any():
                alone, (alone_keys, *_) = module(x[row : row + 1, here])
                torch.testing.assert_close(out[row, here], alone[0])
                torch.testing.assert_close(keys[row][:, here], alone_keys[0])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_attention_only_sees_offsets(layout):
    torch = pytest.importorskip("torch")
    module = attention(layout=layout, causal=False)
    x = torch.randn(2, 5, 16, dtype=torch.float64)
    out, _ = module(x, positions=torch.arange(5))
    moved, _ = module(x, positions=torch.arange(5) + 1000)
    torch.testing.assert_close(moved, out)
    shuffled, _ = module(x, positions=torch.asarray([0, 2, 1, 3, 4]))
    assert (shuffled - out).abs().max() > 1e-3


# --- under the transforms of torch ----------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
def test_gradients_of_torch_func_are_the_turn_back(layout):
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    x, weights = torch.randn(2, 5, 16), torch.randn(2, 5, 16)
    angles = rotary_angles(torch.arange(5), 16)
    for form in FORMS:
        grad = torch.func.grad(
            lambda x, form=form: (form(x, angles, layout=layout) * weights).sum()
        )(x)
        back = apply_rotary_real(weights, -angles, layout=layout)
        torch.testing.assert_close(grad, back)


# --- bad input ------------------------------------------------------------------------


@pytest.mark.bad_input
def test_angles_in_half_precision_are_refused():
    torch = pytest.importorskip("torch")
    for dtype in (torch.bfloat16, torch.float16):
        with pytest.raises(TypeError, match=r"float32 or float64, got .* float32 angl"):
            rotary_angles(torch.arange(3), 4, dtype=dtype)
    with pytest.raises(TypeError, match="dtype must be float32 or float64"):
        rotary_angles(np.arange(3), 4, dtype=np.float16)


@pytest.mark.parametrize("base", [2.0, 100.0, 10_000.0, 1e6])
@pytest.mark.parametrize("last", [2**32 - 1, 1 - 2**32])
def test_the_angles_of_the_last_positions_are_right_to_1e_6(xp, last, base):
    mpmath = pytest.importorskip("mpmath")
    positions = [last - m if last > 0 else last + m for m in range(8)]
    angles = rotary_angles(xp.asarray(positions), 64, base=base, dtype=xp.float64)
    with mpmath.workdps(40):
        theta = [mpmath.mpf(base) ** -(mpmath.mpf(i) / 32) for i in range(32)]
        exact = [[complex(mpmath.expj(m * t)) for t in theta] for m in positions]
    np.testing.assert_allclose(
        np.exp(1j * np.asarray(angles)), exact, rtol=0, atol=1e-6
    )
