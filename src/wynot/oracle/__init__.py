"""Asks the test: places a candidate, runs the command and the guards, repeats if it is flaky.

It runs on a worker's thread.
"""
