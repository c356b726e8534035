"""What comes when a search has ended, begun while its last tests are still run.

The result is run again some times at the end, which takes as long as a test does. So it is begun as
soon as an end is as likely as the least likely questions that are being tested: it takes their
place.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from wynot.engine.bet import ForeseenEnd

Found = TypeVar("Found")

WORKERS_AN_END = 5
"""How many workers are busy with what comes after an end, about."""


@dataclass(slots=True)
class EndsAhead(Generic[Found]):
    """The ends that are foreseen, and how many workers are busy with what comes then."""

    expect: Callable[[Sequence[Found]], int]
    """Is told what the search may find, each time anew: begins with what comes then, gives up what
    it has begun for other ends, and returns how many workers are busy with it."""
    taken: int = 0
    _told: Sequence[Found] = ()

    def foresee(self, ends: Sequence[ForeseenEnd], odds: Sequence[float], width: int) -> None:
        """Tell of the ends that are as likely as the questions whose place they take.

        Both come with the likeliest first.
        """
        likely = []
        for number, end in enumerate(ends, start=1):
            place = max(1, width - WORKERS_AN_END * number)
            if width == 1 or (place < len(odds) and end.odds < odds[place]):
                break
            likely.append(cast("Found", end.found))
        self._told = likely or self._told
        if self._told:
            self.taken = min(self.expect(self._told), width - 1)
