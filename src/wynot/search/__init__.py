"""Searches, as in the papers: which candidates, in which order; and what combines searches.

Pure generators, on the thread that calls ``run()``.
"""
