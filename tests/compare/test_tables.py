"""How the comparison is written down: formulas, tables, words about the laboratory."""

import re
from pathlib import Path

import pytest

from posenc import compare as comparison
from posenc.compare import lab_results as lab
from posenc.compare.formula import Formula
from posenc.laboratory import results
from posenc.nn import ConvolutionalEncoding, RelativePositionBias
from posenc.training.encodings import ENCODINGS
from posenc.training.tasks import TASKS

BOOK = Path(__file__).parents[2] / "book"


class TestFormula:
    @pytest.mark.parametrize(
        ("text", "value", "tex"),
        [
            ("0", 0, "0"),
            ("L * d", 12, r"L \, d"),
            ("L - d - 1", -2, "L - d - 1"),
            ("2 * (L + 1) * d", 32, r"2 \, (L + 1) \, d"),
            ("(2 * M_h - 1) * L", 27, r"(2 \, M_h - 1) \, L"),
            ("d**2 * L / 2", 24, r"d^{2} \, L / 2"),
        ],
    )
    def test_is_computed_and_shown(self, text, value, tex):
        formula = Formula(text)
        assert formula.at(L=3, d=4, M_h=5) == value
        assert formula.tex == tex

    @pytest.mark.parametrize("text", ["max(L, 2)", "L % 2 if L else 0"])
    def test_formula_with_other_python_is_refused(self, text):
        with pytest.raises(ValueError, match="a formula must hold numbers, names"):
            Formula(text).at(L=3)
        with pytest.raises(ValueError, match="a formula must hold numbers, names"):
            _ = Formula(text).tex

    def test_every_letter_has_a_size(self):
        for m in comparison.METHODS:
            known = {*comparison.BERT_BASE, *m.settings}
            for count in (m.parameters, m.multiplications, m.memory):
                assert count.formula.names <= known
                assert comparison.value(m, count) >= 0


def rows(shown):
    """Cells of a Markdown table, without the line below its head."""
    lines = str(shown).splitlines()
    return [line.strip("| ").split(" | ") for line in [lines[0], *lines[2:]]]


TABLES = [
    *(pytest.param(lambda p=p: comparison.table(p), id=p) for p in comparison.PARTS),
    comparison.longer_texts,
    comparison.conventions,
    comparison.libraries,
]


class TestTables:
    @pytest.mark.parametrize("make", TABLES)
    def test_every_cell_carries_the_name_of_its_column(self, make):
        head, *body = rows(make())
        assert head[0] in {"method", "encoding"}
        for row in body:
            labels = [re.match(r"\[(.*?)\]\{\.pe-label\} \S", cell) for cell in row[1:]]
            assert [label[1] for label in labels] == head[1:]

    @pytest.mark.parametrize("part", comparison.PARTS)
    def test_every_method_has_its_row(self, part):
        _, *body = rows(comparison.table(part))
        titles = [re.sub(r"\[(.*?)\].*", r"\1", row[0]) for row in body]
        assert titles == [m.title for m in comparison.METHODS]

    def test_pages_show_every_part(self):
        text = (BOOK / "compare.md").read_text(encoding="utf-8")
        shown = re.findall(r'comparison\.table\("(\w+)"\)', text)
        assert shown == list(comparison.PARTS)
        assert "comparison.longer_texts()" in text

    def test_settings_of_the_papers_are_the_defaults_of_the_modules(self):
        methods = {m.name: m for m in comparison.METHODS}
        assert RelativePositionBias(1).table.shape[0] == methods["t5"].settings["b"]
        convolution = ConvolutionalEncoding(32)
        settings = {"k": convolution.direction.shape[2], "G": convolution.groups}
        assert methods["convolutional"].settings == settings
        window = methods["swin"].settings
        assert window["M_h"] * window["M_w"] == comparison.BERT_BASE["L"]


def run(encoding, seed, accuracies, *, task="copy", **others):
    """Result of a run as the laboratory writes it."""
    lengths = ("64", "128", "256", "512", "1024")

    def tests(accuracies):
        return {
            length: None if a is None else {"accuracy": a, "loss": 1.0}
            for length, a in zip(lengths, accuracies, strict=True)
        }

    sizes = {"train_len": 64}
    return {
        "plan": {"task": task, "encoding": encoding, "seed": seed, "sizes": sizes},
        "tests": {n: tests(a) for n, a in {encoding: accuracies, **others}.items()},
    }


