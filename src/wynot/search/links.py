"""links: chains get shorter by bisection, not by one link a test.

Where depth is the failure, or something deep inside, "without what is inside of level k" and "level
k in the place of the first" are monotone in k: so each is bisected. What is then left between the
ends that are needed is gone through in ever larger steps: each that works doubles the next.

Cost: about 3·log₂n tests for a chain of n links of which one run is needed, and 2·log₂n more for
each other stretch that can go.
Result: no first link and no last link can go, if that is monotone; nothing is proved of the others.
"""

from functools import partial
from typing import Literal, NamedTuple, TypeAlias

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.round import FirstRound, Pick, Search
from wynot.search.combinators import Step, in_turn

WINDOWS = (2, 4, 8)
"""Into how many windows a chain is cut."""
MIN_WINDOWED = 64
"""Links of a chain that it is worth the while to cut like this."""
MARCH_PATIENCE = 8
"""Links in a row that are needed, after which the others are believed to be so too."""
EVEN_ODDS, WINDOW_ODDS = 0.5, 0.2


Ends: TypeAlias = Literal["from the first on", "from the last on"]
FIRST_ON: Ends = "from the first on"
LAST_ON: Ends = "from the last on"


class ChainRun(NamedTuple):
    """The deltas of a chain: its links, from the outermost on; the last delta is what they hold."""

    start: int
    stop: int
    are_alike: bool = False
    """Whether all links say the same: then it does not matter which go, only how many."""


def shortened(chains: tuple[ChainRun, ...], kept: Deltas) -> Search[Deltas]:
    """Shorten one chain after the other."""
    steps: list[Step[Deltas]] = []
    for chain in chains:
        links = chain._replace(stop=chain.stop - 1)
        steps += (partial(_bisected, chain, LAST_ON), partial(_bisected, links, FIRST_ON))
        if not chain.are_alike:
            steps += (
                partial(_bisected, links, LAST_ON),
                partial(_windowed, links),
                partial(_marched, links),
            )
    return in_turn(tuple(steps), kept)


def _bisected(
    run: ChainRun, ends: Ends, kept: Deltas, low: int = 0, high: int = 0, iteration: int = 1
) -> Search[Deltas]:
    """Leave out as many as can go, from the first on or from the last on.

    So many as ``low`` can go, of what was ``kept`` at first; ``high`` of them, if it is not 0, can
    not. All are asked about first, then one: if that cannot go, more cannot either.
    """
    members = _members(run, kept)
    size = len(members)
    while low < size and high != low + 1:
        count = size if not high else (low + high) // 2 if low else 1
        gone, before = (_end(members, each, ends) for each in (count, low))
        again = partial(_bisected, run, ends, kept, low, high, iteration)
        candidate = Candidate(kept.toggle(before), Edit.drop(gone.toggle(before)), f"{count} links")
        pick = yield FirstRound([candidate], iteration=iteration, again=again, odds=EVEN_ODDS)
        iteration += 1
        if isinstance(pick, Pick):
            low = count
        else:
            high = count
    return kept.toggle(_end(members, low, ends))


def _end(members: Deltas, count: int, ends: Ends) -> Deltas:
    size = len(members)
    return members.part(size - count, size) if ends == LAST_ON else members.part(0, count)


def _windowed(
    run: ChainRun, kept: Deltas, number: int = 0, place: int = 0, iteration: int = 1
) -> Search[Deltas]:
    """Leave out windows of the chain, the largest first."""
    while number < len(WINDOWS):
        members, count = _members(run, kept), WINDOWS[number]
        if len(members) < MIN_WINDOWED:
            break
        size = len(members)
        gone = members.part(place * size // count, (place + 1) * size // count)
        again = partial(_windowed, run, kept, number, place, iteration)
        candidate = Candidate(kept, Edit.drop(gone), f"window {place + 1} of {count}")
        pick = yield FirstRound([candidate], iteration=iteration, again=again, odds=WINDOW_ODDS)
        iteration += 1
        if isinstance(pick, Pick):
            kept = kept.toggle(gone)
        place += 1
        if place == count:
            number, place = number + 1, 0
    return kept


def _marched(
    run: ChainRun, kept: Deltas, place: int = 0, step: int = 1, vain: int = 0, iteration: int = 1
) -> Search[Deltas]:
    """Go through the links; what works makes the next step twice as large, what does not half."""
    while vain < MARCH_PATIENCE:
        members = _members(run, kept)
        gone = members.part(place, min(place + step, len(members)))
        if not gone:
            break
        again = partial(_marched, run, kept, place, step, vain, iteration)
        candidate = Candidate(kept, Edit.drop(gone), f"{len(gone)} links from {place}")
        pick = yield FirstRound([candidate], iteration=iteration, again=again, odds=WINDOW_ODDS)
        iteration += 1
        if isinstance(pick, Pick):
            kept, step, vain = kept.toggle(gone), 2 * step, 0
        elif len(gone) > 1:
            step = len(gone) // 2
        else:
            place, step, vain = place + 1, 1, vain + 1
    return kept


def _members(run: ChainRun, kept: Deltas) -> Deltas:
    """Return what is left of a chain."""
    return kept.part(kept.rank(run.start), kept.rank(run.stop)) if run.start < run.stop else NONE
