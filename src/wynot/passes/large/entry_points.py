"""What the tokens of a large source are worth: their own bytes, and a share of what they bring in.

A program of a few lines may need half a megabyte of a library that it includes. Hardly any of that
can go while these lines are as they are; once they are fewer, most of it can. So the whole of a
source is credited to what nothing else needs, half of it to the last such unit, and so on; most of
that is passed on to what each mentions, in equal shares, and again: a unit's tokens are worth more
the nearer it is to where everything begins. Those that are worth most by far are the front. (It is
how PageRank spreads importance: Page et al. 1999.)
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from wynot.passes.large.source_units import SourceUnits
from wynot.passes.large.unused_code import MIN_LARGE_TOKENS
from wynot.passes.trees.forest import Forest, NodeId

PASSED_ON = 0.85
"""What fraction of its credit a unit passes on."""
MAX_STEPS = 12
"""How often that is done: hardly anything is left then."""
MIN_CREDIT = 0.04
"""What fraction of the whole a unit of the front is credited with, at least."""
MIN_FACTOR = 20
"""How many times its own bytes it is worth, at least."""
MIN_NEEDED = 0.5
"""What fraction of the source the front must lead to."""


class Front(NamedTuple):
    """Where a large source is worth most."""

    nodes: tuple[NodeId, ...]
    """The units, in order."""
    worth: Sequence[float]
    """What the tokens before each are worth; the last entry: all of them."""

    def factor(self, forest: Forest, node: NodeId) -> float:
        """Return how many times its bytes a unit is worth."""
        first, end = forest.firsts[node], forest.ends[node]
        return (self.worth[end] - self.worth[first]) / forest.weight(node)


def front(forest: Forest) -> Front:
    """Return the front of a source; there is none if it is not large, or most of it is not needed.

    Where little hangs together, as in a long list of tests, no part is there for the others.
    """
    nothing = Front((), forest.byte_offsets)
    if len(forest.leaves) < MIN_LARGE_TOKENS:
        return nothing
    units = SourceUnits(forest)
    mentions = _Mentioned(units)
    reach = forest.byte_offsets
    factors = [1.0] * len(forest.leaves)
    found = []
    for unit, credit in _credits(mentions).items():
        first, end = forest.firsts[units.nodes[unit]], forest.ends[units.nodes[unit]]
        factor = 1 + credit * reach[-1] / (reach[end] - reach[first])
        factors[first:end] = [factor] * (end - first)
        if credit >= MIN_CREDIT and factor >= MIN_FACTOR:
            found.append(unit)
    needed = sum(forest.weight(units.nodes[unit]) for unit in _reached(mentions, found))
    if needed < MIN_NEEDED * reach[-1]:
        return nothing
    sizes = map(int.__sub__, reach[1:], reach)
    worth = [0.0, *accumulate(map(float.__mul__, factors, map(float, sizes)))]
    return Front(tuple(units.nodes[unit] for unit in found), worth)


class _Mentioned:
    """Who mentions whom; members count as part of their classes."""

    def __init__(self, units: SourceUnits) -> None:
        self.firsts = units.firsts
        self.needs = {
            unit: sorted(units.inside(unit).difference(units.given[unit])) for unit in units.tops
        }
        """The names that each unit mentions."""
        self.givers = [
            sorted({units.outermost(unit) for unit in several} & self.needs.keys())
            for several in units.givers
        ]


def _credits(mentions: _Mentioned) -> dict[int, float]:
    """Return which part of the whole each unit is credited with."""
    needs, givers = mentions.needs, mentions.givers
    # What a program does stands behind what it needs for that.
    moving = {unit: 0.5**at for at, unit in enumerate(reversed(mentions.firsts), start=1)}
    found = dict.fromkeys(needs, 0.0)
    for _ in range(MAX_STEPS):
        arriving = dict.fromkeys(needs, 0.0)
        for unit, credit in moving.items():
            found[unit] += credit
            for name in needs[unit] if credit else ():
                for giver in givers[name]:
                    arriving[giver] += PASSED_ON * credit / len(needs[unit]) / len(givers[name])
        moving = arriving
    return found


def _reached(mentions: _Mentioned, units: Iterable[int]) -> set[int]:
    """Return some units with all that they need, and what that needs, in turn."""
    reached = set(units)
    queue = list(reached)
    for unit in queue:
        for name in mentions.needs[unit]:
            for giver in mentions.givers[name]:
                if giver not in reached:
                    reached.add(giver)
                    queue.append(giver)
    return reached
