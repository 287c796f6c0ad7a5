"""Grade submissions: one process runs a notebook, and its parent grades it.

`python -m posenc grade` grades a folder of notebooks (`batch`); `nbgrader` does the
same for a course of nbgrader. Both call `grader.graded`, which never runs a submission
itself. It starts a `worker` in a `sandbox`, a folder with a copy of posenc that holds
no oracle, sends it inputs and receives plain data (`protocol`). The worker forks a
process for each answer. `worker_client` sends the requests, `session` decides, and
`process_tree` ends what a submission leaves behind.

`notebook_cells` finds the exercises, and code that no answer needs, in the cells. In
the worker, `audit_hook` and `landlock` refuse such code, `api_block` blocks posenc
while an answer runs, `api_calls` and `globals_snapshot` report earlier calls
and replaced names, and `system_calls` has what Python lacks. `grades` keeps the
results, and `feedback` shows a student's.
"""
