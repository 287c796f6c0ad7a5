"""Cost of the convolutional encoding. ``python benchmarks/convolutional.py``.

One sequence with the sizes of wav2vec 2.0 (base): 768 channels, kernel 128, 16 groups.
Times are compared with that of torch's grouped convolution alone. Everything runs on
one thread: with two, a busy neighbor makes them wait for each other, and then the curve
shows the neighbor.

The convolution by Fourier transforms works in blocks of `BLOCK` frames, and its taps
are transformed beforehand, as one would do with a trained model.
"""

import numpy as np
import torch
from record import keep_memory, peer, round_robin, save, show
from torch.nn.functional import conv1d

from posenc.convolutional import convolutional_encoding

CHANNELS, KERNEL, GROUPS, SEED = 768, 128, 16, 0
LENGTHS = (32, 64, 128, 256, 512, 1024)
BLOCK = 512


def transformed(weight: torch.Tensor) -> torch.Tensor:
    """Return the taps' spectra: (frequencies, groups, channels in, channels out)."""
    width = CHANNELS // GROUPS
    spectra = torch.fft.rfft(weight.flip(-1), BLOCK)
    spectra = spectra.reshape(GROUPS, width, width, -1)
    return spectra.permute(3, 0, 2, 1).contiguous()


def by_transforms(x: torch.Tensor, spectra: torch.Tensor) -> torch.Tensor:
    """Convolve (length, channels) in groups, block by block (overlap and save)."""
    length, hop = x.shape[0], BLOCK - KERNEL + 1
    blocks = -(-length // hop)
    left = KERNEL // 2
    room = (blocks - 1) * hop + BLOCK - length - left
    padded = torch.nn.functional.pad(x, (0, 0, left, room))
    pieces = padded.unfold(0, BLOCK, hop)  # (blocks, channels, BLOCK)
    inputs = torch.fft.rfft(pieces).reshape(blocks, GROUPS, -1, BLOCK // 2 + 1)
    outputs = inputs.permute(3, 1, 0, 2) @ spectra  # (frequencies, groups, blocks, …)
    outputs = outputs.permute(2, 1, 3, 0).reshape(blocks, CHANNELS, -1)
    convolved = torch.fft.irfft(outputs, BLOCK)[
        ..., KERNEL - 1 :
    ]  # (blocks, channels, hop)
    return convolved.permute(0, 2, 1).reshape(-1, CHANNELS)[:length]


def by_length(length: int) -> dict[str, dict[str, float]]:
    """Time all ways for one length, and check that they agree."""
    torch.manual_seed(SEED)
    x = torch.randn(1, length, CHANNELS)
    weight = torch.randn(CHANNELS, CHANNELS // GROUPS, KERNEL) / 100
    bias = torch.zeros(CHANNELS)
    spectra = transformed(weight)
    across = x.mT.contiguous()
    arrays = x.numpy(), weight.numpy(), bias.numpy()
    candidates = {
        "conv1d": lambda: conv1d(across, weight, padding=KERNEL // 2, groups=GROUPS),
        "torch": lambda: convolutional_encoding(x, weight, bias, groups=GROUPS),
        "numpy": lambda: convolutional_encoding(*arrays, groups=GROUPS),
        "transforms": lambda: by_transforms(x[0], spectra),
    }
    expected = candidates["conv1d"]()[0, :, :length].T
    torch.testing.assert_close(
        by_transforms(x[0], spectra), expected, atol=1e-4, rtol=0
    )
    name = "transformers.models.wav2vec2.modeling_wav2vec2"
    if wav2vec := peer(name):
        from transformers import Wav2Vec2Config

        layer = wav2vec.Wav2Vec2PositionalConvEmbedding(Wav2Vec2Config()).eval()
        candidates["transformers"] = lambda: layer(x)
    times = round_robin(candidates, repeats=7, warm_up=1)
    show(f"{length} frames", times, bound="conv1d")
    return times


def main() -> None:
    """Measure and write ``book/data/bench_convolutional.json``."""
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)
    np.seterr(all="raise")
    results = {
        "settings": {"channels": CHANNELS, "kernel": KERNEL, "groups": GROUPS},
        "milliseconds": {str(length): by_length(length) for length in LENGTHS},
    }
    save("convolutional", results, seed=SEED)


if __name__ == "__main__":
    keep_memory()
    main()
