"""The erratum of the chapter on CAPE: the claim put to the test, and what is true."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from posenc.pages import errata
from posenc.training.speech import SYMBOLS, Reader, SpeechPlan, draw_speech

BY_ID = {e.id: e for e in errata.load()}


def trained(front, steps=8):
    """A CTC reader without an encoding after a few steps, and a sentence to read."""
    torch.manual_seed(0)
    model = Reader(SpeechPlan("ctc", "none", front))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    losses = []
    for step in range(steps):
        drawn = draw_speech(np.random.default_rng(step), 8, 5)
        frames, lengths, symbols = (torch.from_numpy(array) for array in drawn)
        heard = torch.arange(frames.shape[1]) < lengths[:, None]
        chances = model.output(model.encode(frames, heard)).log_softmax(-1)
        target_lengths = torch.full((8,), 5)
        loss = F.ctc_loss(
            chances.transpose(0, 1), symbols, lengths, target_lengths, blank=SYMBOLS
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]  # the loss has taught something
    return model.eval(), torch.from_numpy(
        draw_speech(np.random.default_rng(99), 1, 6)[0]
    )


@pytest.mark.parametrize("front", ["linear", "convolution"])
def test_cape_ctc(front):
    model, frames = trained(front)
    order = torch.from_numpy(np.random.default_rng(1).permutation(frames.shape[1]))
    heard = torch.ones(frames.shape[:2], dtype=torch.bool)
    with torch.no_grad():
        plain = model.encode(frames, heard)
        reordered = model.encode(frames[:, order], heard)
    # Were the claim true, a frame would know its place after training with CTC.
    blind = torch.allclose(reordered, plain[:, order], atol=1e-4)
    assert blind == (front == "linear")  # only the convolution reads neighbors
    assert "equivariant under any loss" in BY_ID["cape-ctc"].truth
