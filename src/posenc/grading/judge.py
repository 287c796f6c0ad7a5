"""The judge: a process that never runs what was handed in, but asks it questions.

``python -m posenc.grading.judge`` reads a task as JSON from standard input and writes
the marks there as JSON; `graded` starts it, and gives the marks back.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .bench import Bench
from .children import adopt_orphans, end_all
from .house import make_house
from .marks import Limits, Mark, Marks
from .notebook import Cell, Notebook, of_content
from .remote import LostError, Run


def graded(
    content: Any, exercises: Sequence[str] = (), limits: Limits | None = None
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

    Raises
    ------
    RuntimeError
        If the judge itself failed: no marks then, rather than wrong ones.
    """
    limits = limits or Limits()
    task = {"content": content, "exercises": list(exercises), "limits": asdict(limits)}
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
            marks = _grade(notebook, wanted, Limits(**task["limits"]), Path(folder))
        finally:
            end_all()
    json.dump(asdict(marks), sys.stdout)


def _grade(
    notebook: Notebook, wanted: Sequence[str], limits: Limits, folder: Path
) -> Marks:
    begin = time.monotonic()
    make_house(folder)
    bench = Bench(wanted, limits)
    marks = Marks([])
    run = Run(folder, bench.judge, limits)
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
                run = _begin_anew(folder, bench, limits, notebook, earlier, skipped)
            position += 1
        bench.hand_in_the_rest(run, notebook.exercises)
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
    folder: Path,
    bench: Bench,
    limits: Limits,
    notebook: Notebook,
    earlier: Sequence[int],
    skipped: set[int],
) -> Run:
    """A new process in which earlier cells were run, but for those that end it."""
    run = Run(folder, bench.judge, limits)
    bench.closed = True
    for number in earlier:
        try:
            run.cell(notebook.cells[number].source)
        except LostError:
            skipped.add(number)
            _end(run)
            left = [n for n in earlier if n != number]
            return _begin_anew(folder, bench, limits, notebook, left, skipped)
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
    ended = run.cell(cell.source)
    marks.ended[str(cell.number)] = ended.error
    if ended.error and not cell.asked:
        marks.errors.append(f"Cell {cell.number} ended with {ended.error}")
    flags = list(ended.flags)
    for asked in cell.asked:
        if asked.name not in bench.seen:
            ended = run.evaluate(asked.name, asked.answer)
            flags += ended.flags
            if ended.error:
                bench.failed(asked.name, f"The cell ended with {ended.error}")
    marks.suspicious += [f"Cell {cell.number}: {words}" for words in flags]


if __name__ == "__main__":
    main()
