"""Values that all packages share: cases, deltas, candidates, rounds, answers, events, errors.

Pure, on any thread of any process; ``system`` is the part that touches the machine.
"""
