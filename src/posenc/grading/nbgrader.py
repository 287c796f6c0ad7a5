"""Grade with nbgrader: ``nbgrader_config.py`` of the course names these classes.

nbgrader itself is imported here alone. Its database keeps the points; its autograding
runs no notebook: `Grader` does, and writes the result of each test as its output.
"""

import json
import warnings
from typing import Any

import nbformat
from nbconvert.exporters import Exporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from nbgrader.api import Gradebook
from nbgrader.exchange.default import Exchange
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Float

from .feedback import render
from .grader import graded
from .grades import Grade, Grades, Limits
from .landlock import NO_LANDLOCK, is_available


class MissingAnswers(NbGraderPreprocessor):
    """Puts back cells of answers that were deleted, as they were released.

    It comes before nbgrader's ``OverwriteCells``. That puts deleted tests back, each
    behind the cell in front of it; where that one is gone as well, it stops. It also
    stops at a copy of a cell, which nbgrader has made nameless: here that becomes a
    cell like any other.
    """

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Insert the missing cells, in the order of the released notebook."""
        about = resources["nbgrader"]
        for cell in nb.cells:
            if not cell.metadata.get("nbgrader", {"not": "nbgrader's"}):
                del cell.metadata["nbgrader"]
        with Gradebook(about["db_url"]) as gradebook:
            released = gradebook.find_notebook(about["notebook"], about["assignment"])
            tests = {cell.name for cell in released.grade_cells}
            answers = {cell.name for cell in released.solution_cells} - tests
            place = 0
            for cell in released.source_cells:
                there = _places(nb).get(cell.name)
                if there is not None:
                    place = there + 1
                elif cell.name in answers:
                    self.log.warning("Missing answer %s is put back", cell.name)
                    nb.cells.insert(place, _answer(cell))
                    place += 1
        return nb, resources


def _places(nb: Any) -> dict[str, int]:
    """Return the positions of nbgrader's cells, by their names."""
    about = (cell.metadata.get("nbgrader", {}) for cell in nb.cells)
    return {own["grade_id"]: i for i, own in enumerate(about) if "grade_id" in own}


def _answer(cell: Any) -> Any:
    """Return the notebook cell of an answer, made from the gradebook."""
    made = new_code_cell if cell.cell_type == "code" else new_markdown_cell
    about = {"grade_id": cell.name, "schema_version": 3, "solution": True}
    about |= dict.fromkeys(("grade", "locked", "task"), False)
    return made(cell.source, metadata={"nbgrader": about})  # type: ignore[no-untyped-call]


