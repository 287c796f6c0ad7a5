"""Grade one notebook: run its cells in a worker, and check the answers here.

This process never runs a submission, but only sends requests to it.
"""

import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .grades import Grades, Limits
from .notebook_cells import Cell, Notebook, names_in, parse_notebook
from .sandbox import build_sandbox
from .session import GradingSession
from .worker_client import Sandbox, WorkerClient, WorkerDiedError


def graded(
    content: Any,
    exercises: Sequence[str] = (),
    limits: Limits | None = None,
    forbidden: Sequence[str] = (),
) -> Grades:
    """Grade the content of a notebook's file.

    Parameters
    ----------
    content : dict
        Read from JSON, with a list of cells.
    exercises : sequence of str, optional
        Those that count; if left out, the notebook's own.
    limits : Limits, optional
        Seconds.
    forbidden : sequence of str, optional
        Files and folders that it must not open, besides those that none may.

    Raises
    ------
    RuntimeError
        If no process can be started for it.
    """
    notebook = parse_notebook(content)
    with tempfile.TemporaryDirectory(prefix="posenc-") as folder:
        sandbox = Sandbox(Path(folder), limits or Limits(), forbidden)
        build_sandbox(sandbox.folder)
        return _grade(notebook, exercises or list(notebook.exercises), sandbox)


def _grade(notebook: Notebook, wanted: Sequence[str], sandbox: Sandbox) -> Grades:
    begin, limits = time.monotonic(), sandbox.limits
    session, grades = GradingSession(wanted, limits), Grades([])
    ran, until = list[Cell](), begin + limits.notebook
    worker = WorkerClient(session.check, sandbox)
    try:
        for cell in notebook.cells:
            if time.monotonic() > until:
                grades.errors.append(
                    f"From cell {cell.number} on nothing was run: the notebook took "
                    f"more than {limits.notebook:g} seconds."
                )
                break
            try:
                run_cell(worker, cell, session, grades)
                ran.append(cell)
            except WorkerDiedError as lost:
                grades.errors.append(f"Cell {cell.number} {lost}")
                _restart(worker, ran, session, until)
        session.submit_the_rest(worker, notebook)
    except WorkerDiedError as lost:
        grades.errors.append(f"An answer without a test {lost}")
    finally:
        worker.close()
    for cell in notebook.cells:
        grades.suspicious += [f"Cell {cell.number}: {words}" for words in cell.odd]
        grades.asked[cell.number] = [asked.name for asked in cell.asked]
    grades.suspicious = list(dict.fromkeys(grades.suspicious))
    grades.grades = [session.grade(name, notebook) for name in wanted]
    grades.seconds = round(time.monotonic() - begin, 1)
    return grades


def _restart(
    worker: WorkerClient, ran: list[Cell], session: GradingSession, until: float
) -> None:
    """Start the worker anew, and run earlier cells again; drop those that end it.

    Begin no cell after the time `until`.
    """
    session.closed = True
    while True:
        worker.restart()
        try:
            for cell in ran:
                if time.monotonic() > until:
                    break
                worker.cell(cell)
            break
        except WorkerDiedError:
            ran.remove(cell)
    session.closed = False


def run_cell(
    worker: WorkerClient, cell: Cell, session: GradingSession, grades: Grades
) -> None:
    """Run one cell, and submit answers that it names but has not checked."""
    session.cell = cell.number
    session.seen.clear()
    above = list(grades.ended.items())[-1:]  # of an answer, as a rule
    error, flags = worker.cell(cell)
    grades.ended[cell.number] = error
    if error and not cell.asked:
        grades.errors.append(f"Cell {cell.number} ended with {error}")
    for asked in cell.asked:
        if asked.name not in session.seen:
            error, more = worker.evaluate(asked.name, asked.answer)
            flags += more
            if error:
                causes = [f"Cell {n} ended with {cause}" for n, cause in above if cause]
                reasons = [*causes, *_undefined(error, asked.answer)]
                session.failed(asked.name, [*reasons, f"It ended with {error}"][0])
    grades.suspicious += [f"Cell {cell.number}: {words}" for words in flags]


def _undefined(error: str, answer: str) -> Iterator[str]:
    """Yield a sentence on an answer that has another name than the check expects."""
    match = re.fullmatch(r"NameError: name '(\w+)' is not defined.*", error)
    if match and match[1] in names_in(answer):
        yield (
            f"The check asks for {match[1]}, and no cell has defined that: give your "
            "answer the name that was there."
        )
