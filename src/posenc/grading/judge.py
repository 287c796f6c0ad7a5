"""The judge: a process that never runs what was handed in, but asks it questions.

``python -m posenc.grading.judge`` reads a task as JSON from standard input and writes
the marks there as JSON; `graded` starts it, and gives the marks back.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .children import adopt_orphans, end_all
from .marks import Limits, Mark, Marks
from .notebook_cells import Cell, Notebook, names_in, of_content
from .questions import Bench
from .submission_folder import make_house
from .submission_process import LostError, Run, Setting


def graded(
    content: Any,
    exercises: Sequence[str] = (),
    limits: Limits | None = None,
    forbidden: Sequence[str] = (),
) -> Marks:
    """Grade the content of a notebook's file in a fresh process.

    Parameters
    ----------
    content : dict
        Read from JSON.
    exercises : sequence of str, optional
        Those that count; if left out, the notebook's own.
    limits : Limits, optional
        Seconds.
    forbidden : sequence of str, optional
        Files and folders that it must not touch, besides those that none may.

    Raises
    ------
    RuntimeError
        If the judge itself failed: no marks then, rather than wrong ones.
    """
    limits = limits or Limits()
    task = {"content": content, "exercises": list(exercises), "limits": asdict(limits)}
    task["forbidden"] = list(forbidden)
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "posenc.grading.judge"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    ) as process:
        out, errors = process.communicate(json.dumps(task).encode())
    if process.returncode:
        msg = f"the judge ended with {process.returncode}: {errors.decode()[-2000:]}"
        raise RuntimeError(msg)
    found = json.loads(out)
    return Marks(**{**found, "marks": [Mark(**mark) for mark in found["marks"]]})


def main() -> None:
    """Grade what standard input holds, and write the marks to standard output."""
    task = json.load(sys.stdin.buffer)
    adopt_orphans()
    notebook = of_content(task["content"])
    wanted = task["exercises"] or list(notebook.exercises)
    with tempfile.TemporaryDirectory(prefix="posenc-") as folder:
        try:
            setting = Setting(Path(folder), Limits(**task["limits"]), task["forbidden"])
            marks = _grade(notebook, wanted, setting)
        finally:
            end_all()
    json.dump(asdict(marks), sys.stdout)


def _grade(notebook: Notebook, wanted: Sequence[str], setting: Setting) -> Marks:
    begin, limits = time.monotonic(), setting.limits
    make_house(setting.house)
    bench = Bench(wanted, limits)
    marks = Marks([])
    run = Run(bench.judge, setting)
    skipped: set[int] = set()
    position = 0
    try:
        while position < len(notebook.cells):
            cell = notebook.cells[position]
            if time.monotonic() - begin > limits.notebook:
                marks.errors.append(
                    f"From cell {cell.number} on nothing was run: the notebook took "
                    f"more than {limits.notebook:g} seconds."
                )
                break
            try:
                run_cell(run, cell, bench, marks)
            except LostError as lost:
                marks.errors.append(f"Cell {cell.number} {lost}")
                skipped.add(position)
                _end(run)
                earlier = [n for n in range(position) if n not in skipped]
                until = begin + limits.notebook
                run = _begin_anew(setting, bench, notebook, earlier, skipped, until)
            position += 1
        bench.hand_in_the_rest(run, notebook)
    except LostError as lost:
        marks.errors.append(f"An answer without a test {lost}")
    finally:
        _end(run)
    for cell in notebook.cells:
        marks.suspicious += [f"Cell {cell.number}: {words}" for words in cell.odd]
        marks.asked[str(cell.number)] = [asked.name for asked in cell.asked]
    marks.suspicious = list(dict.fromkeys(marks.suspicious))
    marks.marks = [bench.mark(name, notebook) for name in wanted]
    marks.seconds = round(time.monotonic() - begin, 1)
    return marks


def _begin_anew(
    setting: Setting,
    bench: Bench,
    notebook: Notebook,
    earlier: Sequence[int],
    skipped: set[int],
    until: float,
) -> Run:
    """A new process in which earlier cells were run, but for those that end it.

    From the time `until` on no further cell is begun.
    """
    run = Run(bench.judge, setting)
    bench.closed = True
    for number in earlier:
        if time.monotonic() > until:
            break
        try:
            run.cell(notebook.cells[number])
        except LostError:
            skipped.add(number)
            _end(run)
            left = [n for n in earlier if n != number]
            return _begin_anew(setting, bench, notebook, left, skipped, until)
    bench.closed = False
    return run


def _end(run: Run) -> None:
    """End a submission's process, and those that have left its group."""
    run.close()
    end_all()


def run_cell(run: Run, cell: Cell, bench: Bench, marks: Marks) -> None:
    """Run one cell, and hand in what it checks."""
    bench.cell = cell.number
    bench.seen.clear()
    above = list(marks.ended.items())[-1:]  # of an answer, as a rule
    ended = run.cell(cell)
    marks.ended[str(cell.number)] = ended.error
    if ended.error and not cell.asked:
        marks.errors.append(f"Cell {cell.number} ended with {ended.error}")
    flags = list(ended.flags)
    for asked in cell.asked:
        if asked.name not in bench.seen:
            ended = run.evaluate(asked.name, asked.answer)
            flags += ended.flags
            if ended.error:
                causes = [f"Cell {n} ended with {error}" for n, error in above if error]
                told = [*causes, *_undefined(ended.error, asked.answer)]
                bench.failed(asked.name, [*told, f"It ended with {ended.error}"][0])
    marks.suspicious += [f"Cell {cell.number}: {words}" for words in flags]


def _undefined(error: str, answer: str) -> Iterator[str]:
    """Sentence on an answer under another name than the one that is asked for."""
    found = re.fullmatch(r"NameError: name '(\w+)' is not defined.*", error)
    if found and found[1] in names_in(answer):
        yield (
            f"The check asks for {found[1]}, and no cell has defined that: give your "
            "answer the name that was there."
        )


if __name__ == "__main__":
    main()
