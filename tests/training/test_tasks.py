"""Tasks of the laboratory, judged from what they say, place by place."""

import numpy as np
import pytest

from posenc.training.tasks import IGNORED, TASKS, task_named


def drawn(name, length, batch=50, seed=0):
    return task_named(name).draw(np.random.default_rng(seed), batch, length)


@pytest.mark.parametrize("name", TASKS)
def test_a_task_refuses_what_it_does_not_fit_into(name):
    task, rng = TASKS[name], np.random.default_rng(0)
    task.draw(rng, 1, task.shortest)
    with pytest.raises(ValueError, match="length must be an integer of at least"):
        task.draw(rng, 1, task.shortest - 1)
    if task.step > 1:
        with pytest.raises(ValueError, match="length must be a multiple of 2, got 65"):
            task.draw(rng, 1, 65)


@pytest.mark.parametrize("name", ["index", "index_letter"])
@pytest.mark.parametrize("length", [32, 64, 200])
def test_index_asks_for_the_letter_at_a_place(name, length):
    batch = drawn(name, length)
    asked = batch.tokens[:, -16:] - 16
    assert asked.min() == 0
    assert asked.max() == min(47, length - 17) - 1
    for tokens, targets, places in zip(batch.tokens, batch.targets, asked, strict=True):
        assert (targets[:-16] == IGNORED).all()
        assert targets[-16:].tolist() == [tokens[1 + place] for place in places]
    first = set(batch.tokens[:, 0].tolist())
    assert first == {63} if name == "index" else len(first) > 10
    assert first.isdisjoint(batch.tokens[:, 1:].ravel()) == (name == "index")


@pytest.mark.parametrize(("name", "letters"), [("copy", 512), ("copy_repeated", 16)])
@pytest.mark.parametrize("length", [4, 64, 1024])
def test_copy_asks_for_the_letters_again(name, letters, length):
    batch, half = drawn(name, length), length // 2
    for tokens, targets in zip(batch.tokens, batch.targets, strict=True):
        said = tokens[1:half].tolist()
        assert tokens.tolist() == [letters, *said, letters + 1, *said]
        assert targets.tolist() == [IGNORED] * half + said + [IGNORED]
        assert (len(set(said)) == len(said)) == (name == "copy" or len(said) == 1)
    assert set(batch.tokens[:, 1:half].ravel()) <= set(range(letters))


def test_brackets_close_in_the_reverse_order():
    batch, deepest = drawn("language", 300), 0
    whole = np.concatenate([batch.tokens, batch.targets[:, -1:]], axis=1)
    np.testing.assert_array_equal(whole[:, 1:], batch.targets)
    np.testing.assert_array_equal(batch.scored, batch.targets >= 3)
    for start, *row in whole.tolist():
        assert start == 6
        stack = []
        for token in row:
            if token < 3:
                stack.append(token)
            else:
                assert stack.pop() == token - 3
            deepest = max(deepest, len(stack))
    assert deepest == 6


def test_the_floor_of_the_language_is_its_entropy():
    batch, floors = drawn("language", 50), []
    for row in batch.tokens.tolist():
        depth = 0
        for token in row:
            if token < 6:
                depth += 1 if token < 3 else -1
            opens = {0: 1.0, 6: 0.0}.get(depth, 0.5)
            chances = [opens / 3] * 3 + [1 - opens]
            floors.append(-sum(p * np.log(p) for p in chances if p))
    assert batch.floor == pytest.approx(np.mean(floors), abs=1e-12)
    assert drawn("motif", 64).floor == 0


@pytest.mark.parametrize("length", [10, 17, 25, 64, 300])
def test_motif_asks_for_the_tune_from_another_note(length):
    batch, moves = drawn("motif", length, batch=400), set()
    np.testing.assert_array_equal(batch.scored, batch.targets != IGNORED)
    assert batch.floor == 0
    for tokens, targets in zip(
        batch.tokens.tolist(), batch.targets.tolist(), strict=True
    ):
        tune = [note - tokens[1] for note in tokens[1:9]]
        assert max(tune) - min(tune) < 8
        for place in range(length):
            bar, number = divmod(place, 8)  # of the note behind this place
            if bar == 0 or number == 0:
                assert targets[place] == IGNORED
                continue
            first = tokens[1 + 8 * bar]
            assert targets[place] == first + tune[number]
            moves.add(first - tokens[1])
        if length > 17:
            assert tokens[10:17] == targets[9:16]
    # Each move is as likely: from 7 steps down to 7 up, seen from the first bar.
    assert moves == set(range(-7, 8))


def test_count_asks_for_the_number_of_tokens_before():
    batch = drawn("count", 20)
    assert (batch.tokens[:, 0] == 0).all()
    assert batch.tokens[:, 1:].min() > 0
    np.testing.assert_array_equal(batch.targets, np.tile(np.arange(20), (50, 1)))
