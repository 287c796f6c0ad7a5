"""The editor of the pages is the one that was made: from these packages, unchanged."""

import json

import vendor_editor
from vendor import checksums


def test_the_editor_equals_its_manifest():
    manifest = json.loads((vendor_editor.TARGET / "manifest.json").read_text())
    assert manifest == {
        "packages": vendor_editor.versions(),
        "command": vendor_editor.COMMAND,
        "sha256": checksums(vendor_editor.TARGET),
    }
    wanted = json.loads((vendor_editor.SOURCE / "package.json").read_text())
    assert wanted["dependencies"].items() <= manifest["packages"].items()


def test_each_package_has_its_license_beside_it():
    text = (vendor_editor.TARGET / "LICENSE").read_text("utf-8")
    names = set(vendor_editor.versions()) - {"esbuild"}
    assert len(names) > 10
    assert [name for name in names if f"{name}\n\n" not in text] == []
