"""An answer that loops for ever where no other process runs it, as on Windows."""

import sys
from threading import Event

import pytest

from posenc.exercises import check
from posenc.kit.exercises import executor

NAME = "t5.last_bucket_start"


class Heard:
    """An error stream that remembers."""

    def __init__(self):
        self.words, self.said = "", Event()

    def write(self, words):
        self.words += words
        self.said.set()

    def flush(self):
        pass


@pytest.mark.parametrize("how", ["isolate=False", "no fork"])
def test_endless_answer_is_announced_while_it_runs(monkeypatch, how):
    heard = Heard()
    monkeypatch.setattr(sys, "stderr", heard)
    if how == "no fork":
        monkeypatch.delattr(executor.os, "fork")

    def answer(*_, **__):
        return heard.said.wait(60)

    isolate = how == "no fork"
    result = check(NAME, answer, time_limit=0.05, isolate=isolate, record=False)
    assert not result
    assert "has not ended after 0.05 s" in heard.words
    assert "restart Python (the kernel)" in heard.words
