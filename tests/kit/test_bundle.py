"""One script from a widget's front end and all that it imports."""

import re

import pytest

from posenc.kit.widgets.bundle import bundle


@pytest.fixture
def write(tmp_path):
    """Write a file of JavaScript, and give its path."""

    def write(name, text):
        path = tmp_path / f"{name}.js"
        path.write_text(text + "\n")
        return path

    return write


def test_names_of_one_file_never_meet_those_of_another(write):
    write("shared", "const x = 1;\nexport const half = (n) => (n + x) / 2;")
    write("other", "const x = 2;\nexport function half(n) { return n / x; }")
    text = bundle(
        write(
            "entry",
            'import { half } from "./shared.js";\n'
            'import { half as other } from "./other.js";\n'
            "const x = 3;\nexport default { render: () => half(other(x)) };",
        )
    )
    assert re.findall(r"^export .*$", text, re.MULTILINE) == [text.splitlines()[-1]]
    assert not re.search(r"^\s*import\b", text, re.MULTILINE)
    assert text.count("const x = ") == 3
    assert len(re.findall(r"^const \$\w+ = \(\(\) => \{$", text, re.MULTILINE)) == 3
    assert "half: other" in text


@pytest.mark.parametrize(
    "text",
    [
        'import { a } from "https://example.org/a.js";',
        'import "./controls.js";',
        'const later = import("./controls.js");',
        "export { a };",
        'const end = "</script>";',
        'const end = "</SCRIPT>";',
        "if (a <!--b) c();",
    ],
)
def test_unsupported_code_is_refused(write, text):
    with pytest.raises(ValueError, match=r"bad\.js must hold no import"):
        bundle(write("bad", text))
