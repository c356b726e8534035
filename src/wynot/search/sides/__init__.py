"""Searches between a side that passes and one that fails: differences and histories.

Pure generators, on the thread that calls ``run()``. Imports ``core`` and ``search`` only.
"""
