"""Lets a reporter look at the clock, also while nothing happens."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from wynot.core.debug_log import Observer
from wynot.reporters.reporter import Reporter

SECONDS_BETWEEN_LOOKS = 0.25
"""Seconds between two looks."""


@contextmanager
def ticking(reporter: Reporter) -> Iterator[Observer]:
    """Have the reporter look a few times a second; at the end it is closed.

    If the reporter raises, that is not the end of what is reported: it is raised afterwards.
    """
    ended = threading.Event()
    observer = Observer(reporter.handle)

    def look() -> None:
        while not ended.wait(SECONDS_BETWEEN_LOOKS):
            observer.attempt(reporter.look)

    thread = threading.Thread(target=look, name="wynot clock", daemon=True)
    thread.start()
    try:
        yield observer
    except BaseException as error:
        observer.note(error)
        raise
    finally:
        ended.set()
        try:
            thread.join()
        finally:  # a second Ctrl-C may come in between
            reporter.close()
    if observer.error is not None:
        raise observer.error
