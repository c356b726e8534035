"""From files to cases and searches: the plan, trees, rewrites, relations, merging of files.

Pure, on the thread that calls ``run()``.
"""
