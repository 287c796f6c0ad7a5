"""Questions of the self-test. They are on the page alone: no course and no mark."""

# In the order of the page.
from . import self_test

__all__ = ["self_test"]
