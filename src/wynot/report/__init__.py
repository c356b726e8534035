"""Pages, folders and issue texts to show to others, made from a journal.

It runs on the main thread.
"""
