"""Answers to exercises: those of the page, those of the tests, and wrong ones."""

import cmath
import functools
import importlib.util
import inspect
import math
import textwrap
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import page_parser
import torch
from exercise_cells import GRADED

import posenc
from posenc.kit.exercises.call import is_ours
from posenc.kit.exercises.registry import find

KNOWN = {"cmath": cmath, "math": math, "np": np, "posenc": posenc, "torch": torch}


def made(source, *replacements):
    """Last function that `source` defines, with old pieces replaced by new ones.

    A function stands for its own source.
    """
    if callable(source):
        source = textwrap.dedent(inspect.getsource(source))
    for old, new in replacements:
        assert old in source, old
        source = source.replace(old, new)
    namespace = dict(KNOWN)
    exec(source, namespace)
    return [f for f in namespace.values() if hasattr(f, "__code__")][-1]


@functools.cache
def answers_of(slug):
    """Return what ``tests/<slug>/answers.py`` defines, and ``graded_answers.py``.

    What it calls as an exercise is a right answer to it. ``RIGHT`` lists further ones,
    ``WRONG`` wrong ones, each with words that its report must hold.
    """
    names = ("answers", "graded_answers")
    paths = [Path(__file__).parent / slug / f"{name}.py" for name in names]
    defined = {"RIGHT": {}, "WRONG": {}} | _defined(paths[1]) | _defined(paths[0])
    return SimpleNamespace(**defined)


def _defined(path):
    """Names that a module defines, or none if it is missing."""
    if not path.exists():
        return {}
    name = f"{path.stem}_of_{path.parent.name}"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


def cells(slug):
    """Kind and code of each stub, check and solution: of the page, and for marks."""
    graded = GRADED / f"{slug}.md"
    texts = [
        page_parser.page(slug),
        graded.read_text("utf-8") if graded.exists() else "",
    ]
    return [
        (kind, cell.source)
        for text in texts
        for cell in page_parser.cells(text)
        for kind in ("stub", "check", "solution")
        if kind in cell.tags
    ]


@functools.cache
def solutions(slug):
    """Answers that the solutions hand in, by the name of the exercise.

    Each cell sees what was defined before it, and nothing of what comes later.
    """
    found = {}
    scope = {"np": np, "posenc": posenc, "check": found.__setitem__}
    for kind, code in cells(slug):
        scope = dict(scope)
        if kind != "check":
            exec(code, scope)
    return found


def right_answers(name):
    """Right answers to an exercise; the first is that of its solution."""
    slug, _, short = name.partition(".")
    solved, own = solutions(slug), vars(answers_of(slug))
    found = [solved[name]] if name in solved else []
    found += [own[short]] if short in own else []
    return found + own["RIGHT"].get(name, [])


def known_mistakes(name):
    """Known mistakes of an exercise, each made alone: sentences and answers."""
    for told, mistaken in find(name).mistakes:
        sentences = (told,) if isinstance(told, str) else told
        if len(sentences) == 1:
            yield sentences[0], mistaken


def as_answer(name, mistaken):
    """Return the mistake as something to be handed in: no function of the book's."""
    if find(name).asks_for == "value":
        return mistaken() if callable(mistaken) else mistaken
    if not is_ours(mistaken):
        return mistaken
    return lambda *args, **options: mistaken(*args, **options)


def mistake(name, number=0):
    """Return a known mistake as an answer, by its number."""
    return as_answer(name, [*known_mistakes(name)][number][1])


def in_torch(function):
    """Return one of the book's functions as an answer that works on float32 tensors."""

    @functools.wraps(function)
    def answer(*args, **options):
        return function(*map(_tensor, args), **options)

    return answer


def _tensor(value):
    if not isinstance(value, np.ndarray):
        return value
    tensor = torch.from_numpy(value)
    return tensor.float() if tensor.is_floating_point() else tensor
