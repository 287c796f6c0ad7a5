"""Parts of the layer that a sketch leaves out, each of which is needed."""

import pytest

torch = pytest.importorskip("torch")
nn = torch.nn

CHANNELS, GROUPS, FRAMES = 8, 4, 11


@pytest.fixture
def x():
    torch.manual_seed(0)
    return torch.randn(2, FRAMES, CHANNELS)


def convolution(kernel, padding):
    return nn.Conv1d(CHANNELS, CHANNELS, kernel, padding=padding, groups=GROUPS)


@pytest.mark.parametrize("kernel", [5, 6, 128])
def test_only_half_the_kernel_keeps_the_number_of_frames(x, kernel):
    for padding in (0, 1, kernel // 4, kernel - 1, kernel // 2):
        if FRAMES + 2 * padding < kernel:
            continue
        out = convolution(kernel, padding)(x.mT)
        count = out.shape[-1] - (1 - kernel % 2)
        assert (count == FRAMES) == (padding == kernel // 2)


def test_without_a_transpose_channels_are_taken_for_time(x):
    layer = convolution(5, 2)
    with pytest.raises(RuntimeError, match="to have 8 channels, but got 11"):
        layer(x)
    square = x[:, :CHANNELS]  # where nothing fails, the other axis is convolved
    changed = square.clone()
    changed[:, -1] += 1
    untransposed = (layer(square) != layer(changed)).any(dim=(0, 2))
    transposed = (layer(square.mT).mT != layer(changed.mT).mT).any(dim=(0, 2))
    assert untransposed.tolist() == [False] * 6 + [True] * 2  # a group of two
    assert transposed.tolist() == [False] * 5 + [True] * 3  # a window of 2 before


def test_weights_under_their_old_names_are_loaded(x):
    torch.manual_seed(1)
    plain = convolution(6, 3)
    with pytest.warns(FutureWarning, match="weight_norm"):
        old = nn.utils.weight_norm(plain, dim=2)
    new = nn.utils.parametrizations.weight_norm(convolution(6, 3), dim=2)
    assert not torch.equal(new.weight, old.weight)
    result = new.load_state_dict(old.state_dict())
    assert (result.missing_keys, result.unexpected_keys) == ([], [])
    assert torch.equal(new.parametrizations.weight.original1, old.weight_v)
    torch.testing.assert_close(new(x.mT), old(x.mT))


def test_silence_has_equal_frames_but_a_tone_need_not_have_them():
    torch.manual_seed(0)
    sizes = ((10, 5), (3, 2), (3, 2), (3, 2), (3, 2), (2, 2), (2, 2))
    widths = [1, *[16] * 7]
    layers = [
        module
        for before, after, (kernel, stride) in zip(
            widths, widths[1:], sizes, strict=False
        )
        for module in (nn.Conv1d(before, after, kernel, stride), nn.GELU())
    ]
    front_end = nn.Sequential(*layers).double()
    time = torch.arange(3200, dtype=torch.float64) / 16_000
    for pitch, equal in ((0, True), (400, True), (440, False)):
        with torch.no_grad():
            frames = front_end(torch.sin(2 * torch.pi * pitch * time)[None, None])[0].T
        assert torch.allclose(frames, frames[:1], rtol=0, atol=1e-9) == equal


def test_layers_made_in_forward_are_new_in_each_call(x):
    def forward(x):
        return x + convolution(5, 2)(x.mT).mT

    first, second = forward(x), forward(x)
    assert (first != second).any(dim=-1).all()
    layer = convolution(5, 2)
    torch.testing.assert_close(layer(x.mT), layer(x.mT), rtol=0, atol=0)


def test_without_return_there_is_nothing(x):
    layer = convolution(5, 2)

    class AsPrinted(nn.Module):
        def forward(self, x):
            x = x + layer(x.mT).mT

    class Returning(nn.Module):
        def forward(self, x):
            return x + layer(x.mT).mT

    assert AsPrinted()(x) is None
    torch.testing.assert_close(Returning()(x) - x, layer(x.mT).mT)
