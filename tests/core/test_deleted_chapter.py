"""A chapter that no other one needs can be deleted."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("slug", ["music_transformer", "cape"])
def test_posenc_works_without_a_chapter_that_was_deleted(tmp_path, slug):
    src = tmp_path / "src"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", src, ignore=ignored)
    shutil.rmtree(src / "posenc" / slug)
    contents = (ROOT / "_toc.yml").read_text("utf-8")
    (tmp_path / "_toc.yml").write_text(contents.replace(f"- file: book/{slug}\n", ""))
    done = subprocess.run(
        [sys.executable, "-c", "import posenc; print(*posenc.__all__, *dir(posenc))"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(src), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert slug not in done.stdout.split()
    assert "t5" in done.stdout.split()