class Grader(NbGraderPreprocessor):
    """Takes the place of nbgrader's ``Execute``; see `posenc.grading.grader`."""

    cell_seconds = Float(60.0, help="Seconds for one cell.").tag(config=True)
    notebook_seconds = Float(600.0, help="Seconds for a notebook.").tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Grade the notebook, and write the result of each test as its output."""
        content = json.loads(nbformat.writes(nb))  # type: ignore[no-untyped-call]
        limits = Limits(cell=self.cell_seconds, notebook=self.notebook_seconds)
        if not is_available():
            self.log.warning("%s", NO_LANDLOCK)
        grades = graded(content, limits=limits, forbidden=[self._exchange()])
        by_name = {grade.exercise: grade for grade in grades.grades}
        for number, cell in enumerate(nb.cells, 1):
            cell.metadata.pop("posenc", None)  # a student may have written that
            if cell.cell_type != "code":
                continue
            about = cell.metadata.get("nbgrader", {})
            cell.outputs = []
            if about.get("grade") and not about.get("solution"):
                cell.outputs = self._outputs(number, cell, grades, by_name)
        nb.metadata["posenc_grades"] = {
            "suspicious": grades.suspicious,
            "errors": grades.errors,
        }
        for words in grades.suspicious:
            self.log.warning("%s", words)
        return nb, resources

    def _exchange(self) -> str:
        """Return the folder where nbgrader keeps the submissions of the whole class."""
        default: str = Exchange.root.default_value
        return str(self.config.get("Exchange", {}).get("root", default))

    def _outputs(
        self, number: int, cell: Any, grades: Grades, by_name: dict[str, Grade]
    ) -> list[Any]:
        names = grades.asked.get(number, [])
        if not names:  # a teacher's own test
            error = grades.ended.get(number, "it was not run")
            return [_error(error)] if error else []
        outputs = []
        for name in names:
            grade = by_name[name]
            cell.metadata["posenc"] = {"grade": vars(grade)}
            result = grade.result()
            data = {"text/plain": repr(result), "text/html": result._repr_html_()}
            outputs.append(_output("display_data", data=data))
            if grade.status != "passed":
                outputs.append(_error(f"{name}: {grade.status}"))
        return outputs


class Judge(Grader):
    """`Grader` by its name in older ``nbgrader_config.py`` files."""

    def __init__(self, **options: Any) -> None:
        msg = f"{__name__}.Judge is now Grader: the old name will go with version 1.0"
        warnings.warn(msg, DeprecationWarning, stacklevel=2)
        super().__init__(**options)


def _error(words: str) -> Any:
    return _output("error", ename="NotPassed", evalue=words, traceback=[words])


def _output(kind: str, **content: Any) -> Any:
    return new_output(kind, **content)  # type: ignore[no-untyped-call]


class FeedbackExporter(Exporter):
    """Writes the page of feedback for a graded notebook."""

    file_extension = ".html"
    output_mimetype = "text/html"

    def from_notebook_node(
        self, nb: Any, resources: Any = None, **kwargs: Any
    ) -> tuple[Any, Any]:
        """Make the page; nbgrader's preprocessors have put points and comments in."""
        nb, resources = super().from_notebook_node(nb, resources, **kwargs)
        about = resources.get("nbgrader", {})
        grades, comments = Grades([]), dict[str, str]()
        comment, (student, by_hand) = "", _student_of(about)
        for cell in nb.cells:
            ours = cell.metadata.get("nbgrader", {})
            if ours.get("solution"):
                comment = ours.get("comment") or ""
            if ours.get("grade"):
                grade = _grade_of(cell, ours, ours["grade_id"] in by_hand)
                grades.grades.append(grade)
                said = comment or ours.get("comment") or ""
                comments[grade.exercise] = "" if said == _NO_RESPONSE else said
                comment = ""
        titles = {
            grade.exercise.replace(".", "-"): grade.title for grade in grades.grades
        }
        for grade in grades.grades:
            if title := titles.get(grade.exercise.removesuffix("-derivation")):
                grade.title = title
        grades.errors = nb.metadata.get("posenc_grades", {}).get("errors", [])
        late = float(about.get("late_penalty") or 0)
        remarks = {"Handed in late": -late} if late else {}
        title = f"{about.get('notebook', '')}: {student}"
        return render(title, grades, comments, remarks), resources


#: nbgrader's own comment on a cell that is as it was handed out.
_NO_RESPONSE = "No response."


def _student_of(about: Any) -> tuple[str, set[str]]:
    """Return a student's name, and cells of the notebook that a person has marked."""
    student = str(about.get("student", ""))
    if "db_url" not in about:
        return student, set()
    with Gradebook(about["db_url"]) as gradebook:
        found = gradebook.find_submission_notebook(
            about["notebook"], about["assignment"], student
        )
        by_hand = {g.name for g in found.grades if g.manual_score is not None}
        known = gradebook.find_student(student)
        full = " ".join(filter(None, (known.first_name, known.last_name)))
    return full or student, by_hand


def _grade_of(cell: Any, ours: Any, by_hand: bool) -> Grade:
    """Return an exercise's grade, with the points that nbgrader has for it."""
    saved = cell.metadata.get("posenc", {}).get("grade", {})
    score, of = ours.get("score"), ours.get("points", 0)
    if saved:
        return Grade(**{**saved, "points": score or 0, "of": of})
    own = cell.source if ours.get("solution") else ""
    blank = ours.get("comment") == _NO_RESPONSE
    status = "marked" if by_hand else "unanswered" if blank else "on paper"
    return Grade(ours["grade_id"], score or 0, of, status, answer=own)
