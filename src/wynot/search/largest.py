"""Largest first: what promises most goes first, in trees and in lists of rewrites.

In the spirit of Pardis and Perses (priority by size over a tree) and of weighted delta debugging
(Zhou 2025: halves by weight): the heaviest segment is tried; what cannot go as a whole is cut finer
and waits its turn again, so one queue does what HDD does level by level. What a segment promises is
its weight times how often its sort has worked so far, learned from the answers alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from enum import StrEnum, auto
from functools import partial
from heapq import heappop, heappush
from math import inf
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeAlias

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.round import Again, Cost, CostRound, FirstRound, Pick, Search

BELIEF_TRIES = 2.0
"""How many tries it is worth what was believed before any."""


class Record(NamedTuple):
    """How often something was tried, and how often it worked."""

    tries: int = 0
    worked: int = 0

    def rate(self, odds: float) -> float:
        """How often it can be expected to work, if these were the odds."""
        return (self.worked + odds * BELIEF_TRIES) / (self.tries + BELIEF_TRIES)

    def after(self, *, worked: bool) -> "Record":
        """Return the record with one more try."""
        return Record(self.tries + 1, self.worked + worked)


Lessons: TypeAlias = Mapping[str, Record]
"""What was learned of sorts, and of single segments."""
NO_RECORD = Record()
NO_LESSONS: Lessons = MappingProxyType({})


WORTHWHILE_SHARE = 0.01
"""Which part of what is left a segment must promise for a failure not to count."""
MAX_WORSE_PARSES = 12
"""How many candidates that parse worse are tried before it is believed that none is of use."""
AGAIN_FACTOR = 0.3
"""How much less a segment promises for each time that it was tried in vain."""
RETRY_FACTOR = 0.6
"""How much less likely it is to work for each time that it was tried in vain."""
WORSE = "parses worse"


class Verb(StrEnum):
    """What is to be done with the items of a segment; the structure knows how."""

    DELETE = auto()
    HOIST = auto()
    UNWRAP = auto()
    COMMENTS = auto()
    USES = auto()
    OWN = auto()


class Segment(NamedTuple):
    """Some neighbouring pieces of a structure that could go together."""

    weight: float
    category: str
    """What it is, for whoever reads along and for learning how often it works."""
    items: tuple[int, ...]
    verb: Verb = Verb.DELETE
    odds: float = 0.4
    """How often this works, as far as one can say before any was tried."""
    bet: float | None = None
    """The same as it was measured, for workers who run ahead; it does not change what is tried."""


class Structure(Protocol):
    """Something that can be cut into segments, and these into finer ones."""

    def begin(self) -> Sequence[Segment]:
        """Return the segments to start with."""

    def ways(self, segment: Segment, kept: Deltas) -> Iterable[Deltas]:
        """Return what to take out for this segment to go, the best way first."""

    def finer(self, segment: Segment, kept: Deltas) -> Iterable[Segment]:
        """Return what to try instead, as it cannot go as a whole."""

    def fingerprint(self, segment: Segment) -> str:
        """Return what tells a segment from others, also if it is met again in another pass."""


class Gate(Protocol):
    """Tells what need not be tested."""

    def is_worse(self, candidate: Candidate) -> bool:
        """Tell whether a candidate parses worse than its base."""


class Learned(NamedTuple):
    """What the search has left, and what it has learned of what is worth trying."""

    kept: Deltas
    lessons: Lessons


class Waiting(NamedTuple):
    """A segment in the queue: the heaviest first, and of equals the last.

    Uses come after what they use, mostly, and so they go before it.
    """

    lightness: float
    number: int
    segment: Segment
    fingerprint: str


@dataclass(slots=True)
class State:
    """Where the search is."""

    kept: Deltas
    lessons: dict[str, Record]
    queues: dict[str, list[Waiting]] = field(default_factory=dict)
    """By sort: what is learned changes the promise of all of a sort alike."""
    number: int = 0
    failures: int = 0
    iteration: int = 0
    halved: tuple[int, int] = (0, 0)
    """How much was kept when that was last halved, and in which iteration."""
    checkpoint: Again = None
    """The way back to before the next question, if that is to have one."""
    ignores_weight: bool = False
    """As in ``LargestFirst``."""
    own: set[str] = field(default_factory=set)
    """The queues that no fork has in common with this."""
    promises: dict[str, tuple[float, int]] = field(default_factory=dict)
    """What the first of a queue promises, where nothing has changed since it was worked out."""

    @property
    def slowness(self) -> int:
        """In how many iterations what is kept has not been halved."""
        return self.iteration - self.halved[1]

    def keep(self, kept: Deltas) -> None:
        """Go on with less."""
        self.kept, self.failures = kept, 0
        if 2 * len(kept) <= self.halved[0]:
            self.halved = len(kept), self.iteration

    def fork(self) -> "State":
        """Return the same, to go on from in another way; a queue is copied when it changes."""
        other = copy(self)
        other.queues, other.promises = dict(self.queues), dict(self.promises)
        self.own, other.own = set(), set()
        other.lessons, other.checkpoint = dict(self.lessons), None
        return other

    def _changing(self, category: str) -> list[Waiting]:
        """Return a queue that is about to change."""
        self.promises.pop(category, None)
        if category not in self.own:
            self.own.add(category)
            self.queues[category] = list(self.queues.get(category, ()))
        return self.queues[category]

    def push(self, segment: Segment, fingerprint: str) -> None:
        """Add a segment; it weighs less if it was tried before in vain."""
        self.number += 1
        tries = self.lessons.get(fingerprint, NO_RECORD).tries
        weight, number = (1, self.number) if self.ignores_weight else (segment.weight, -self.number)
        waiting = Waiting(-weight * AGAIN_FACTOR**tries, number, segment, fingerprint)
        heappush(self._changing(segment.category), waiting)

    def pop(self) -> tuple[Waiting, float]:
        """Take the segment that promises most: what it weighs times how often its sort works."""
        for category in self.queues.keys() - self.promises.keys():
            self.promises[category] = self._promise(self.queues[category][0])
        (promise, _), category = max(zip(self.promises.values(), self.promises, strict=True))
        queue = self._changing(category)
        waiting = heappop(queue)
        if not queue:
            del self.queues[category]
            self.own.remove(category)
        return waiting, promise * waiting.segment.weight if self.ignores_weight else promise

    def _promise(self, waiting: Waiting) -> tuple[float, int]:
        segment = waiting.segment
        rate = self.lessons.get(segment.category, NO_RECORD).rate(segment.odds)
        return -waiting.lightness * rate, -waiting.number

    def odds(self, category: str, waiting: Waiting) -> float:
        """How likely a segment is to work: as often as its sort does, less often once tried."""
        segment = waiting.segment
        believed = segment.odds if segment.bet is None else segment.bet
        tries = self.lessons.get(waiting.fingerprint, NO_RECORD).tries
        return self.lessons.get(category, NO_RECORD).rate(believed) * RETRY_FACTOR**tries

    @property
    def worthwhile(self) -> float:
        """What a segment must promise for a failure not to count."""
        return len(self.kept) * WORTHWHILE_SHARE

    def learn(self, key: str, *, worked: bool) -> None:
        """Take note of one more try of a sort, or of a single segment."""
        self.lessons[key] = self.lessons.get(key, NO_RECORD).after(worked=worked)
        self.promises.pop(key, None)


@dataclass(frozen=True, slots=True)
class LargestFirst:
    """The search, over one structure."""

    structure: Structure
    gate: Gate | None = None
    lessons: Lessons = field(default_factory=lambda: NO_LESSONS)
    patience: float = inf
    """After how many failures in a row it ends."""
    whole_first: bool = False
    """Whether it is not known yet that the whole of it fails."""
    until: float = inf
    """How many tests all rounds may have cost when it ends."""
    pace: float = inf
    """How many tests it may take to leave out half of what there is."""
    ignores_weight: bool = False
    """Whether what works most often goes first, whatever its weight, and of equals the first."""

    def __call__(self, kept: Deltas) -> Search[Learned]:
        """Start with the whole structure."""
        state = State(kept, dict(self.lessons), halved=(len(kept), 0))
        state.ignores_weight = self.ignores_weight
        self._push(state, self.structure.begin())
        return self._run(state)

    def _run(self, state: State, *, affords: bool = False) -> Search[Learned]:
        """Go on from a state; ``affords``: it is settled that one more test may be asked for."""
        if self.whole_first and not state.iteration:
            whole = Candidate(state.kept, Edit.drop(NONE), "longer")
            state = replace(state, iteration=1)
            if (yield FirstRound(one(whole))) is None:
                return Learned(state.kept, state.lessons)
        state = state.fork()
        while state.queues and state.failures < self.patience and state.slowness < self.pace:
            if not affords and not (yield from self._affords()):
                break
            # A copy is cheap; to cut a large structure again, on the way back, is not.
            state.checkpoint = partial(self._run, state.fork(), affords=True)
            yield from self._try_best(state)
            affords = False
        return Learned(state.kept, state.lessons)

    def _affords(self) -> Search[bool]:
        """Tell whether one more test may be asked for."""
        cost = (yield CostRound()) if self.until < inf else None
        return not isinstance(cost, Cost) or cost.tests < self.until

    def _try_best(self, state: State) -> Search[None]:
        """Try the segment that promises most; cut it finer if it cannot go."""
        waiting, promise = state.pop()
        for gone in self.structure.ways(waiting.segment, state.kept):
            if gone and (yield from self._try(state, waiting, promise, gone)):
                return
        self._push(state, self.structure.finer(waiting.segment, state.kept))

    def _push(self, state: State, segments: Iterable[Segment]) -> None:
        """Let some segments wait for their turn."""
        for segment in segments:
            state.push(segment, self.structure.fingerprint(segment))

    def _category(self, state: State, segment: Segment, candidate: Candidate) -> str | None:
        """Return what sort a candidate is of; None: it is known to be in vain."""
        record = state.lessons.get(WORSE, NO_RECORD)
        # Once such a candidate has worked, none is refused, and none need be parsed.
        if self.gate is None or record.worked or not self.gate.is_worse(candidate):
            return segment.category
        return None if record.tries >= MAX_WORSE_PARSES else WORSE

    def _try(self, state: State, waiting: Waiting, promise: float, gone: Deltas) -> Search[bool]:
        """Ask about one candidate, unless it is known to be in vain."""
        segment, fingerprint = waiting.segment, waiting.fingerprint
        candidate = Candidate(state.kept, Edit.drop(gone), segment.category)
        category = self._category(state, segment, candidate)
        if category is None:
            return False
        state.iteration += 1
        again, state.checkpoint = state.checkpoint, None
        odds = state.odds(category, waiting)
        round_ = FirstRound(one(candidate), iteration=state.iteration, again=again, odds=odds)
        worked = isinstance((yield round_), Pick)
        for key in (category, fingerprint):
            state.learn(key, worked=worked)
        if worked:
            state.keep(candidate.kept)
        elif promise < state.worthwhile:
            state.failures += 1
        return worked


def one(candidate: Candidate) -> Iterator[Candidate]:
    """Return a round's only candidate."""
    yield candidate
