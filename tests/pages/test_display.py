from posenc import t5
from posenc.pages.display import Source


def test_source_is_the_tested_code_without_its_docstring():
    text = Source(t5.relative_position_bucket).text
    assert text.startswith("def relative_position_bucket(")
    assert '"""' not in text
    assert "searchsorted" in text
    compile(text, "<source>", "exec")


def test_source_of_several_functions_keeps_their_order():
    text = Source(t5.relative_position_bias, t5.bucket_starts).text
    assert text.index("def bucket_starts(") > 0


def test_source_keeps_strings_that_are_not_docstrings():
    def greet():
        """Say something."""
        return """not a docstring"""

    text = Source(greet).text
    assert "Say something" not in text
    assert '"""not a docstring"""' in text


def test_source_is_highlighted_on_a_page_and_plain_elsewhere():
    bundle = Source(t5.bucket_starts)._repr_mimebundle_()
    assert bundle["text/markdown"] == f"```python\n{bundle['text/plain']}\n```"
