from posenc import t5
from posenc.pages.display import Source


def greet():
    """Say something."""
    return """not a docstring"""


def test_source_is_the_code_of_functions_in_order_without_docstrings():
    source = Source(t5.relative_position_bias, greet)
    first, second = source.text.split("\n\ndef greet")
    assert first.startswith("def relative_position_bias(")
    assert '"""' not in first
    assert second == '():\n    return """not a docstring"""'
    compile(source.text, "<source>", "exec")
    bundle = source._repr_mimebundle_()
    assert bundle["text/plain"] == source.text
    assert bundle["text/markdown"] == f"```python\n{source.text}\n```"
