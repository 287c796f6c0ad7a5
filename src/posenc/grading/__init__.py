"""Grading: a submission runs in a process of its own, and another one grades it.

`python -m posenc grade` grades a folder of notebooks (`batch`); `nbgrader` does the
same for a course of nbgrader. Both call `grader.graded`. It starts the grader's
process, which never runs a submission. That starts a `worker` in a `sandbox`, a folder
with a copy of posenc that holds no oracle, sends it inputs and receives plain data
(`protocol`). `worker_client` is the grader's end of it, and `session` decides.

`notebook_cells` finds the exercises, and what looks odd, in the cells. In the worker,
`audit_hook` and `landlock` refuse what no answer needs, `api_block` blocks posenc's own
functions while an answer runs, and `api_calls` and `globals_snapshot` report what came
before. `process_tree` ends what a submission leaves behind; `grades` keeps the results,
and `feedback` shows a student's.
"""
