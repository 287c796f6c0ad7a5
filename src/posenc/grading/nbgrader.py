"""nbgrader with this judge: ``nbgrader_config.py`` of the course names these classes.

nbgrader itself is imported here alone. Its database keeps the points; its autograding
runs no notebook: `Judge` does, and puts what came of each test where nbgrader looks.
"""

import json
from typing import Any

import nbformat
from nbconvert.exporters import Exporter
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Float

from posenc.kit.exercises.result import Result

from .judge import graded
from .marks import Limits, Mark, Marks
from .page import render


class Judge(NbGraderPreprocessor):
    """Takes the place of nbgrader's ``Execute``: see `posenc.grading.judge`."""

    cell_seconds = Float(60.0, help="Seconds for one cell.").tag(config=True)
    notebook_seconds = Float(600.0, help="Seconds for a notebook.").tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Grade the notebook, and write each test's outcome as its output."""
        content = json.loads(nbformat.writes(nb))  # type: ignore[no-untyped-call]
        limits = Limits(cell=self.cell_seconds, notebook=self.notebook_seconds)
        marks = graded(content, limits=limits)
        by_name = {mark.exercise: mark for mark in marks.marks}
        for number, cell in enumerate(nb.cells, 1):
            if cell.cell_type != "code":
                continue
            about = cell.metadata.get("nbgrader", {})
            cell.outputs = []
            if about.get("grade") and not about.get("solution"):
                cell.outputs = self._outputs(number, cell, marks, by_name)
        nb.metadata["posenc_marks"] = {
            "suspicious": marks.suspicious,
            "errors": marks.errors,
        }
        for words in marks.suspicious:
            self.log.warning("%s", words)
        return nb, resources

    def _outputs(
        self, number: int, cell: Any, marks: Marks, by_name: dict[str, Mark]
    ) -> list[Any]:
        names = marks.asked.get(str(number), [])
        if not names:  # a teacher's own test
            error = marks.ended.get(str(number), "it was not run")
            return [_error(error)] if error else []
        outputs = []
        for name in names:
            mark = by_name[name]
            cell.metadata["posenc"] = {"mark": vars(mark)}
            outputs.append(_shown(mark))
            if mark.status != "passed":
                outputs.append(_error(f"{name}: {mark.status}"))
        return outputs


def _shown(mark: Mark) -> Any:
    status: Any = "unanswered" if mark.status == "missing" else mark.status
    result = Result(
        mark.exercise,
        status,
        mark.problem,
        mark.example,
        tuple(mark.mistakes),
        tuple(mark.held),
        seed=mark.seed,
    )
    data = {"text/plain": repr(result), "text/html": result._repr_html_()}
    return _output("display_data", data=data)


def _error(words: str) -> Any:
    return _output("error", ename="NotPassed", evalue=words, traceback=[words])


def _output(kind: str, **content: Any) -> Any:
    return new_output(kind, **content)  # type: ignore[no-untyped-call]


class FeedbackExporter(Exporter):
    """The page of feedback, from a notebook that was graded."""

    file_extension = ".html"
    output_mimetype = "text/html"

    def from_notebook_node(
        self, nb: Any, resources: Any = None, **kwargs: Any
    ) -> tuple[Any, Any]:
        """Make the page; nbgrader's preprocessors have put points and comments in."""
        nb, resources = super().from_notebook_node(nb, resources, **kwargs)
        about = resources.get("nbgrader", {})
        marks, comments = Marks([]), dict[str, str]()
        comment = ""
        for cell in nb.cells:
            ours = cell.metadata.get("nbgrader", {})
            if ours.get("solution"):
                comment = ours.get("comment") or ""
            if ours.get("grade"):
                mark = _mark_of(cell, ours)
                marks.marks.append(mark)
                comments[mark.exercise] = comment or ours.get("comment") or ""
                comment = ""
        marks.errors = nb.metadata.get("posenc_marks", {}).get("errors", [])
        late = float(about.get("late_penalty") or 0)
        remarks = {"Handed in late": -late} if late else {}
        title = f"{about.get('notebook', '')}, {about.get('student', '')}"
        return render(title, marks, comments, remarks), resources


def _mark_of(cell: Any, ours: Any) -> Mark:
    """What an exercise came to, with the points that nbgrader has for it."""
    found = cell.metadata.get("posenc", {}).get("mark", {})
    score, of = ours.get("score"), ours.get("points", 0)
    if found:
        mark = Mark(**found)
        mark.points, mark.of = score or 0, of
        return mark
    own = cell.source if ours.get("solution") else ""
    return Mark(ours["grade_id"], score or 0, of, "on paper", answer=own)
