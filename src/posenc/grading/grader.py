"""The grader's process, which never runs a submission, but asks it questions.

``python -m posenc.grading.grader`` reads a task as JSON from standard input and writes
the grades there as JSON; `graded` starts it and returns the grades.
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

from .grades import Grade, Grades, Limits
from .notebook_cells import Cell, Notebook, names_in, parse_notebook
from .process_tree import become_subreaper, kill_descendants
from .sandbox import build_sandbox
from .session import GradingSession
from .worker_client import Sandbox, WorkerClient, WorkerDiedError


def graded(
    content: Any,
    exercises: Sequence[str] = (),
    limits: Limits | None = None,
    forbidden: Sequence[str] = (),
) -> Grades:
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
        If the grader itself fails: no grades then, rather than wrong ones.
    """
    limits = limits or Limits()
    task = {"content": content, "exercises": list(exercises), "limits": asdict(limits)}
    task["forbidden"] = list(forbidden)
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "posenc.grading.grader"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    ) as process:
        out, errors = process.communicate(json.dumps(task).encode())
    if process.returncode:
        msg = f"the grader ended with {process.returncode}: {errors.decode()[-2000:]}"
        raise RuntimeError(msg)
    found = json.loads(out)
    return Grades(**{**found, "grades": [Grade(**grade) for grade in found["grades"]]})


def main() -> None:
    """Grade what standard input holds, and write the grades to standard output."""
    task = json.load(sys.stdin.buffer)
    become_subreaper()
    notebook = parse_notebook(task["content"])
    wanted = task["exercises"] or list(notebook.exercises)
    with tempfile.TemporaryDirectory(prefix="posenc-") as folder:
        try:
            sandbox = Sandbox(Path(folder), Limits(**task["limits"]), task["forbidden"])
            grades = _grade(notebook, wanted, sandbox)
        finally:
            kill_descendants()
    json.dump(asdict(grades), sys.stdout)


def _grade(notebook: Notebook, wanted: Sequence[str], sandbox: Sandbox) -> Grades:
    begin, limits = time.monotonic(), sandbox.limits
    build_sandbox(sandbox.folder)
    session = GradingSession(wanted, limits)
    grades = Grades([])
    worker = WorkerClient(session.judge, sandbox)
    skipped: set[int] = set()
    position = 0
    try:
        while position < len(notebook.cells):
            cell = notebook.cells[position]
            if time.monotonic() - begin > limits.notebook:
                grades.errors.append(
                    f"From cell {cell.number} on nothing was run: the notebook took "
                    f"more than {limits.notebook:g} seconds."
                )
                break
            try:
                run_cell(worker, cell, session, grades)
            except WorkerDiedError as lost:
                grades.errors.append(f"Cell {cell.number} {lost}")
                skipped.add(position)
                _end(worker)
                earlier = [n for n in range(position) if n not in skipped]
                until = begin + limits.notebook
                worker = _restart(sandbox, session, notebook, earlier, skipped, until)
            position += 1
        session.hand_in_the_rest(worker, notebook)
    except WorkerDiedError as lost:
        grades.errors.append(f"An answer without a test {lost}")
    finally:
        _end(worker)
    for cell in notebook.cells:
        grades.suspicious += [f"Cell {cell.number}: {words}" for words in cell.odd]
        grades.asked[str(cell.number)] = [asked.name for asked in cell.asked]
    grades.suspicious = list(dict.fromkeys(grades.suspicious))
    grades.grades = [session.grade(name, notebook) for name in wanted]
    grades.seconds = round(time.monotonic() - begin, 1)
    return grades


def _restart(
    sandbox: Sandbox,
    session: GradingSession,
    notebook: Notebook,
    earlier: Sequence[int],
    skipped: set[int],
    until: float,
) -> WorkerClient:
    """Start a new worker and run earlier cells in it, but for those that end it.

    Begin no cell after the time `until`.
    """
    worker = WorkerClient(session.judge, sandbox)
    session.closed = True
    for number in earlier:
        if time.monotonic() > until:
            break
        try:
            worker.cell(notebook.cells[number])
        except WorkerDiedError:
            skipped.add(number)
            _end(worker)
            left = [n for n in earlier if n != number]
            return _restart(sandbox, session, notebook, left, skipped, until)
    session.closed = False
    return worker


def _end(worker: WorkerClient) -> None:
    """End a submission's process, and those that have left its group."""
    worker.close()
    kill_descendants()


def run_cell(
    worker: WorkerClient, cell: Cell, session: GradingSession, grades: Grades
) -> None:
    """Run one cell, and hand in what it checks."""
    session.cell = cell.number
    session.seen.clear()
    above = list(grades.ended.items())[-1:]  # of an answer, as a rule
    ended = worker.cell(cell)
    grades.ended[str(cell.number)] = ended.error
    if ended.error and not cell.asked:
        grades.errors.append(f"Cell {cell.number} ended with {ended.error}")
    flags = list(ended.flags)
    for asked in cell.asked:
        if asked.name not in session.seen:
            ended = worker.evaluate(asked.name, asked.answer)
            flags += ended.flags
            if ended.error:
                causes = [f"Cell {n} ended with {error}" for n, error in above if error]
                told = [*causes, *_undefined(ended.error, asked.answer)]
                session.failed(asked.name, [*told, f"It ended with {ended.error}"][0])
    grades.suspicious += [f"Cell {cell.number}: {words}" for words in flags]


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
