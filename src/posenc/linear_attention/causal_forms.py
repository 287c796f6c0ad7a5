"""Causal linear attention as a recurrent network and in chunks."""

from collections.abc import Iterator
from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Bool, Float

from posenc.core.arrays import divide_or_zero, stack_rows
from posenc.core.checks import check_int
from posenc.core.dtypes import cast, is_traced, matmul
from posenc.rope import Layout

from .checks import check_arguments
from .feature_maps import FeatureMap, elu_plus_one
from .state import (
    CHUNK_SIZE,
    Lift,
    State,
    _end,
    _factor,
    _fade,
    _positions,
    _powers,
    _runs_all_at_once,
    _Spans,
    _spans,
    _spans_of_chunks,
    _split,
    _split_angles,
    _start,
    hide_keys,
)


def recurrent_form(
    q: Float[Any, "... seq_len head_dim"],
    k: Float[Any, "... seq_len head_dim"],
    v: Float[Any, "... seq_len value_dim"],
    *,
    feature_map: FeatureMap = elu_plus_one,
    angles: Float[Any, "... seq_len pairs"] | None = None,
    layout: Layout = "interleaved",
    rotate_denominator: bool = False,
    decay: float | Float[Any, "..."] | None = None,
    mask: Bool[Any, "..."] | None = None,
) -> Float[Any, "... seq_len value_dim"]:
    r"""Compute causal `linear_attention` token by token, as a recurrent network.

    The whole past is in two sums, the state
    :math:`S_t = \lambda S_{t-1} + \varphi(k_t)^\top v_t` and the normalizer
    :math:`z_t = \lambda z_{t-1} + \varphi(k_t)`, whose sizes do not grow with t.
    (Under torch.compile, which would unroll the steps, it is computed as in
    `chunked_form`.)

    Parameters
    ----------
    q, k, v, feature_map, angles, layout, rotate_denominator, decay, mask
        As in `linear_attention` with ``causal=True``.

    Returns
    -------
    array of shape (..., seq_len, value_dim)

    Raises
    ------
    TypeError, ValueError
        As in `linear_attention`.
    """
    check_arguments(q, k, v, causal=True, angles=angles, decay=decay, mask=mask)
    q, k, v, feature_map = hide_keys(q, k, v, mask, feature_map)
    lift = Lift.of(q, k, v, feature_map, layout, rotate_denominator)
    if is_traced(k) and k.shape[-2] > 1:
        return _all_at_once(lift, q, k, v, angles, decay, None, CHUNK_SIZE)[0]
    return _token_by_token(lift, q, k, v, angles, decay, None)[0]


def chunked_form(
    q: Float[Any, "... seq_len head_dim"],
    k: Float[Any, "... seq_len head_dim"],
    v: Float[Any, "... seq_len value_dim"],
    *,
    feature_map: FeatureMap = elu_plus_one,
    angles: Float[Any, "... seq_len pairs"] | None = None,
    layout: Layout = "interleaved",
    rotate_denominator: bool = False,
    decay: float | Float[Any, "..."] | None = None,
    mask: Bool[Any, "..."] | None = None,
    chunk_size: int = CHUNK_SIZE,
) -> Float[Any, "... seq_len value_dim"]:
    r"""Compute causal `linear_attention` fast and small, in chunks of C tokens.

    Within a chunk the weights are an explicit matrix, as in `quadratic_form`; all
    earlier chunks are in the state, as in `recurrent_form`::

        keys          earlier chunks     this chunk (C = 3)
                                         j=0      j=1      j=2
        query i=0     λ   (S, z)         λ^0       0        0
        query i=1     λ^2 (S, z)         λ^1      λ^0       0
        query i=2     λ^3 (S, z)         λ^2      λ^1      λ^0
        next (S, z)   λ^3 (S, z)    +    the keys, weighted as in the last row

    The work is that of matrix products, C r + C E + 2 r E multiplications per token,
    and nothing but the output is as long as the sequence, since features are made chunk
    by chunk, while they are in the cache.

    Where torch records gradients, features and weights are kept for the way back in any
    case, and all chunks are computed at once. So they are on a GPU, which a loop of
    small products leaves idle, and under torch.compile, which then needs one graph for
    all lengths. The result is the same, and the work too,
    except with a decay under torch.compile, which adds (L / C)² r E multiplications.

    Parameters
    ----------
    q, k, v, feature_map, angles, layout, rotate_denominator, decay, mask, chunk_size
        As in `linear_attention` with ``causal=True``.

    Returns
    -------
    array of shape (..., seq_len, value_dim)

    Raises
    ------
    TypeError, ValueError
        As in `linear_attention`.
    """
    return linear_attention_with_state(
        q,
        k,
        v,
        feature_map=feature_map,
        angles=angles,
        layout=layout,
        rotate_denominator=rotate_denominator,
        decay=decay,
        mask=mask,
        chunk_size=chunk_size,
    )[0]


