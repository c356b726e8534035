"""How long a test may take, learned from those that were interesting.

A candidate that is still the failure takes about as long as those before; one that runs ten times
as long hangs, in all likelihood. The first few that do are given four times as long again: if one
of them turns out to be interesting, the guess was too short, and all later tests get more. That it
merely ends says nothing: a script with a ``timeout 10`` of its own always does.

That limit stays what the slowest asks for, though tests get quicker as the case gets smaller. So
there is a tight one as well, of what has ended lately. It follows the load of the machine, so what
it cuts off is not known for good: whoever uses it asks again what matters, with the full limit.
"""

import threading
from bisect import bisect_left, insort
from collections import deque

FIRST_RUN_SECONDS = 300.0
"""Seconds that the first run may take, when nothing is known yet."""

LEAST_SECONDS = 2.0
"""No shorter than that: a busy machine can make anything wait."""

TIMES_LONGER = 10
TIMES_LONGER_AGAIN = 4
MAX_DOUBTS = 3
"""How many longer tries in a row must be in vain before a time-out is believed at once."""


ENOUGH, LATELY = 25, 200
"""How many tests must have ended by themselves before there is a tight limit, and how many of the
last it is taken from."""
INTERESTING_LATELY = 10
"""The same for those that were interesting."""
USUAL_RANK = 0.9
"""Which part of the tests is quicker than what counts as usual: a few may well be slow."""
USUAL_SPREAD = 4
"""How many times as long as usual, and as the slowest interesting one of late, a test may take."""
WORTHWHILE_FACTOR = 2
"""How many times as long as the tight limit the full one must be: some are asked about twice."""
LEAST_TIGHT = 1.0
"""Seconds; no shorter than that, as above."""


class LearnedTimeout:
    """The time limit of tests: given by the user, or learned."""

    def __init__(self, fixed: float | None = None) -> None:
        self._fixed = fixed
        self._slowest: float | None = None
        self._hung = 0
        self._ended: deque[float] = deque()
        self._ordered: list[float] = []
        """The same, the quickest first."""
        self._interesting: deque[float] = deque(maxlen=INTERESTING_LATELY)
        self._lock = threading.Lock()

    @property
    def limit(self) -> float:
        """Seconds that a test may take now."""
        if self._fixed is not None:
            return self._fixed
        if self._slowest is None:
            return FIRST_RUN_SECONDS
        return min(FIRST_RUN_SECONDS, max(LEAST_SECONDS, TIMES_LONGER * self._slowest))

    @property
    def short(self) -> float:
        """Seconds that a test may take if it can be asked again; never more than the limit."""
        if self._fixed is not None or len(self._ended) < ENOUGH:
            return self.limit
        with self._lock:
            usual = self._ordered[int(USUAL_RANK * len(self._ordered))]
            longest = max(usual, max(self._interesting, default=0.0))
        short = max(LEAST_TIGHT, USUAL_SPREAD * longest)
        return short if short < self.limit / WORTHWHILE_FACTOR else self.limit

    @property
    def seconds(self) -> float:
        """Seconds that an interesting test takes, as far as is known."""
        return 0.0 if self._slowest is None else self._slowest

    @property
    def second_limit(self) -> float | None:
        """Seconds for another try of a test that took too long; None if that is known enough."""
        if self._fixed is not None or self._slowest is None or self._hung >= MAX_DOUBTS:
            return None
        # By those of late: of a case that got small, the limit may be long enough as it is.
        with self._lock:
            usual = max(self._interesting, default=self._slowest)
        longer = min(
            FIRST_RUN_SECONDS, TIMES_LONGER_AGAIN * max(LEAST_SECONDS, TIMES_LONGER * usual)
        )
        return longer if longer > self.limit else None

    def ended(self, seconds: float, *, interesting: bool) -> None:
        """Take note of how long a test took that ended by itself."""
        with self._lock:
            self._ended.append(seconds)
            insort(self._ordered, seconds)
            if len(self._ended) > LATELY:
                del self._ordered[bisect_left(self._ordered, self._ended.popleft())]
            if interesting:
                self._interesting.append(seconds)

    def forget(self) -> None:
        """Take what has ended so far as no measure: tests take longer from now on."""
        with self._lock:
            self._ended.clear()
            self._ordered.clear()
            self._interesting.clear()

    def learn(self, seconds: float) -> None:
        """Take note of how long an interesting test took."""
        with self._lock:
            self._slowest = max(self._slowest or 0.0, seconds)

    def tried_longer(self, *, in_vain: bool) -> None:
        """Take note of what a second, longer try was good for."""
        with self._lock:
            self._hung = self._hung + 1 if in_vain else 0
