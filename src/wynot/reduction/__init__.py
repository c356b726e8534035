"""The job of ``wynot reduce``: resume, calibrate, search, confirm, put the result in place.

It runs on the main thread.
"""
