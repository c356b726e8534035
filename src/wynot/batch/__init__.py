"""The job of ``wynot batch``: a folder of failing inputs, in groups, each group reduced.

It runs on the main thread, one reduction after the other, each with all workers.
"""
