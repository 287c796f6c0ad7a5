"""The errata of the chapter on rotary embedding: each claim tested, and the truth."""

import numpy as np
import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from posenc import rope, t5


def test_rope_real_imaginary():
    x = np.linspace(-10, 10, 201)
    z = np.exp(1j * x)
    np.testing.assert_allclose(z.real, np.cos(x), atol=1e-12)
    np.testing.assert_allclose(z.imag, np.sin(x), atol=1e-12)
    assert np.abs(z.real - np.sin(x)).max() > 1  # the claim


def test_rope_radial():
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 2)) @ np.asarray([1, 1j])
    alpha, theta = -0.03, 0.4

    def score(m, n):
        f_q = q * np.exp((alpha + 1j * theta) * m)
        f_k = k * np.exp((-alpha + 1j * theta) * n)
        return f_q * np.conj(f_k), abs(f_q), abs(f_k)

    pairs = [score(m, m + r) for r in (-4, 0, 3) for m in range(5, 30)]
    products = np.asarray([p for p, *_ in pairs]).reshape(3, 25)
    np.testing.assert_allclose(products, products[:, :1] * np.ones(25), rtol=1e-9)
    assert abs(products[0, 0] - products[1, 0]) > 1e-3  # and it is not constant
    lengths = np.asarray([length for _, *both in pairs for length in both])
    assert lengths.max() > 1.5 * lengths.min()  # the claim


def test_rope_discount():
    q = np.random.default_rng(1).normal(size=64)
    # A key for which another distance than 0 is the best one.
    k = rope.rotation_matrix(50, 64) @ q
    score = [(rope.rotation_matrix(n, 64) @ q) @ k for n in range(300)]
    assert np.argmax(score) == 50
    # In one plane it swings for ever, at full height.
    far = range(10_000, 12_000)
    plane = [(rope.rotation_matrix(n, 2) @ [1.0, 0.0])[0] for n in far]
    assert max(plane) > 0.9999
    assert min(plane) < -0.9999
    # The trend over many planes is not monotone.
    mean = rope.mean_partial_sum(np.arange(300.0), 128)
    assert (np.diff(mean) > 0).sum() == 138
    assert mean[250] < mean[0] / 4


SIZES = (2, 6, 3, 8)  # batch, positions, heads, features


def turn(x, positions):
    """Turn like the printed program, with a table of this many positions."""
    table = rope.rotary_factors(rope.rotary_angles(torch.arange(positions), SIZES[-1]))
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
    assert pairs.ndim > 1, "axes"
    assert table.shape == (pairs.shape[1], pairs.shape[-1]), "table"
    return torch.view_as_real(pairs * table[:, None, :]).flatten(-2)


def test_rope_code():
    # A list of sizes becomes its numbers, the table is not cut, math is not imported.
    with pytest.raises(AssertionError, match="axes"):
        turn(torch.FloatTensor(SIZES), 16)
    with pytest.raises(AssertionError, match="table"):
        turn(torch.randn(SIZES), 16)
    with pytest.raises(NameError, match="math"):
        exec("1 / math.sqrt(8)", {})
    batch, length, heads, _ = SIZES
    q, k = torch.randn(2, *SIZES, generator=torch.Generator().manual_seed(0))
    turned_q, turned_k = (turn(x, length) for x in (q, k))
    # In the printed code heads attend to heads, and the rotation cancels.
    printed = turned_q @ turned_k.transpose(-2, -1)
    assert printed.shape == (batch, length, heads, heads)
    torch.testing.assert_close(printed, q @ k.transpose(-2, -1), atol=1e-5, rtol=1e-4)
    # Meant: positions attend to positions.
    meant = turned_q.transpose(1, 2) @ turned_k.transpose(1, 2).mT
    assert meant.shape == (batch, heads, length, length)
    angles = rope.rotary_angles(torch.arange(length), SIZES[-1])
    ours = [rope.apply_rotary(x.transpose(1, 2), angles) for x in (q, k)]
    torch.testing.assert_close(meant, ours[0] @ ours[1].mT, atol=1e-5, rtol=1e-4)


def test_rope_fused():
    generator = torch.Generator().manual_seed(0)
    q, k, v = torch.randn(3, 1, 4, 32, 16, generator=generator)
    table = torch.randn(32, 4, generator=generator)
    bias = t5.relative_position_bias(table, 32, 32)[None]
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):  # nothing but the fused kernel
        fused = torch.nn.functional.scaled_dot_product_attention(
            q, k, v, attn_mask=bias
        )
    plain = torch.softmax(q @ k.mT / 4 + bias, dim=-1) @ v
    torch.testing.assert_close(fused, plain, atol=1e-5, rtol=1e-4)
    # But not one that learns.
    with (
        sdpa_kernel(SDPBackend.FLASH_ATTENTION),
        pytest.warns(UserWarning, match="kernel not used"),
        pytest.raises(RuntimeError, match="No available kernel"),
    ):
        torch.nn.functional.scaled_dot_product_attention(
            q, k, v, attn_mask=bias.requires_grad_()
        )


@pytest.mark.parametrize("theta", [0.3, 1.0])
def test_rope_step(theta):
    rng = np.random.default_rng(0)
    for _ in range(20):
        q, k = rng.normal(size=(2, 2)) @ np.asarray([1, 1j])
        g = q * np.conj(k * np.exp(1j * theta))  # m = 0, n = 1
        step = -np.angle(g) + np.angle(q) - np.angle(k)
        assert np.exp(1j * step) == pytest.approx(np.exp(1j * theta))
        printed = np.angle(g) + np.angle(q) - np.angle(k)
        assert np.exp(1j * printed) != pytest.approx(np.exp(1j * theta))
