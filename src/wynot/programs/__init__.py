"""Programs of wynot's own that run in place of a test or a guard, each in a process of its own.

They import nothing else of wynot, so that they start quickly.
"""
