"""Third-party files are the ones that were fetched: none changed, added or lost."""

import json

import pytest
import vendor


@pytest.mark.parametrize("name", vendor.PACKAGES)
def test_files_equal_their_manifest(name):
    version, folder, wanted = vendor.PACKAGES[name]
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest == {
        "package": name,
        "version": version,
        "sha256": vendor.checksums(folder),
    }
    assert all((folder / path).exists() for path in wanted.values())
    assert "LICENSE" in manifest["sha256"]


@pytest.mark.parametrize("change", ["edit", "add", "remove"])
def test_checksums_notice_a_change(tmp_path, change):
    (tmp_path / "a.js").write_text("1")
    (tmp_path / "manifest.json").write_text("{}")
    before = vendor.checksums(tmp_path)
    assert list(before) == ["a.js"]
    if change == "edit":
        (tmp_path / "a.js").write_text("2")
    elif change == "add":
        (tmp_path / "b.js").write_text("1")
    else:
        (tmp_path / "a.js").unlink()
    assert vendor.checksums(tmp_path) != before
