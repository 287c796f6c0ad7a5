import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.cape import augmented_positions
from posenc.cape.exercises import oracle

OFF = {"max_global_shift": 0.0, "max_local_shift": 0.0, "max_scale": 1.0}
ON = {"max_global_shift": 5.0, "max_local_shift": 0.5, "max_scale": 1.3}


def generator(seed=0):
    return np.random.default_rng(seed)


def draws(seed, batch, seq_len, max_global_shift, max_local_shift, max_scale):
    """Shifts, scales and jitters that this seed stands for, in the documented order."""
    rng, log_scale = generator(seed), np.log(max_scale)
    shifts = rng.uniform(-max_global_shift, max_global_shift, size=batch)
    scales = np.exp(rng.uniform(-log_scale, log_scale, size=batch))
    jitters = rng.uniform(-max_local_shift, max_local_shift, size=(batch, seq_len))
    return shifts, scales, jitters


# --- against the listing of the paper -------------------------------------------------


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("padded", [False, True])
def test_matches_the_listing_of_the_paper(xp, rng, center, padded):
    positions = np.cumsum(rng.uniform(0.5, 2, size=(3, 6)), axis=1)
    mask = np.arange(6) < np.asarray([[6], [4], [1]])
    tokens = mask if padded else np.full(mask.shape, True)
    shifts, scales, jitters = draws(7, 3, 6, **ON)
    expected = oracle.move(positions, tokens, shifts, scales, jitters, center=center)
    out = augmented_positions(
        xp.asarray(positions),
        rng=generator(7),
        mask=xp.asarray(mask) if padded else None,
        center=center,
        **ON,
    )
    np.testing.assert_allclose(np.asarray(out), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", OFF)
def test_each_kind_of_noise_works_alone(xp, rng, name):
    positions = rng.uniform(0, 9, size=(200, 5))
    off = augmented_positions(positions, rng=generator(), **OFF)
    out = np.asarray(
        augmented_positions(
            xp.asarray(positions), rng=generator(), **(OFF | {name: ON[name]})
        )
    )
    noise = out / off if name == "max_scale" else out - off
    low = 1 / ON[name] if name == "max_scale" else -ON[name]
    assert low <= noise.min() < low + 0.1
    assert ON[name] - 0.1 < noise.max() <= ON[name]
    spread = np.ptp(noise, axis=1)
    if name == "max_local_shift":
        assert (spread > 0.1).all()  # each token its own
    else:
        np.testing.assert_allclose(spread, 0, atol=1e-12)  # one for the sequence
        assert len(set(noise[:, 0].round(9))) == 200  # but its own


# --- properties -----------------------------------------------------------------------

lengths = st.integers(0, 12)
seeds = st.integers(0, 10_000)


@given(seq_len=lengths, seed=seeds, step=st.floats(0.01, 50), scale=st.floats(1, 4))
def test_order_is_kept_up_to_half_a_step(seq_len, seed, step, scale):
    out = augmented_positions(
        np.arange(seq_len) * step,
        max_global_shift=10.0,
        max_local_shift=step / 2,
        max_scale=scale,
        rng=generator(seed),
    )
    assert (np.diff(out) >= 0).all()


@given(seq_len=lengths, shift=st.floats(-1000, 1000))
def test_without_noise_the_mean_is_zero_and_a_shift_invisible(seq_len, shift):
    positions = np.arange(seq_len) ** 2.0
    out = augmented_positions(positions, rng=generator(), **OFF)
    moved = augmented_positions(positions + shift, rng=generator(), **OFF)
    np.testing.assert_allclose(moved, out, rtol=0, atol=1e-10)
    np.testing.assert_allclose(out.sum(), 0, atol=1e-10)
    np.testing.assert_allclose(np.diff(out), np.diff(positions), atol=1e-10)


@given(seq_len=lengths, padding=st.integers(0, 5), seed=seeds)
def test_padding_does_not_change_a_single_sequence(seq_len, padding, seed):
    alone = augmented_positions(np.arange(1.0 * seq_len), rng=generator(seed), **ON)
    padded = augmented_positions(
        np.append(np.arange(1.0 * seq_len), [np.nan] * padding),  # whatever it holds
        mask=np.arange(seq_len + padding) < seq_len,
        rng=generator(seed),
        **ON,
    )
    np.testing.assert_allclose(padded[:seq_len], alone, rtol=0, atol=1e-13)
    np.testing.assert_array_equal(padded[seq_len:], np.zeros(padding))


def test_the_same_state_gives_the_same_positions_on_both_backends(xp):
    positions = np.arange(12.0).reshape(2, 6)
    first, second = generator(3), generator(3)
    for _ in range(2):  # the state moves on in the same way, too
        out = augmented_positions(xp.asarray(positions), rng=first, **ON)
        expected = augmented_positions(positions, rng=second, **ON)
        np.testing.assert_allclose(np.asarray(out), expected, rtol=0, atol=1e-14)
    again = augmented_positions(positions, rng=generator(3), **ON)
    assert (again != expected).all()


# --- the module -----------------------------------------------------------------------


# --- bad input ------------------------------------------------------------------------
