"""Train and test the small Transformers of the laboratory, one for each encoding.

``python -m posenc.training --help`` says what can be run. Results lie in
``book/data/lab_runs``; the page and its pictures are in `posenc.laboratory`.
"""
