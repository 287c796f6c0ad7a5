import itertools
import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.linear_attention import (
    chunked_form,
    elu_plus_one,
    linear_attention,
    linear_attention_weights,
    linear_attention_with_state,
    orthogonal_projection,
    polynomial_lift,
    positive_random_features,
    quadratic_form,
    recurrent_form,
    toeplitz_linear_attention,
    toeplitz_linear_attention_full,
)
from posenc.linear_attention.exercises import oracle

seeds = st.integers(0, 2**32 - 1)
decays = st.sampled_from([None, 1.0, 0.9, math.exp(-0.5), 1e-3])

#: The causal forms, which must agree: with each of them every causal test runs.
FORMS = {
    "quadratic": partial(quadratic_form, causal=True),
    "recurrent": recurrent_form,
    "chunked": partial(chunked_form, chunk_size=3),
    "default": partial(linear_attention, causal=True),
}
all_forms = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


def qkv(rng, q_len=7, k_len=7, head_dim=4, value_dim=3, batch=()):
    return (
        rng.normal(size=(*batch, q_len, head_dim)),
        rng.normal(size=(*batch, k_len, head_dim)),
        rng.normal(size=(*batch, k_len, value_dim)),
    )


def random_angles(rng, seq_len, pairs=2):
    return rng.uniform(-math.pi, math.pi, size=(seq_len, pairs))


# --- the forms against the formula ----------------------------------------------------


@given(
    seed=seeds,
    seq_len=st.integers(1, 8),
    decay=decays,
    rotated=st.booleans(),
    rotate_denominator=st.booleans(),
)
def test_every_causal_form_matches_the_loops_of_the_formula(
    seed, seq_len, decay, rotated, rotate_denominator
):
    rng = np.random.default_rng(seed)
    q, k, v = qkv(rng, seq_len, seq_len)
    angles = random_angles(rng, seq_len) if rotated else None
    options = {"angles": angles, "rotate_denominator": rotate_denominator}
    factor = 1.0 if decay is None else decay
    expected = oracle.linear_attention(q, k, v, causal=True, decay=factor, **options)
    for form in FORMS.values():
        out = form(q, k, v, decay=decay, **options)
        # A denominator that nearly cancels, as rotating it allows, loses digits: at
        # most as many as the output is larger than the values.
        size = max(1.0, np.abs(expected).max())
        np.testing.assert_allclose(out / size, expected / size, rtol=0, atol=1e-11)
    weights = linear_attention_weights(q, k, causal=True, decay=decay, **options)
    np.testing.assert_allclose(weights @ v / size, expected / size, rtol=0, atol=1e-11)


@given(
    seed=seeds,
    q_len=st.integers(1, 6),
    k_len=st.integers(1, 6),
    chunk_size=st.integers(1, 7),
    rotated=st.booleans(),
)
def test_both_forms_without_order_match_the_loops(
    seed, q_len, k_len, chunk_size, rotated
):
    rng = np.random.default_rng(seed)
    k_len = q_len if rotated else k_len
    q, k, v = qkv(rng, q_len, k_len)
    angles = random_angles(rng, q_len) if rotated else None
    expected = oracle.linear_attention(q, k, v, angles=angles)
    summed = partial(linear_attention, chunk_size=chunk_size)
    for form in (summed, quadratic_form):
        out = form(q, k, v, angles=angles)
        np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-13)


