"""Searches of a list of deltas, a module for each paper: which chunks to try, in which order.

Pure generators, on the thread that calls ``run()``. Imports ``core`` and ``search`` only.
"""
