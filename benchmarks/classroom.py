"""Thirty submissions, graded by nbgrader and without it. ``benchmarks/classroom.py``.

They are made from the released notebook of one chapter, the one of middling length, in
kinds whose points are known; points that come out otherwise are an error. Nothing is
timed twice: this tells how long a teacher waits, on the machine that it names.
"""

import csv
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from record import ROOT, save

sys.path.append(str(ROOT / "scripts"))

from graded_course import Course, answer, graded, worth

from posenc.grading.batch import grade_folder

SLUG = "alibi"
#: Code in an answer's cell instead of a solution; {name} is the function's.
BROKEN = {
    "a loop without end in a function": (
        "def {name}(*args, **kwargs):\n    while True:\n        pass",
        (1, 2, 5),
    ),
    "a loop without end in a cell": ("while True:\n    pass", (3, 6)),
    "a syntax error": ("def {name}(x)\n    return x", (1, 4, 6)),
    "an import that fails": (
        "import a_package_that_nobody_has\n\n\ndef {name}(x):\n    return x",
        (2, 5),
    ),
}
#: Exercises solved by those who solved some; the others are as they were given out.
SOLVED = (
    (0,),
    (0, 1),
    (0, 1, 2),
    (1, 2, 3),
    (0, 3, 7),
    (2, 4, 5, 6),
    (0, 1, 2, 3, 4, 5),
)
DELETED_TESTS = (1, 4)

Change = Callable[[Any], None]


def submissions(count: int) -> list[tuple[str, Change, set[int]]]:
    """Return each kind's name, its change to the notebook, and its expected points."""
    everything = set(range(count))

    def solve(numbers: set[int]) -> Change:
        return lambda notebook: answer(notebook, SLUG, sorted(numbers))

    def spoil(number: int, source: str) -> Change:
        def change(notebook: Any) -> None:
            cell = graded(notebook, "answer")[number]
            name = re.search(r"^def (\w+)", cell.source, re.MULTILINE)[1]
            answer(notebook, SLUG, everything)
            cell.source = source.format(name=name)

        return change

    def delete_test(number: int) -> Change:
        def change(notebook: Any) -> None:
            answer(notebook, SLUG, everything)
            notebook.cells.remove(graded(notebook, "test")[number])

        return change

    made = [("all solved", solve(everything), everything)] * 7
    made += [("untouched", solve(set()), set())] * 4
    made += [("some solved", solve({*some}), {*some}) for some in SOLVED]
    made += [
        (kind, spoil(number, source), everything - {number})
        for kind, (source, numbers) in BROKEN.items()
        for number in numbers
    ]
    made += [
        ("a test deleted", delete_test(number), everything)  # it is put back
        for number in DELETED_TESTS
    ]
    return made


def measure(folder: Path) -> dict[str, Any]:
    """Grade all of them in `folder`; seconds of each command, points of each kind."""
    seconds, start = {}, time.perf_counter()

    def lap(command: str) -> None:
        nonlocal start
        seconds[command], start = time.perf_counter() - start, time.perf_counter()
        print(f"  {command}: {seconds[command]:.0f} s", flush=True)

    course = Course(folder, SLUG)
    lap("generate_assignment")
    points = [worth(cell) for cell in graded(course.read(), "test")]
    expected, kinds = {}, {}
    for number, (kind, change, solved) in enumerate(submissions(len(points))):
        student = f"student{number + 1:02}"
        course.submit(student, change)
        expected[student] = sum(points[i] for i in solved)
        kinds.setdefault(kind, []).append(student)
    start = time.perf_counter()
    for command in ("autograde", "generate_feedback"):
        course.run(command)
        lap(command)
    scores, _ = course.scores()
    if scores != expected:
        msg = f"points must be those of what was handed in, {expected}, got {scores}"
        raise ValueError(msg)
    marks = folder / "marks.csv"
    lap("comparison")
    grade_folder(folder / "submitted", marks)
    lap("grade")
    with marks.open(encoding="utf-8-sig", newline="") as file:
        alone = {row["student"]: float(row["points"]) for row in csv.DictReader(file)}
    if alone != expected:
        msg = f"both ways must give the same points, {expected}, got {alone}"
        raise ValueError(msg)
    pages = [course.feedback(student) for student in scores]
    return {
        "chapter": SLUG,
        "exercises": len(points),
        "highest": sum(points),  # derivations on paper are marked by people
        "submissions": len(scores),
        "kinds": {kind: [scores[s] for s in who] for kind, who in kinds.items()},
        "seconds": {command: round(value, 1) for command, value in seconds.items()},
        "jobs": os.cpu_count(),
        "seconds_each": round(seconds["autograde"] / len(scores), 1),
        "feedback_mib": round(sum(len(p.encode()) for p in pages) / 2**20, 1),
    }


def main() -> None:
    """Grade, compare, and write ``book/data/bench_classroom.json``."""
    with tempfile.TemporaryDirectory() as folder:
        save("classroom", measure(Path(folder)), seed=0)


if __name__ == "__main__":
    main()