@given(
    seed=seeds,
    seq_len=st.integers(0, 40),
    chunk_size=st.integers(1, 45),
    decay=decays,
    rotated=st.booleans(),
)
def test_the_chunk_size_does_not_matter(seed, seq_len, chunk_size, decay, rotated):
    rng = np.random.default_rng(seed)
    q, k, v = qkv(rng, seq_len, seq_len, batch=(2,))
    angles = random_angles(rng, seq_len) if rotated else None
    options = {"decay": decay, "angles": angles}
    expected = recurrent_form(q, k, v, **options)
    for out in (
        chunked_form(q, k, v, chunk_size=chunk_size, **options),
        linear_attention(q, k, v, causal=True, chunk_size=chunk_size, **options),
    ):
        np.testing.assert_allclose(out, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_layout_selects_the_features_of_a_pair(xp, rng, layout):
    q, k, v = qkv(rng, head_dim=6)
    angles = random_angles(rng, 7, pairs=3)
    order = {"interleaved": [0, 1, 2, 3, 4, 5], "half": [0, 2, 4, 1, 3, 5]}[layout]
    out = linear_attention(
        *map(xp.asarray, (q[:, order], k[:, order], v)),
        angles=xp.asarray(angles),
        layout=layout,
    )
    expected = oracle.linear_attention(q, k, v, angles=angles)
    np.testing.assert_allclose(np.asarray(out), expected, rtol=1e-12, atol=1e-13)


@all_forms
def test_leading_axes_broadcast_and_each_head_has_its_decay(xp, rng, form):
    q = rng.normal(size=(2, 3, 7, 4))
    k, v = rng.normal(size=(3, 7, 4)), rng.normal(size=(2, 1, 7, 5))
    decay = np.asarray([1.0, 0.7, 0.1])
    out = form(*map(xp.asarray, (q, k, v)), decay=xp.asarray(decay))
    for b, h in itertools.product(range(2), range(3)):
        expected = oracle.linear_attention(
            q[b, h], k[h], v[b, 0], causal=True, decay=decay[h]
        )
        np.testing.assert_allclose(np.asarray(out)[b, h], expected, rtol=1e-11)


@all_forms
def test_a_feature_map_may_change_the_number_of_features(xp, rng, form):
    q, k, v = qkv(rng, head_dim=2)
    out = form(*map(xp.asarray, (q, k, v)), feature_map=polynomial_lift)
    expected = oracle.linear_attention(
        q,
        k,
        v,
        causal=True,
        feature_map=lambda x: [x[0] ** 2, 2**0.5 * x[0] * x[1], x[1] ** 2],
    )
    # (q . k)^2 may be tiny for the first query.
    np.testing.assert_allclose(np.asarray(out), expected, rtol=1e-9)


# --- causality, lengths, denominators -------------------------------------------------


@pytest.mark.parametrize("form", [linear_attention, quadratic_form])
def test_queries_without_keys_get_zeros_and_no_queries_nothing(xp, form):
    out = form(xp.ones((2, 5, 4)), xp.ones((2, 0, 4)), xp.ones((2, 0, 3)))
    np.testing.assert_array_equal(np.asarray(out), np.zeros((2, 5, 3)))
    assert form(xp.ones((0, 4)), xp.ones((5, 4)), xp.ones((5, 3))).shape == (0, 3)


@all_forms
def test_features_that_are_all_zero_give_zeros_and_finite_gradients(form, rng):
    torch = pytest.importorskip("torch")
    q, k, v = (torch.asarray(x) for x in qkv(rng))
    k[:2] = -1.0  # relu makes their features 0: the first two queries see nothing
    inputs = [x.requires_grad_() for x in (q, k, v)]
    out = form(*inputs, feature_map=torch.relu)
    np.testing.assert_array_equal(out[:2].detach().numpy(), np.zeros((2, 3)))
    assert (out[-1] != 0).all()
    out.square().sum().backward()
    for x in inputs:
        assert torch.isfinite(x.grad).all()


# --- decay ----------------------------------------------------------------------------


@pytest.mark.parametrize("form", [chunked_form, recurrent_form])
def test_long_sequences_stay_accurate_where_the_naive_factors_overflow(xp, rng, form):
    slope, seq_len = 0.5, 1000
    q, k, v = (x.astype("float32") for x in qkv(rng, seq_len, seq_len))
    exact = quadratic_form(
        *(x.astype("float64") for x in (q, k, v)), causal=True, decay=math.exp(-slope)
    )
    out = form(*map(xp.asarray, (q, k, v)), decay=math.exp(-slope))
    assert out.dtype == xp.float32
    # 1,000 steps of float32 rounding, damped by the decay.
    np.testing.assert_allclose(np.asarray(out), exact, rtol=1e-5, atol=2e-6)


def test_gradient_reaches_a_learned_decay(rng):
    torch = pytest.importorskip("torch")
    decay = torch.asarray([0.5, 0.9], dtype=torch.float64, requires_grad=True)
    inputs = [torch.asarray(x) for x in qkv(rng, 5, 5, batch=(2,))]
    for form in FORMS.values():
        torch.autograd.gradcheck(lambda d, form=form: form(*inputs, decay=d), (decay,))


# --- the state: in and out ------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("decay", [None, 0.9, [1.0, 0.9, 0.2]])
def test_a_prompt_and_then_token_by_token_is_the_whole(xp, rng, dtype, decay):
    q, k, v = (xp.asarray(x.astype(dtype)) for x in qkv(rng, 12, 12, batch=(2, 3)))
    angles = xp.asarray(random_angles(rng, 12))
    decay = xp.asarray(decay) if isinstance(decay, list) else decay
    read = partial(linear_attention_with_state, decay=decay, chunk_size=3)
    whole = linear_attention(q, k, v, causal=True, angles=angles, decay=decay)
    state, outputs = None, []
    for start, stop in ((0, 7), (7, 8), (8, 8), (8, 9), (9, 11), (11, 12)):
        new = (x[..., start:stop, :] for x in (q, k, v))
        out, state = read(*new, state, angles=angles[start:stop])
        assert out.dtype == state.S.dtype == state.z.dtype == getattr(xp, dtype)
        assert int(state.length) == stop
        outputs.append(np.asarray(out))
    assert state.S.shape == (2, 3, 4, 3)
    assert state.z.shape == (2, 3, 4)
    tolerance = 50 * np.finfo(dtype).eps
    np.testing.assert_allclose(
        np.concatenate(outputs, axis=-2),
        np.asarray(whole),
        rtol=tolerance,
        atol=tolerance,
    )


def test_reading_changes_no_state_and_nothing_changes_nothing(xp, rng):
    q, k, v = map(xp.asarray, qkv(rng))
    read = partial(linear_attention_with_state, decay=0.5)
    before = read(q, k, v)[1]
    copies = [np.asarray(x).copy() for x in before]
    read(q, k, v, before)
    after = read(q[:0], k[:0], v[:0], before)[1]
    for state in (before, after):
        for x, copy in zip(state, copies, strict=True):
            np.testing.assert_array_equal(np.asarray(x), copy)


def test_half_precision_keeps_its_state_in_float32():
    torch = pytest.importorskip("torch")
    ones = torch.ones(1, 1, dtype=torch.bfloat16)
    state = None
    for _ in range(300):  # in bfloat16, 256 + 1 = 256
        out, state = linear_attention_with_state(ones, ones, ones, state)
    assert out.dtype == torch.bfloat16
    assert state.S.dtype == torch.float32
    assert float(state.z) == 600.0


@pytest.mark.parametrize("decay", [None, "per head"])
@pytest.mark.parametrize("rotate_denominator", [False, True])
def test_gradients_flow_through_the_state_however_the_text_is_cut(
    rng, decay, rotate_denominator
):
    torch = pytest.importorskip("torch")
    arrays = [*qkv(rng, 20, 20, batch=(2,)), random_angles(rng, 20), [0.9, 0.5]]
    gradients = []
    for cuts in ([(0, 20)], [(0, 13), (13, 14), (14, 20)]):
        *leaves, factors = (torch.asarray(x).requires_grad_() for x in arrays)
        state, loss = None, 0.0
        for start, stop in cuts:
            *new, angles = (x[..., start:stop, :] for x in leaves)
            out, state = linear_attention_with_state(
                *new,
                state,
                angles=angles,
                decay=factors if decay else None,
                rotate_denominator=rotate_denominator,
                chunk_size=4,
            )
            loss = loss + out.square().sum()
        loss.backward()
        gradients.append([x.grad for x in (*leaves, factors)][: 5 if decay else 4])
    # A rotated denominator may be tiny.
    torch.testing.assert_close(*gradients, rtol=1e-6, atol=1e-8)


# --- a bias as a Toeplitz matrix ------------------------------------------------------


@given(
    seed=seeds,
    q_len=st.integers(1, 9),
    k_len=st.integers(1, 9),
    forbidden=st.floats(0.0, 0.9),
)
def test_toeplitz_forms_match_the_loops(seed, q_len, k_len, forbidden):
    rng = np.random.default_rng(seed)
    q, k, v = qkv(rng, q_len, k_len)
    bias = rng.normal(size=q_len + k_len - 1)
    bias[rng.random(size=bias.shape) < forbidden] = -np.inf
    expected = oracle.linear_attention(q, k, v, bias=lambda r: bias[r + q_len - 1])
    for form in (toeplitz_linear_attention, toeplitz_linear_attention_full):
        np.testing.assert_allclose(form(q, k, v, bias), expected, rtol=1e-9, atol=1e-12)
        heads = form(q, k, v, np.stack([bias + bias[::-1], bias]))
        np.testing.assert_allclose(heads[1], expected, rtol=1e-9, atol=1e-12)


def test_toeplitz_ignores_a_constant_even_a_huge_one(xp, rng):
    q, k, v = map(xp.asarray, qkv(rng))
    bias = xp.asarray(rng.normal(size=(2, 13)))
    for form in (toeplitz_linear_attention, toeplitz_linear_attention_full):
        expected = form(q, k, v, bias)
        # 1,000 would overflow exp, and rounds the bias to 1e-13.
        moved = form(q, k, v, bias + xp.asarray([[0.0], [1000.0]]))
        np.testing.assert_allclose(np.asarray(moved), np.asarray(expected), rtol=1e-11)


@pytest.mark.parametrize(
    "form", [toeplitz_linear_attention, toeplitz_linear_attention_full]
)
def test_toeplitz_without_anything_to_attend_to_gives_zeros(xp, rng, form):
    q, k, v = map(xp.asarray, qkv(rng, 4, 5))
    nothing = xp.full((8,), -math.inf)
    np.testing.assert_array_equal(np.asarray(form(q, k, v, nothing)), np.zeros((4, 3)))
    past = xp.where(xp.arange(8) < 3, 0.0, nothing)  # the first query has no past
    out = np.asarray(form(q, k, v, past))
    np.testing.assert_array_equal(out[0], np.zeros(3))
    assert (out[1:] != 0).all()
    hidden = np.asarray(form(q, k, v, past, mask=xp.arange(5) > 0))  # nor the second
    np.testing.assert_array_equal(hidden[:2], np.zeros((2, 3)))
    assert (hidden[2:] != 0).all()
    out = form(q, k[:0], v[:0], xp.ones(3))
    np.testing.assert_array_equal(np.asarray(out), np.zeros((4, 3)))


def test_toeplitz_refuses_factors_that_the_transform_would_drown(xp):
    x = xp.ones((40, 2), dtype=xp.float32)
    # Query i sees at most e^-i of the largest factor, and of all of them at most
    # e^-i / (1 - 1/e): below the root of the machine precision, 3.5e-4, from i = 9 on.
    bias = xp.arange(79, dtype=xp.float32)
    with pytest.raises(ValueError, match=r"bias must leave .* got less for 31 queries"):
        toeplitz_linear_attention(x, x, x, bias)
    out = toeplitz_linear_attention_full(x, x, x, bias)
    np.testing.assert_allclose(np.asarray(out), np.ones((40, 2)), rtol=1e-6)


# --- feature maps ---------------------------------------------------------------------


def test_elu_plus_one_matches_the_formula_and_its_slope(xp):
    far = [-np.inf, -800.0, 1e30, np.inf]
    numbers = np.concatenate([np.linspace(-50, 50, 201), far])
    expected = oracle.elu(numbers)
    np.testing.assert_allclose(elu_plus_one(xp.asarray(numbers)), expected, rtol=1e-15)
    torch = pytest.importorskip("torch")
    for dtype in (torch.float32, torch.float64):
        x = torch.asarray([*far, -1.0, 0.0, -0.0, 2.0], dtype=dtype, requires_grad=True)
        features = elu_plus_one(x)  # the gradient is recorded
        torch.testing.assert_close(features, elu_plus_one(x.detach()))
        assert not features.isnan().any()
        features.sum().backward()
        slopes = [0.0, 0.0, 1.0, 1.0, math.exp(-1), 1.0, 1.0, 1.0]
        torch.testing.assert_close(x.grad, torch.asarray(slopes, dtype=dtype))


def test_polynomial_lift_goes_row_by_row(xp):
    root = math.sqrt(2)
    expected = [4.0, 6 * root, 10 * root, 9.0, 15 * root, 25.0]
    lifted = polynomial_lift(xp.asarray([2.0, 3.0, 5.0]))
    np.testing.assert_allclose(np.asarray(lifted), expected, rtol=1e-6)


def test_positive_random_features_match_the_formula(xp, rng):
    x, w = rng.normal(size=(2, 5, 3)), rng.normal(size=(4, 3))
    expected = [
        [
            [math.exp(sum(row * token) - sum(token**2) / 2) for row in w]
            for token in tokens
        ]
        for tokens in x
    ]
    for m in (1, 4):
        features = positive_random_features(xp.asarray(x), xp.asarray(w[:m]))
        wanted = np.asarray(expected)[..., :m] / math.sqrt(m)
        np.testing.assert_allclose(np.asarray(features), wanted, rtol=1e-13)
    narrow = positive_random_features(xp.asarray(x, dtype=xp.float32), xp.asarray(w))
    assert narrow.dtype == xp.float32


def block_estimates(x, y, num_blocks, seed):
    """One estimate of exp(x . y) per orthogonal block: independent of each other."""
    dim = len(x)
    projection = orthogonal_projection(
        num_blocks * dim, dim, rng=np.random.default_rng(seed)
    )
    features = positive_random_features(np.stack([x, y]), projection)
    products = num_blocks * dim * features[0] * features[1]
    return products.reshape(num_blocks, dim).mean(-1)


@pytest.mark.parametrize("dim", [1, 2, 5])
@pytest.mark.parametrize("sign", [1, -1])
def test_positive_random_features_are_unbiased(dim, sign):
    # Along the first axis, where LAPACK's choice of signs would show.
    x = np.eye(dim)[0] * 0.4 * sign
    y = x + 0.1
    estimates = block_estimates(x, y, 20_000, seed=1)
    error = estimates.std() / math.sqrt(len(estimates))
    # The mean of 20,000 independent numbers is normal to good accuracy: it misses by
    # more than 4.5 standard errors once in 150,000 seeds. An error of 1 % would be 1.5
    # standard errors at the least; the wrong signs are off by 20 % and more.
    assert abs(estimates.mean() - math.exp(x @ y)) < 4.5 * error
    assert error < 0.01


def test_orthogonal_projection_is_orthogonal_and_reproducible(xp):
    def draw(seed, **options):
        rng = np.random.default_rng(seed)
        return np.asarray(orthogonal_projection(10, 4, rng=rng, xp=xp, **options))

    assert orthogonal_projection(1, 4, rng=np.random.default_rng(0)).shape == (1, 4)
    rows = draw(0)
    assert rows.shape == (10, 4)
    for block in (rows[:4], rows[4:8], rows[8:]):
        gram = block @ block.T
        np.testing.assert_allclose(gram, np.diag(np.diagonal(gram)), atol=1e-12)
    np.testing.assert_array_equal(rows, draw(0))
    assert (rows != draw(1)).all()
    np.testing.assert_array_equal(rows.astype("float32"), draw(0, dtype=xp.float32))


# --- torch: gradients, compilation, devices, the module -------------------------------


@pytest.mark.parametrize("seq_len", [9, 12])
@pytest.mark.parametrize("decay", [None, 0.9, "per head"])
def test_all_chunks_at_once_are_the_chunks_one_by_one(rng, seq_len, decay):
    torch = pytest.importorskip("torch")
    tensors = [torch.asarray(x) for x in qkv(rng, seq_len, seq_len, batch=(2, 3))]
    options = {
        "decay": torch.asarray([1.0, 0.9, 0.2]) if decay == "per head" else decay
    }
    options["angles"] = torch.asarray(random_angles(rng, seq_len))
    read = partial(linear_attention_with_state, chunk_size=4, **options)
    one_by_one = read(*tensors, read(*tensors)[1])
    leaves = [x.clone().requires_grad_() for x in tensors]
    at_once = read(*leaves, read(*leaves)[1])
    assert at_once[0].requires_grad
    assert at_once[1].S.requires_grad
    torch.testing.assert_close(at_once, one_by_one)


def numbers_written(form, inputs):
    """Sizes of all results of a forward and a backward pass, added up."""
    torch = pytest.importorskip("torch")
    from torch.utils._python_dispatch import TorchDispatchMode  # after the skip

    class Count(TorchDispatchMode):
        total = 0

        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            out = function(*args, **(kwargs or {}))
            results = torch.utils._pytree.tree_leaves(out)
            self.total += sum(x.numel() for x in results if torch.is_tensor(x))
            return out

    leaves = [torch.asarray(x).requires_grad_() for x in inputs]
    with Count() as count:
        form(*leaves).sum().backward()
    return count.total


@pytest.mark.parametrize(
    "form",
    [
        partial(linear_attention, chunk_size=4),
        partial(linear_attention, causal=True, chunk_size=4, decay=0.9),
        recurrent_form,
    ],
    ids=["all keys", "causal", "recurrent"],
)
def test_the_work_of_training_is_linear_in_the_length(rng, form):
    # The gradient of a slice is as long as what it was cut from. With a slice for each
    # chunk, twice the length was three to four times the work.
    def work(seq_len):
        inputs = (*qkv(rng, seq_len, seq_len), random_angles(rng, seq_len))
        return numbers_written(lambda q, k, v, a: form(q, k, v, angles=a), inputs)

    assert work(256) < 2.1 * work(128)


# --- bad input ------------------------------------------------------------------------


@pytest.mark.bad_input
def test_states_that_do_not_fit_are_refused(xp):
    x = xp.ones((2, 5, 4))
    _, state = linear_attention_with_state(x, x, x)
    with pytest.raises(TypeError, match="state must be a State, got"):
        linear_attention_with_state(x, x, x, (state.S, state.z))
    for change, message in (
        ({"S": state.S[..., :3]}, r"state\.S must have shape .*4, 4.* the same size"),
        ({"z": state.z[..., :3]}, r"state\.z must have shape .*4"),
        ({"S": xp.ones((3, 4, 4))}, r"leading axes of state\.S must broadcast to"),
    ):
        with pytest.raises(ValueError, match=message):
            linear_attention_with_state(x, x, x, state._replace(**change))
    for change in ({"z": state.length}, {"length": state.z}):
        with pytest.raises(TypeError, match=r"state\.(z|length) must hold"):
            linear_attention_with_state(x, x, x, state._replace(**change))


# --- padding --------------------------------------------------------------------------


def padded(array, left):
    """A batch of one sequence, with garbage before or behind it."""
    garbage = np.full((*array.shape[:-2], 3, array.shape[-1]), np.nan)
    return np.concatenate([garbage, array] if left else [array, garbage], axis=-2)


@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("rotated", [True, False])
@pytest.mark.parametrize("decay", [None, 0.9])
@all_forms
def test_masked_padding_changes_no_form(xp, rng, form, decay, rotated, left):
    alone = qkv(rng, batch=(2, 3))
    q, k, v = (xp.asarray(padded(x, left)) for x in alone)
    angles = random_angles(rng, 1) * np.arange(10.0)[:, None]
    turns = (angles[:7], xp.asarray(angles)) if rotated else (None, None)
    expected = form(*alone, decay=decay, angles=turns[0])
    mask = xp.asarray(np.arange(10) >= 3 if left else np.arange(10) < 7)
    for shape in ((10,), (1, 1, 1, 10)):
        options = {"angles": turns[1], "mask": xp.reshape(mask, shape)}
        result = form(q, k, v, decay=decay, **options)
        own = result[..., 3:, :] if left else result[..., :7, :]
        np.testing.assert_allclose(own, expected, rtol=1e-9, atol=1e-12)


def test_masked_keys_have_no_gradient_and_spoil_none(rng):
    torch = pytest.importorskip("torch")
    q, k, v = (torch.tensor(x, requires_grad=True) for x in qkv(rng))
    hidden = torch.arange(7) < 3
    broken = [torch.where(hidden[:, None], torch.nan, x) for x in (k, v)]
    linear_attention(q, *broken, causal=True, mask=~hidden).sum().backward()
    for x in (q, k, v):
        assert torch.isfinite(x.grad).all()
    assert (k.grad[:3] == 0).all()
    assert (k.grad[3:] != 0).any()
