"""Grading: what is handed in runs in a process of its own, and is judged in another.

`python -m posenc grade` grades a folder of notebooks; `nbgrader` does the same for a
course of nbgrader. Both judge by `judge`: it starts a `submission`, in a `house` with a
copy of posenc that holds no oracle, sends it inputs and receives plain data (`wire`).
Only the judge decides. `notebook` finds the exercises, and what looks odd, in the
cells; `children` ends what a submission leaves behind; `marks` keeps the results, and
`page` shows a student's.
"""
