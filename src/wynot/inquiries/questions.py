"""What can be asked of circumstances, and how.

Zeller & Hildebrandt 2002 (``003``), §5. The *cause* is the smallest set of deltas that, put into
the passing side, makes it fail; the *cure* the smallest set that, taken out of the failing side,
makes it pass; the *difference* is what is left between two sides that hardly differ.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from wynot.core.deltas import NONE, Deltas
from wynot.core.result import Trace
from wynot.core.round import Search
from wynot.core.verdict import Verdict
from wynot.engine.recorder import Recorder
from wynot.inquiries.circumstances import Level
from wynot.search.combinators import Minimizer, in_turn, mapped, star
from wynot.search.first_of import first_of
from wynot.search.lists.chase import chase
from wynot.search.lists.halving import halving, is_foretold
from wynot.search.sides.dd import Pair, dd
from wynot.search.sides.ddmax import ddmax
from wynot.search.sides.limited import patient
from wynot.search.units import Units, dd_over_units, over_units

Closed: TypeAlias = Callable[[Deltas], Deltas]
"""Returns deltas with all that always comes with them."""


class Question(NamedTuple):
    """What is asked: how to search, and what counts as proof."""

    name: str
    search: Callable[[Pair, Sequence[Level]], Search[Pair]]
    best: Callable[[Pair, Pair, Trace], Pair]
    """The answer so far, given where the search began, how far both sides have moved, and how."""
    proof: Callable[[Recorder, Pair, tuple[Deltas, ...]], bool]
    stands_on: Callable[[Pair], Sequence[tuple[Deltas, Verdict]]]
    """The sides that make it true, and what the test says of them."""
    is_by_level: bool = False
    """Whether it is asked of one level after the other, and not of all at once."""


def _cause(pair: Pair, levels: Sequence[Level], closed: Closed | None = None) -> Search[Pair]:
    search = _minimized(levels, closed, pair.failing)
    return mapped(search, lambda kept: Pair(pair.passing, kept))


def _cure(
    pair: Pair, levels: Sequence[Level], closed: Closed | None = None, guess: Deltas = NONE
) -> Search[Pair]:
    search = partial(ddmax, minimizer=partial(_minimized, levels, closed))
    return in_turn((partial(_without, guess), search) if guess else (search,), pair)


def _minimized(
    levels: Sequence[Level], closed: Closed | None, difference: Deltas
) -> Search[Deltas]:
    """Chase what is needed; where deltas come with others, see that not those are enough."""
    if closed is None:
        return _chased(levels, difference)
    steps: tuple[Minimizer, ...] = partial(_chased, levels), partial(_lowered, levels, closed)
    return star(partial(in_turn, steps), difference)


def _lowered(levels: Sequence[Level], closed: Closed, kept: Deltas) -> Search[Deltas]:
    """Try to leave out each of these, but not what comes with it."""
    whole = closed(kept)
    lower = [whole.toggle(unit) for unit in clipped(levels[-1], Pair(NONE, kept))]
    others = [each for each in lower if each and kept != whole != closed(each)]
    search = first_of(others, Verdict.INTERESTING)
    return mapped(search, lambda found: kept if found is None else found)


def _without(guess: Deltas, pair: Pair) -> Search[Pair]:
    """See whether it passes without these, say what makes it fail: then a cure is among them."""
    search = first_of([pair.failing.toggle(guess)], Verdict.UNINTERESTING)
    return mapped(search, lambda passing: pair if passing is None else Pair(passing, pair.failing))


def _chased(levels: Sequence[Level], difference: Deltas, found: Deltas = NONE) -> Search[Deltas]:
    """Chase units of the finest level, by way of the coarser ones."""
    pair = Pair(NONE, difference)
    coarse = [clipped(level, pair) for level in levels[:-1]]
    if _is_single(levels[-1]):
        return chase(difference, coarse, found)
    units = clipped(levels[-1], pair)
    numbers = Units(difference, units)
    groups = [[numbers.numbers(group) for group in each] for each in coarse]
    known = numbers.numbers(found)
    return over_units(partial(chase, groups=groups, found=known), difference, units)


def _difference(pair: Pair, levels: Sequence[Level]) -> Search[Pair]:
    if _is_single(levels[-1]):
        return dd(pair)
    return dd_over_units(pair, clipped(levels[-1], pair))


CAUSE = Question(
    "cause",
    _cause,
    lambda pair, moved, _trace: Pair(pair.passing, moved.failing),
    lambda recorder, pair, units: recorder.none_can_go(pair.failing, units),
    lambda pair: ((pair.failing, Verdict.INTERESTING),),
)
CURE = Question(
    "cure",
    _cure,
    lambda pair, moved, _trace: Pair(moved.passing, pair.failing),
    lambda recorder, pair, units: recorder.none_can_come(pair.passing, units),
    lambda pair: ((pair.passing, Verdict.UNINTERESTING),),
)

DIFFERENCE = Question(
    "difference",
    _difference,
    lambda _pair, moved, _trace: moved,
    lambda recorder, pair, units: recorder.none_can_change_sides(*pair, units),
    lambda pair: (
        (pair.passing, Verdict.UNINTERESTING),
        (pair.failing, Verdict.INTERESTING),
    ),
    is_by_level=True,
)


def cause_among(closed: Closed) -> Question:
    """Return the question for the cause, where deltas come with others."""
    return CAUSE._replace(search=partial(_cause, closed=closed))


def cure_among(closed: Closed, guess: Deltas) -> Question:
    """Return the question for the cure, where deltas come with others; there may be a guess."""
    return CURE._replace(search=partial(_cure, closed=closed, guess=guess))


def patiently(rounds: int) -> Question:
    """Return the question what makes the difference, left after some rounds without an answer."""

    def search(pair: Pair, levels: Sequence[Level]) -> Search[Pair]:
        return patient(pair, rounds, _difference(pair, levels))

    return DIFFERENCE._replace(name="cause", search=search)


def cause_with(found: Deltas) -> Question:
    """Return the question what else makes it fail, besides what is not enough by itself."""

    def search(pair: Pair, levels: Sequence[Level]) -> Search[Pair]:
        chased = _chased(levels, pair.failing, found)
        return mapped(chased, lambda kept: Pair(pair.passing, kept))

    return CAUSE._replace(search=search)


def halved(usual: Question, whole: Deltas) -> Question:
    """Return the same question of deltas that each take time to try, of which one may be enough.

    An answer that was foretold before it was tested is not tested once more.
    """

    def stands_on(pair: Pair) -> Sequence[tuple[Deltas, Verdict]]:
        found = pair.failing.toggle(pair.passing)
        return () if is_foretold(whole, found) else usual.stands_on(pair)

    def search(pair: Pair, _levels: Sequence[Level]) -> Search[Pair]:
        if usual is CURE:
            return ddmax(pair, halving)
        return mapped(halving(pair.failing), lambda kept: Pair(pair.passing, kept))

    return usual._replace(search=search, stands_on=stands_on)


def in_words(levels: Sequence[Level], pair: Pair) -> tuple[str, int]:
    """Return how much is left: of the coarsest groups that the two sides differ in several of."""
    for level in levels:
        count = groups_left(level, pair)
        if count > 1:
            break
    return level.name, count


def groups_left(level: Level, pair: Pair) -> int:
    """Return how many groups of a level the two sides differ in."""
    if _is_single(level):
        return len(pair.failing.toggle(pair.passing))
    return len(clipped(level, pair))


def _is_single(level: Level) -> bool:
    """Tell whether each group is one delta: there can be millions, which need not be listed."""
    return not level.units or level.units[-1].bounds[-1] == len(level.units)


def clipped(level: Level, pair: Pair) -> tuple[Deltas, ...]:
    """Return the groups of a level that the two sides differ in, as far as they do."""
    difference = pair.failing.toggle(pair.passing)
    found: list[Deltas] = []
    after = 0
    for start, stop in difference.runs:
        at = max(after, bisect_right(level.units, start, key=_first) - 1)
        while at < len(level.units) and _first(level.units[at]) < stop:
            if part := level.units[at].common(difference):
                found.append(part)
            at += 1
        after = at
    return tuple(found)


def _first(unit: Deltas) -> int:
    return unit.bounds[0]
