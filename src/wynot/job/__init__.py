"""What reductions and inquiries share: calibration, and the evaluator with the answers it has.

It runs on the main thread; questions go to workers in a thread each.
"""