RUNS = [
    run("alibi", 1, [1, 0.981, 0.9, 0.8, 0.31]),
    run("alibi", 2, [1, 0.944, 0.9, 0.8, 0.52]),
    run("alibi", 3, [0.94, 0.1, 0.1, 0.1, 0.1]),  # not solved
    run("alibi", 0, [1, 0.2, 0.2, 0.2, 0.2]),  # chose the learning rate
    run("learned", 1, [0.99, None, None, None, None]),
    run("rope", 1, [1, 0.4, 0.3, 0.2, 0.1], rope_ntk=[1, 0.95, 0.5, 0.4, 0.3]),
    run("rope", 2, [1, 0.5, 0.3, 0.2, 0.1], rope_ntk=[1, 0.45, 0.5, 0.4, 0.3]),
    run("sinusoidal", 1, [1, 0.4, 0.3, 0.2, 0.1]),
    run("none", 1, [0.6, 0.2, 0.1, 0.1, 0.07]),
    run("none", 2, [0.7, 0.99, 0.1, 0.1, 0.07]),
    run("alibi", 1, [0.2, 0.1, 0.1, 0.1, 0.06], task="index"),
]
TITLES = {
    "none": "no encoding", "alibi": "ALiBi", "learned": "learned table",
    "sinusoidal": "sinusoids", "rope": "RoPE", "rope_ntk": "RoPE", "shaw": "Shaw",
}  # fmt: skip


@pytest.fixture
def trained(monkeypatch):
    """As if these runs were those of the laboratory."""
    found = {str(number): one for number, one in enumerate(RUNS)}
    monkeypatch.setattr("posenc.laboratory.trained.load_folder", lambda name: found)
    results.cache_clear()
    yield found
    results.cache_clear()


@pytest.mark.usefixtures("trained")
class TestLaboratory:
    def test_words_are_the_worst_and_the_best_seed_of_those_that_solved(self):
        assert lab.words("copy", "alibi") == "100 → 94–98 → 31–52\\*"
        assert lab.words("copy", "rope") == "100 → 40–50 → 10"
        assert lab.words("copy", "rope_ntk") == "100 → 45–95 → 30"

    def test_words_of_runs_that_did_not_solve_it_stand_in_brackets(self):
        assert lab.words("copy", "none") == "(60–70 → 20–99 → 7)"
        assert lab.words("index", "alibi") == "(20 → 10 → 6)"

    def test_a_table_has_nothing_for_longer_texts(self):
        assert lab.words("copy", "learned") == "99 → undefined → undefined"

    def test_every_encoding_is_in_one_group(self):
        assert lab.groups("copy", TITLES, 2) == {
            "kept": ["ALiBi\\*"],
            "between": ["RoPE", "RoPE (NTK)"],
            "lost": ["sinusoids"],
            "undefined": ["learned table"],
            "unsolved": ["no encoding"],
        }
        assert lab.groups("copy", {"alibi": "ALiBi"}, 4)["kept"] == ["ALiBi\\*"]
        assert lab.groups("copy", {"alibi": "ALiBi"}, 8)["between"] == ["ALiBi\\*"]

    def test_the_sentence_names_the_groups_that_there_are(self):
        some = {name: TITLES[name] for name in ("alibi", "sinusoidal", "none")}
        assert lab.sentence("copy", some, 2) == (
            "Task `copy`, at 2 times the trained length: nine of ten answers or more: "
            "**ALiBi\\***; less than half: **sinusoids**; not solved at the "
            "trained length: **no encoding**."
        )
        none = lab.sentence("recall", TITLES, 2)
        assert none == "No run of the task `recall` lies in this checkout yet."

    def test_table_of_partial_runs(self):
        head, *body = rows(comparison.longer_texts())
        assert head[1:] == ["`copy`", "`index`"]
        (row,) = [r for r in body if r[0].startswith("[ALiBi")]
        assert row[1] == "[`copy`]{.pe-label} 100 → 94–98 → 31–52\\*"
        assert row[2] == "[`index`]{.pe-label} (20 → 10 → 6)"
        titles = [re.sub(r"\[(.*?)\].*", r"\1", r[0]) for r in body]
        shown = [e for e in ENCODINGS.values() if not e.control]
        assert len(titles) == len(set(titles)) == len(shown)
        said = str(comparison.extrapolating(task="copy"))
        assert "less than half: **sinusoids**" in said


def test_every_encoding_and_task_is_the_laboratorys():
    named = [name for m in comparison.METHODS for name in m.lab]
    assert sorted(named) == sorted(n for n, e in ENCODINGS.items() if not e.control)
    assert set(lab.TASKS) <= set(TASKS)
    for task in lab.TASKS:
        assert all(results(task)[name].seeds == [1, 2, 3] for name in named)
    scaled = {n for n, e in ENCODINGS.items() if e.variant and not e.control}
    assert scaled == set(lab._VARIANTS)
