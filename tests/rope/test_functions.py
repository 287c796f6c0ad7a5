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


# --- matrix and layouts ---------------------------------------------------------------


@given(
    position=st.floats(-1e4, 1e4),
    pairs=st.integers(1, 5),
    layout=st.sampled_from(LAYOUTS),
)
def test_matrix_matches_the_paper_and_the_element_wise_formula(position, pairs, layout):
    matrix = rotation_matrix(position, 2 * pairs, base=50.0, layout=layout)
    if layout == "interleaved":
        expected = oracle.matrix(position, 2 * pairs, 50.0)
        np.testing.assert_allclose(matrix, expected, atol=1e-10)
    x = np.random.default_rng(0).normal(size=(1, 2 * pairs))
    turned = rotate(x, [position], base=50.0, layout=layout)[0]
    np.testing.assert_allclose(matrix @ x[0], turned, atol=1e-10)


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


# --- decay ----------------------------------------------------------------------------


@given(distance=st.floats(-500, 500), pairs=st.integers(1, 8))
@example(distance=250.0, pairs=64)  # beyond the peaks of the paper's curve
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


@pytest.mark.parametrize("method", ["interpolation", "ntk", "yarn"])
def test_scaled_angles_use_the_scaled_frequencies(xp, method):
    positions = np.asarray([[0.0, 1.0, 3000.5], [2.0, 2.0**20, -7.0]])
    setting = {"scale": 4.0, "method": method, "trained_len": 2048, "base": 500.0}
    angles = np.asarray(scaled_angles(xp.asarray(positions), 32, **setting))
    theta = oracle.scaled_frequencies(32, **setting, alpha=1, beta=32)
    exact = positions[..., None] * np.asarray(theta)
    np.testing.assert_allclose(np.exp(1j * angles), np.exp(1j * exact), atol=1e-9)


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
    theta = 100.0 ** (-np.arange(pairs) / pairs)
    chosen = {"frequencies": theta} if seed % 2 else {"base": 100.0}
    setting = {"sections": sections, "interleaved": interleaved, **chosen}
    if axes is None:
        with pytest.raises(ValueError, match="interleaved sections must leave room"):
            multimodal_angles(positions, 2 * pairs, **setting)
        return
    angles = multimodal_angles(positions, 2 * pairs, **setting)
    assert angles.shape == (2, 3, pairs)
    for i, axis in enumerate(axes):
        exact = positions[axis] * theta[i]
        np.testing.assert_allclose(
            np.exp(1j * angles[..., i]), np.exp(1j * exact), atol=1e-9
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


@pytest.mark.bad_input
def test_keys_and_values_alone_do_not_tell_the_next_position():
    torch = pytest.importorskip("torch")
    module, x = attention(), torch.randn(2, 5, 16, dtype=torch.float64)
    _, (k, v, following) = module(x[:, :4])
    for past, message in (
        ((k, v), "past must end with the next position, got"),
        ((k, v, torch.asarray([4])), r"past\[2\] must have shape .*2, 1, 1, 1"),
        ([x[..., :-1, :] for x in (k, v, following)], "drop keys at the old end only"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            module(x[:, 4:], past=past)
    out, _ = module(x[:, 4:], past=(k, v), positions=torch.asarray([4]))
    torch.testing.assert_close(out, module(x[:, 4:], past=(k, v, following))[0])


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
