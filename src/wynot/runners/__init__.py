"""Runners of tests that are functions: called in place, in threads, in processes, in an executor.

`runner` has the seam, `Runner`, behind which `job.CaseRunner` puts programs. The thread that calls
`run()` submits and closes; tests run in it, or in the workers of a pool. It imports `core` only.
"""
