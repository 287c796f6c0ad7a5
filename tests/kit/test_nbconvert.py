"""Pages that nbconvert writes of notebooks with widgets, read without a network."""

import subprocess
import sys

import nbformat
import pytest

from posenc.t5.widgets import BucketTable

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A page, as the command writes it: our widget, and one without another form."""
    folder = tmp_path_factory.mktemp("nbconvert")
    data, metadata = BucketTable()._repr_mimebundle_()
    data |= {VIEW: {"model_id": "ours"}}
    others = {VIEW: {"model_id": "theirs"}, "text/plain": "IntSlider()"}
    outputs = [
        nbformat.v4.new_output("display_data", data, metadata=metadata),
        nbformat.v4.new_output("display_data", others),
    ]
    state = {
        "state": {"ours": {}, "theirs": {}},
        "version_major": 2,
        "version_minor": 0,
    }
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell("BucketTable()", outputs=outputs)],
        metadata={"widgets": {STATE: state}},
    )
    nbformat.write(notebook, folder / "w.ipynb")
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "w.ipynb"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return (folder / "w.html").read_text(encoding="utf-8")


def test_nbconvert_shows_static_version_of_posenc_widget(page):
    assert "posenc-buckettable-" in page
    assert "mount(widget," in page
    assert '"model_id": "ours"' not in page


def test_nbconvert_leaves_other_widgets_unchanged(page):
    assert '"model_id": "theirs"' in page
