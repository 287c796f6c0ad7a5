"""The laboratory: small Transformers, each with another encoding, trained and tested.

``python -m posenc.lab --help`` says what can be run. Results lie in
``book/data/lab_runs``; the book only draws them.
"""
