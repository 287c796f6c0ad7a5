"""The page of the laboratory: pictures and a widget of its results.

The program that trains is `posenc.lab`.
"""
