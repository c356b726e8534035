"""Which passes were skipped by hand, and after how many verdicts: a part of the course of a run.

It is written down before it is done. A run that goes on comes to the same verdicts in the same
order, and so to the same place, where the pass ends as it did the first time.
"""

import json
from collections.abc import Callable
from typing import NamedTuple

from wynot.core.steering import Steering

SKIPS_FACT = "skips"
"""What the journal calls them."""


class SkippedPass(NamedTuple):
    """A pass that was ended after so many verdicts of the whole run."""

    after: int
    name: str


class Skips:
    """Those of one run: what it is yet to come to again, and what is asked for now."""

    def __init__(
        self,
        steering: Steering,
        recorded: str = "",
        keep: Callable[[str], None] = lambda _fact: None,
    ) -> None:
        """Take what an earlier run has written down, and where to write."""
        self._steering = steering
        self._ahead = read_skips(recorded)
        self._keep = keep
        self.done: list[SkippedPass] = []

    def are_due(self, after: int, name: str) -> bool:
        """Tell whether a pass is to end, after so many verdicts."""
        here = SkippedPass(after, name)
        if self._ahead and after >= self._ahead[0].after:
            if self._ahead[0] == here:
                self.done.append(self._ahead.pop(0))
                return True
            self._forget()  # it has taken another course, say as a test took too long this time
        if not self._steering.takes_skip():
            return False
        self.done.append(here)
        self._forget()
        return True

    def _forget(self) -> None:
        """Write down what was done so far, and nothing of what once came after it."""
        self._ahead = []
        self._keep(json.dumps(self.done))


def read_skips(fact: str) -> list[SkippedPass]:
    """Return what a journal says of them; a journal is foreign data."""
    try:
        rows = json.loads(fact or "[]")
    except (ValueError, RecursionError):
        return []
    found = []
    for row in rows if isinstance(rows, list) else []:
        match row:
            case [int(after), str(name)]:
                found.append(SkippedPass(after, name))
            case _:
                return []
    return found
