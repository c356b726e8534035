"""The job of ``wynot explain``: which parts of a case can vary, and which are needed.

It runs on the main thread.
"""