def linear_attention_with_state(
    q: Float[Any, "... seq_len head_dim"],
    k: Float[Any, "... seq_len head_dim"],
    v: Float[Any, "... seq_len value_dim"],
    state: State | None = None,
    *,
    feature_map: FeatureMap = elu_plus_one,
    angles: Float[Any, "... seq_len pairs"] | None = None,
    layout: Layout = "interleaved",
    rotate_denominator: bool = False,
    decay: float | Float[Any, "..."] | None = None,
    mask: Bool[Any, "..."] | None = None,
    chunk_size: int = CHUNK_SIZE,
) -> tuple[Float[Any, "... seq_len value_dim"], State]:
    """Apply causal `linear_attention` from a state on, and return the next state.

    Use it to read a prompt, then to generate token by token. However the sequence is
    cut, the outputs are those of `linear_attention` for the whole.

    Parameters
    ----------
    q, k, v
        As in `linear_attention`: the new tokens, one or many.
    state : State, optional
        State from the call before this one; without it, nothing has been read.
    angles
        As in `linear_attention`, one row for each *new* token: positions count on from
        ``state.length``.
    mask
        As in `linear_attention`, for the new keys: the state is without those that were
        hidden before. Pad prompts on the left, or decay counts the padding as distance.
    feature_map, layout, rotate_denominator, decay, chunk_size
        As in `linear_attention`, and the same in all calls.

    Returns
    -------
    array of shape (..., seq_len, value_dim), and the State to pass next
        The new state has the dtype that was computed in, float32 for half precision;
        `state` is unchanged.

    Raises
    ------
    TypeError, ValueError
        As in `linear_attention`, or if `state` does not fit.

    Examples
    --------
    >>> from posenc.core.running_example import Q, K, V
    >>> _, state = linear_attention_with_state(Q[:2], K[:2], V[:2])
    >>> out, state = linear_attention_with_state(Q[2:], K[2:], V[2:], state)
    >>> out.round(2), int(state.length)
    (array([[0.  , 1.  , 0.65, 1.35]]), 3)
    """
    size = check_int("chunk_size", chunk_size, minimum=1)
    check_arguments(q, k, v, causal=True, angles=angles, decay=decay, mask=mask)
    q, k, v, feature_map = hide_keys(q, k, v, mask, feature_map)
    lift = Lift.of(q, k, v, feature_map, layout, rotate_denominator)
    seq_len = k.shape[-2]
    if seq_len == 1:
        return _token_by_token(lift, q, k, v, angles, decay, state)
    traced = is_traced(k) and seq_len > 0
    if traced or (_runs_all_at_once(q, k, v) and seq_len > size):
        return _all_at_once(lift, q, k, v, angles, decay, state, size)
    return _chunk_by_chunk(lift, q, k, v, angles, decay, state, size)


def _token_by_token(
    lift: Lift, q: Any, k: Any, v: Any, angles: Any, decay: Any, state: State | None
) -> tuple[Any, State]:
    """Compute `recurrent_form` of arguments that fit."""
    xp = array_namespace(q, k, v)
    (q_top, q_bottom), (k_top, k_bottom) = lift(q, angles), lift(k, angles)
    features = [_split(x, 1) for x in (q_top, q_bottom, k_top, k_bottom)]
    S, z = _start(state, k_top, q, k, v)
    factor = _factor(decay, lift.wide)  # lambda

    def steps() -> Iterator[Any]:
        nonlocal S, z
        for q_top, q_bottom, k_top, k_bottom, value in zip(
            *features, _split(v, 1), strict=True
        ):
            S = _fade(S, factor) + matmul(k_top.mT, cast(value, lift.wide))
            z = _fade(z, factor) + xp.sum(k_bottom.mT, axis=-1, keepdims=True)
            out = divide_or_zero(matmul(q_top, S), matmul(q_bottom, z))
            yield cast(out, lift.dtype)

    return stack_rows(steps(), k.shape[-2]), _end((S, z), state, k)


def _chunk_by_chunk(
    lift: Lift,
    q: Any,
    k: Any,
    v: Any,
    angles: Any,
    decay: Any,
    state: State | None,
    chunk_size: int,
) -> tuple[Any, State]:
    """Compute `chunked_form` of arguments that fit, by a loop."""
    turns = angles if angles is None else angles[..., :0, :]
    S, z = _start(state, lift(k[..., :0, :], turns)[0], q, k, v)
    size = min(chunk_size, k.shape[-2])
    powers = _powers(decay, _positions(k, size + 1), lift.wide)
    pieces = zip(*(_split(x, chunk_size) for x in (q, k, v)), strict=True)
    turns = _split_angles(angles, chunk_size)

    def chunks() -> Iterator[Any]:
        nonlocal S, z
        for (queries, keys, values), turn in zip(pieces, turns, strict=False):
            spans = _spans(decay, powers, keys.shape[-2])
            k_features, values = lift(keys, turn), cast(values, lift.wide)
            out = _attend(lift(queries, turn), k_features, values, (S, z), spans)
            yield cast(out, lift.dtype)
            new_S, new_z = _sum_up(k_features, values, spans)
            S, z = _fade(S, spans.whole) + new_S, _fade(z, spans.whole) + new_z

    return stack_rows(chunks(), k.shape[-2]), _end((S, z), state, k)


