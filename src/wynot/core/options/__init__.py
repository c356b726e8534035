"""Options as records, and the values that people write: sizes, times, numbers, patterns.

Pure. Imports ``core`` only.
"""
