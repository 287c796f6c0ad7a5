"""The widget that opens the page of prerequisites."""

__all__: list[str] = []
