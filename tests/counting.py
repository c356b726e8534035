"""What something costs, so that a busy machine gives the same answer as an idle one.

Python code is counted in lines run. What happens inside C (regular expressions, parsers) cannot be
counted; it is compared with itself, on less and on more, by the processor time it takes.
"""

import gc
import sys
from collections.abc import Callable
from time import thread_time
from types import FrameType
from typing import Any

SLACK = 3.0
"""Times that linear work may cost more per piece when there is more of it: caches, other programs
on the same core. Quadratic work on eight times as much costs eight times as much per piece."""
LEAST = 0.002
"""Seconds below which a measurement says nothing."""
TRIES = 5


def steps(work: Callable[[], object]) -> int:
    """Return how many lines of Python this runs, in this thread."""
    count = 0

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def is_linear(work: Callable[[int], object], size: int, times: int = 8) -> bool:
    """Tell whether work on ``times`` as much takes about ``times`` as long.

    Another program can spoil a measurement, but not all of several; work that is not linear fails
    them all.
    """
    for _ in range(TRIES):
        little = max(LEAST, min(_seconds(work, size) for _ in range(2)))
        if _seconds(work, size * times) <= SLACK * times * little:
            return True
    return False


def _seconds(work: Callable[[int], object], size: int) -> float:
    """Return the processor time of this thread that it takes.

    Without garbage collection, whose share depends on what ran before in the same process.
    """
    gc.disable()
    try:
        before = thread_time()
        work(size)
        return thread_time() - before
    finally:
        gc.enable()
