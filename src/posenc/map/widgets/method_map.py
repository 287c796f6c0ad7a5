"""The widget `MethodMap`: its state, and the picture without JavaScript."""

from typing import Any

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table
from posenc.map import ENTRIES, QUESTIONS, Entry, matching
from posenc.map.figures import alt_text, chart
from posenc.map.figures.method_chart import LETTERS, ROLES

ANY = "any"


class MethodMap(BookWidget):
    """Methods by year and place; those with the chosen answers stand out.

    Parameters
    ----------
    enters : str, default "any"
        Where a method changes attention; ``"any"`` or one of ``QUESTIONS["enters"]``.
    numbers : str, default "any"
        Whether its numbers are fixed or learned.
    position : str, default "any"
        Whether it says absolute or relative positions.
    same : str, default "any"
        Whether it is the same in every layer and for every token.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.

    Examples
    --------
    >>> len(MethodMap(enters="softmax").shown())
    2
    """

    enters = traitlets.Enum((ANY, *QUESTIONS["enters"]), default_value=ANY)
    numbers = traitlets.Enum((ANY, *QUESTIONS["numbers"]), default_value=ANY)
    position = traitlets.Enum((ANY, *QUESTIONS["position"]), default_value=ANY)
    same = traitlets.Enum((ANY, *QUESTIONS["same"]), default_value=ANY)

    @table
    def entries(self) -> list[dict[str, Any]]:
        return [
            {"label": e.label, "title": e.title, "year": e.year}
            | {question: list(e.answers(question)) for question in QUESTIONS}
            for e in ENTRIES
        ]

    @table
    def answers(self) -> dict[str, list[str]]:
        return {question: list(known) for question, known in QUESTIONS.items()}

    @table
    def roles(self) -> dict[str, str]:
        """Colors of the places."""
        return ROLES

    @table
    def letters(self) -> dict[str, str]:
        """Letters for what decides."""
        return LETTERS

    def shown(self) -> list[Entry]:
        """Return the entries that give the chosen answers."""
        return matching(**{question: getattr(self, question) for question in QUESTIONS})

    def picture(self) -> Themed:
        """Draw the chart with the chosen entries in color."""
        entries = self.shown()
        names = {entry.name for entry in entries}
        return Themed(lambda: chart(names), alt=alt_text(entries))
