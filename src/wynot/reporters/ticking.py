"""Lets a reporter look at the clock, also while nothing happens."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from wynot.reporters.base import Reporter

PACE = 0.25
"""Seconds between two looks."""


@contextmanager
def ticking(reporter: Reporter) -> Iterator[Reporter]:
    """Have the reporter look a few times a second; at the end it is closed."""
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(PACE):
            reporter.look()

    thread = threading.Thread(target=look, name="wynot clock", daemon=True)
    thread.start()
    try:
        yield reporter
    finally:
        ended.set()
        try:
            thread.join()
        finally:  # a second Ctrl-C may come in between
            reporter.close()
