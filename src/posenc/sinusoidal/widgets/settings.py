"""What the widgets of this chapter share: settings and tables of numbers."""

BASES = (2, 10, 100, 1000, 10_000, 100_000, 1_000_000)
