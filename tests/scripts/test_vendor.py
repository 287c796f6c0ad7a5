"""Third-party files are the ones that were fetched: none changed, added or lost."""

import json

import pytest
import vendor
import vendor_editor
from vendor import checksums


@pytest.mark.parametrize("name", vendor.PACKAGES)
def test_files_equal_their_manifest(name):
    version, folder, wanted = vendor.PACKAGES[name]
    manifest = json.loads((folder / "manifest.json").read_text())
    expected = {"package": name, "version": version, "sha256": checksums(folder)}
    assert manifest == expected
    assert all((folder / path).exists() for path in wanted.values())
    assert "LICENSE" in manifest["sha256"]


def test_the_editor_equals_its_manifest_and_has_all_licenses():
    manifest = json.loads((vendor_editor.TARGET / "manifest.json").read_text())
    assert manifest == {
        "packages": vendor_editor.versions(),
        "command": vendor_editor.COMMAND,
        "sha256": checksums(vendor_editor.TARGET),
    }
    wanted = json.loads((vendor_editor.SOURCE / "package.json").read_text())
    assert wanted["dependencies"].items() <= manifest["packages"].items()
    text = (vendor_editor.TARGET / "LICENSE").read_text("utf-8")
    names = set(vendor_editor.versions()) - {"esbuild"}
    assert [name for name in names if f"{name}\n\n" not in text] == []
