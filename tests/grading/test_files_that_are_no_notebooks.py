"""Files handed in by mistake: the message says what they are; others are graded."""

import codecs
import csv
import gzip
import io
import json
import zipfile

from posenc.grading import batch
from posenc.grading.batch import grade_folder
from posenc.grading.grades import Grade, Grades

TEXT = json.dumps({"cells": [], "metadata": {}, "nbformat": 4})


def zipped():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.ipynb", TEXT)
    return file.getvalue()


#: What a file holds, and a word of what is said of it.
FILES = {
    "nothing": (b"", "empty"),
    "page": (b"<!DOCTYPE html><p>5 < 6</p>", "HTML"),
    "PDF": (b"%PDF-1.7\n\xe2\xe3", "PDF"),
    "ZIP": (zipped(), "ZIP"),
    "gzip": (gzip.compress(TEXT.encode()), "gzip"),
    "latin-1": (TEXT.replace("4", '4, "name": "J\xf6rg"').encode("latin-1"), "UTF-8"),
    "UTF-16": (TEXT.encode("utf-16"), "UTF-16"),
    "format 3": (b'{"worksheets": [{"cells": []}], "nbformat": 3}', "older than 4"),
    "cut off": (TEXT[:-9].encode(), "cut off"),
    "script": (b"import numpy as np\n", "JSON"),
    "list": (b"[]", "no list of cells"),
    "deep": (b'{"cells": ' + b"[" * 100_000, "deeply"),
}


def test_the_others_of_the_class_are_graded(tmp_path, monkeypatch):
    grades = Grades([Grade("t5.last_bucket_start", 2, 2, "passed")])
    monkeypatch.setattr(batch, "graded", lambda *_: grades)
    folder, out = tmp_path / "in", tmp_path / "out.csv"
    (folder / "a folder.ipynb").mkdir(parents=True)
    for name, (content, _) in FILES.items():
        (folder / f"{name}.ipynb").write_bytes(content)
    for marked, name in ((b"", "zoe"), (codecs.BOM_UTF8, "zoe, marked")):
        (folder / f"{name}.ipynb").write_bytes(marked + TEXT.encode())
    for _ in range(2):  # the second run goes on
        grade_folder(folder, out, report=lambda _: None)
        with out.open(encoding="utf-8-sig", newline="") as file:
            rows = {row["student"]: row for row in csv.DictReader(file)}
        assert rows["zoe"]["points"] == rows["zoe, marked"]["points"] == "2"
        assert "directory" in rows["a folder"]["errors"].lower()
        for name, (_, word) in FILES.items():
            told = rows[name]["errors"]
            assert told.startswith("It could not be graded: it is no notebook that")
            assert word in told
            assert "Traceback" not in told