def _attend(
    q_features: Any, k_features: Any, values: Any, past: tuple[Any, Any], spans: _Spans
) -> Any:
    """Return a chunk's outputs from a matrix for its keys and the state before it."""
    S, z = past
    (q_top, q_bottom), (k_top, k_bottom) = q_features, k_features
    xp = array_namespace(values)
    weights = matmul(q_top, k_top.mT) * spans.within
    top = matmul(weights, values) + _fade(matmul(q_top, S), spans.since)
    if q_bottom is not q_top:
        weights = matmul(q_bottom, k_bottom.mT) * spans.within
    bottom = xp.sum(weights, axis=-1, keepdims=True)
    bottom = bottom + _fade(matmul(q_bottom, z), spans.since)
    return divide_or_zero(top, bottom)


def _sum_up(k_features: Any, values: Any, spans: _Spans) -> tuple[Any, Any]:
    """Sum what a chunk's keys add to the state and to the normalizer, a column."""
    k_top, k_bottom = k_features
    xp = array_namespace(values)
    columns = _fade(k_top, spans.until).mT
    new_S = matmul(columns, values)
    if k_bottom is not k_top:
        columns = _fade(k_bottom, spans.until).mT
    return new_S, xp.sum(columns, axis=-1, keepdims=True)


def _all_at_once(
    lift: Lift,
    q: Any,
    k: Any,
    v: Any,
    angles: Any,
    decay: Any,
    state: State | None,
    chunk_size: int,
) -> tuple[Any, State]:
    """Compute `_chunk_by_chunk` with an axis for the chunks instead of the loop."""
    xp, seq_len, size = array_namespace(q, k, v), k.shape[-2], chunk_size
    count = (seq_len - 1) // size + 1
    traced = is_traced(k)
    if traced:  # a compiler takes one chunk for a case of its own
        count = count + 1
        token = size * _positions(k, count)[:, None] + _positions(k, size)

    def cut(rows: Any) -> Any:  # (..., L, c) -> (..., chunks, C, c), zeros at the end
        if traced:  # a reshape would test that count * size is enough
            chunks = rows[..., xp.where(token < seq_len, token, 0), :]
            return xp.where((token < seq_len)[..., None], chunks, 0.0)
        shape = (*rows.shape[:-2], count * size - seq_len, rows.shape[-1])
        zeros = xp.zeros(shape, dtype=rows.dtype, device=device_of(rows))
        padded = xp.concat([rows, zeros], axis=-2) if shape[-2] else rows
        return xp.reshape(padded, (*rows.shape[:-2], count, size, rows.shape[-1]))

    def cut_pair(top: Any, bottom: Any) -> tuple[Any, Any]:
        cut_top = cut(top)
        return cut_top, (cut_top if bottom is top else cut(bottom))

    q_pair, k_pair = cut_pair(*lift(q, angles)), cut_pair(*lift(k, angles))
    values = cut(cast(v, lift.wide))
    powers = _powers(decay, _positions(k, size + 1), lift.wide)
    bounds = size * _positions(k, count + 1)
    bounds = xp.where(bounds < seq_len, bounds, seq_len)
    spans = _spans_of_chunks(decay, powers, bounds[1:] - bounds[:-1])
    first = _start(state, k_pair[0], q, k, v)
    new = _sum_up(k_pair, values, spans)
    (S, S_end), (z, z_end) = (
        _carry(*pair, decay, bounds, spans.whole)
        for pair in zip(first, new, strict=True)
    )
    end = _end((S_end, z_end), state, k)
    out = cast(_attend(q_pair, k_pair, values, (S, z), spans), lift.dtype)
    out = xp.reshape(out, (*out.shape[:-3], count * size, out.shape[-1]))
    if traced:
        return xp.take(out, _positions(k, seq_len), axis=-2), end
    return out[..., :seq_len, :], end


def _carry(
    first: Any, new: Any, decay: Any, bounds: Any, whole: Any
) -> tuple[Any, Any]:
    """Return states before each chunk, (..., chunks, r, E), and after all, (..., r, E).

    `first` is the state to begin with, and `new` the addition of each chunk; `bounds`
    are the first tokens of the chunks, and the length.
    """
    xp = array_namespace(new)
    first = first[..., None, :, :] + xp.zeros_like(new[..., :1, :, :])
    sums = xp.concat([first, new], axis=-3)
    if decay is None:
        sums = xp.cumulative_sum(sums, axis=-3)
    elif is_traced(new):  # no loop
        r, columns = sums.shape[-2:]
        flat = xp.reshape(sums, (*sums.shape[:-2], r * columns))
        carry = matmul(_powers(decay, bounds, sums.dtype), flat)
        sums = xp.reshape(carry, (*carry.shape[:-1], r, columns))
    else:
        states = list(sums.unbind(-3))
        for i, factor in enumerate(whole.unbind(-3)):
            states[i + 1] = factor * states[i] + states[i + 1]
        sums = xp.stack(states, axis=-3)
    return sums[..., :-1, :, :], sums[..., -1, :, :]
