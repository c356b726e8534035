"""Agents as wynot sees them: where they come from, and the sandboxes and workers that they serve.

It runs in wynot's process: the thread that calls `run()` submits jobs, and each lane of a worker
has a thread that does them in its sandbox. It imports `core`, `wire` and `machine`.
"""
