"""Made-up speech, and its two readers."""

import numpy as np
import pytest
import torch

from posenc.training import speech
from posenc.training.loop import train
from posenc.training.speech import SpeechPlan, SpeechRun, draw_speech, edit_distance


def test_each_symbol_sounds_for_some_frames(monkeypatch):
    monkeypatch.setattr(speech, "NOISE", 0.0)
    frames, lengths, symbols = draw_speech(np.random.default_rng(0), 40, 7)
    assert symbols.shape == (40, 7)
    assert frames.shape == (40, lengths.max(), 16)
    assert frames.dtype == np.float32
    sounds, lasted = {}, set()
    for row, length, said in zip(frames, lengths, symbols.tolist(), strict=True):
        assert (row[length:] == 0).all()
        changes = np.nonzero((np.diff(row[:length], axis=0) != 0).any(axis=1))[0] + 1
        pieces = np.split(row[:length], changes)
        assert len(pieces) == len(said)
        for symbol, piece in zip(said, pieces, strict=True):
            sound = sounds.setdefault(symbol, piece[0])
            np.testing.assert_array_equal(piece, np.tile(sound, (len(piece), 1)))
            lasted.add(len(piece))
    assert lasted == {3, 4, 5, 6}
    assert len(sounds) == 8


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [
        ([], [], 0),
        ([1, 2], [], 2),
        ([], [1], 1),
        ([1, 2, 3], [1, 3], 1),
        ([1, 2, 3], [3, 2, 1], 2),
        ([1, 2, 3, 4], [2, 3, 4, 1], 2),
        ([1, 1, 2], [1, 2, 2], 1),
    ],
)
def test_edit_distance(first, second, distance):
    assert edit_distance(first, second) == distance


def tiny(**changes):
    given = {"reader": "ctc", "encoding": "none", "front": "convolution"}
    sizes = {"max_steps": 2, "batch": 4, "d_model": 16, "num_heads": 2}
    return SpeechPlan(**{**given, **sizes, **changes})


@pytest.mark.parametrize("reader", speech.READERS)
@pytest.mark.parametrize("encoding", speech.ENCODINGS)
@pytest.mark.parametrize("front", speech.FRONTS)
def test_silence_after_a_sentence_changes_nothing(reader, encoding, front):
    run = SpeechRun(tiny(reader=reader, encoding=encoding, front=front))
    frames, _, symbols, heard = speech._tensors(
        draw_speech(np.random.default_rng(0), 2, 5)
    )
    model = run.model.eval()
    with torch.no_grad():
        longer = [
            torch.nn.functional.pad(a, pad)
            for a, pad in ((frames, (0, 0, 0, 9)), (heard, (0, 9)))
        ]
        first, second = model.encode(frames, heard), model.encode(*longer)
        there = heard.nonzero(as_tuple=True)
        torch.testing.assert_close(second[there], first[there], atol=1e-5, rtol=1e-5)
        if reader == "decoder":
            written = model.write(symbols, first, heard)
            again = model.write(symbols, second, longer[1])
            torch.testing.assert_close(again, written, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("front", speech.FRONTS)
@pytest.mark.parametrize("encoding", speech.ENCODINGS)
def test_without_both_a_frame_does_not_know_its_neighbors(front, encoding):
    model = SpeechRun(tiny(front=front, encoding=encoding)).model.eval()
    frames = torch.randn(1, 20, speech.FEATURES)
    order = torch.randperm(20)
    heard = torch.ones(1, 20, dtype=torch.bool)
    with torch.no_grad():
        moved = model.encode(frames[:, order], heard)
        reordered = model.encode(frames, heard)[:, order]
    blind = (front, encoding) == ("linear", "none")
    assert torch.allclose(moved, reordered, atol=1e-5) == blind


def test_ctc_reads_runs_and_leaves_blanks_out():
    best = torch.tensor([[8, 1, 1, 8, 1, 2, 2, 8], [3, 3, 8, 8, 4, 5, 5, 5]])
    read = speech._collapsed(best, torch.tensor([8, 5]))
    assert read == [[1, 1, 2], [3, 4]]


@pytest.mark.slow
@pytest.mark.parametrize("reader", speech.READERS)
def test_a_reader_learns_and_is_tested(reader, tmp_path, monkeypatch):
    monkeypatch.setattr(SpeechRun, "interval", 40)
    monkeypatch.setattr(SpeechPlan, "learning_rate", 5e-3)
    monkeypatch.setattr(speech, "NOISE", 0.1)
    monkeypatch.setattr(speech, "TESTED", (4, 8))
    monkeypatch.setattr(speech, "TRAINED", 8)
    monkeypatch.setattr(speech, "_TEST_SYMBOLS", 256)
    plan = tiny(reader=reader, encoding="sinusoidal", max_steps=160, batch=16)
    results = train(plan, tmp_path, tmp_path)
    error = results["curve"]["error"]
    assert error[-1] < min(0.75 * error[0], 0.9)
    assert list(results["tests"]) == ["4", "8"]
    assert results["tests"]["8"]["error"] == error[-1]
