"""Numbers in a file that follow from the rest of it: counts, lengths, offsets, checksums.

Pure, on the thread that calls ``run()``.
"""
