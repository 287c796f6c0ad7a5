"""Half precision in blocks: numbers, gradients and transforms as in one piece."""

import pytest
import torch

from posenc.rope import apply_rotary, blocks, rotary_angles


@pytest.fixture(params=[torch.bfloat16, torch.float16])
def x(request):
    return torch.randn(2, 3, 11, 8, generator=torch.manual_seed(0)).to(request.param)


ANGLES = rotary_angles(torch.arange(11), 8, dtype=torch.float32)
OWN = ANGLES.expand(2, 1, 11, 4) * torch.tensor([1.0, 2.0])[:, None, None, None]


def turned(x, angles=ANGLES):
    return apply_rotary(x, angles, layout="half")


@pytest.fixture(params=[1, 100, 200])
def in_blocks(request, monkeypatch):
    """Blocks of one token, two or four, the last one shorter; and what took them."""
    took = []

    def spy(x, cos, sin):
        took.append(x.shape)
        return turn(x, cos, sin)

    turn = blocks.turn_halves
    monkeypatch.setattr(blocks, "BLOCK", request.param)
    monkeypatch.setattr(blocks, "turn_halves", spy)
    return took


@pytest.mark.parametrize("angles", [ANGLES, OWN])
def test_numbers_and_gradients_are_those_of_one_piece(x, angles, in_blocks):
    whole = turned(x.float(), angles).to(x.dtype)  # float32 takes no blocks
    assert in_blocks == []
    leaf = x.clone().requires_grad_()
    result = turned(leaf, angles)
    assert in_blocks == [x.shape]
    assert torch.equal(result, whole)
    seed = torch.randn(x.shape, generator=torch.manual_seed(1)).to(x.dtype)
    (gradient,) = torch.autograd.grad(result, leaf, seed)
    assert in_blocks == [x.shape] * 2
    assert torch.equal(gradient, turned(seed.float(), -angles).to(x.dtype))
    assert gradient.dtype == x.dtype


def test_tangents_and_transforms(x, in_blocks):
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(x, x.flip(0))
        tangent = torch.autograd.forward_ad.unpack_dual(turned(dual)).tangent
    assert torch.equal(tangent, turned(x.flip(0)))
    del in_blocks[:]
    assert torch.equal(torch.vmap(turned)(x), turned(x.float()).to(x.dtype))
    many = torch.stack([x, x.flip(0)])
    leaf = x.clone().requires_grad_()
    (both,) = torch.autograd.grad(turned(leaf), leaf, many, is_grads_batched=True)
    assert len(in_blocks) == 1  # the value alone: transforms take the steps one by one
    assert torch.equal(both[1], turned(many[1].float(), -ANGLES).to(x.dtype))


def test_second_derivatives(x, in_blocks):
    leaf = x.clone().requires_grad_()
    seed = x.flip(0).clone().requires_grad_()
    (first,) = torch.autograd.grad(turned(leaf), leaf, seed, create_graph=True)
    (second,) = torch.autograd.grad(first, seed, x)
    assert torch.equal(second, turned(x.float()).to(x.dtype))
    assert len(in_blocks) == 3
