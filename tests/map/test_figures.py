"""Figures of the map: arguments with which ``tests/kit/test_every_figure.py`` draws."""

ARGUMENTS = {"chart": [{}, {"names": ["rope", "cope"]}]}
