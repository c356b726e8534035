"""SQLite on files of strangers: nothing of a schema is run, and no query goes on for ever.

A small file can have a query of its own that never ends (a view), or pages that lead back to
themselves. So the steps of a connection are counted, and Ctrl-C ends a query as well.
"""

import sqlite3
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

STEPS_PER_LOOK = 100_000
"""Steps of SQLite's machine between two looks at the count: some milliseconds."""


class StepLimit:
    """Ends the queries of a connection when they have taken too many steps together."""

    def __init__(self, steps: int) -> None:
        self._looks = steps // STEPS_PER_LOOK + 1

    def __call__(self) -> bool:
        """Count a look; tell SQLite whether to stop."""
        self._looks -= 1
        return self.is_reached

    @property
    def is_reached(self) -> bool:
        """Whether the steps are used up."""
        return self._looks < 0

    @contextmanager
    def raising_interrupts(self) -> Iterator[None]:
        """Raise KeyboardInterrupt where a signal has ended a query: Python drops it in a look."""
        try:
            yield
        except sqlite3.OperationalError as error:
            is_ended = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT
            if is_ended and not self.is_reached:
                raise KeyboardInterrupt from error
            raise


def guard(
    connection: sqlite3.Connection, steps: int, limits: Mapping[int, int] | None = None
) -> StepLimit:
    """Let a connection take so many steps, and believe nothing that the schema of a file says."""
    for category, most in (limits or {}).items():
        connection.setlimit(category, most)
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA cell_size_check=ON")
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)  # noqa: FBT003 - SQLite's own
    limit = StepLimit(steps)
    connection.set_progress_handler(limit, STEPS_PER_LOOK)
    return limit
