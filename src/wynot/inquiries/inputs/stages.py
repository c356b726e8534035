"""Which granularities are worth trying for a pair, from coarse to fine."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, TypeAlias

from wynot.core.files import Files, is_text
from wynot.inquiries.inputs.circumstance import Granularity, InputDifference
from wynot.inquiries.inputs.edits import InputSource

Finest: TypeAlias = Literal["auto", "lines", "tokens", "chars"]

ORDER: tuple[Granularity, ...] = ("files", "hunks", "lines", "nodes", "tokens", "characters")
_LAST: dict[Finest, Granularity] = {
    "auto": "characters",
    "lines": "lines",
    "tokens": "tokens",
    "chars": "characters",
}
_LEAST_PARTS = 2
"""What there must be to be parted."""
LONG_TOKEN_BYTES = 24
"""Bytes of a token of a known language from where on a part of it says more than the whole."""


def stages(
    passing: Files, failing: Files, atoms: Finest = "auto", after: Granularity | None = None
) -> Iterator[InputDifference]:
    """Return the differences of a pair that are worth trying, each made when it is asked for.

    A search makes another pair of it: for that one, ask again for what comes ``after``.
    """
    first = 0 if after is None else ORDER.index(after) + 1
    for granularity in ORDER[first : ORDER.index(_LAST[atoms]) + 1]:
        difference = InputDifference(passing, failing, granularity)
        if _is_worthwhile(difference, atoms, after):
            after = granularity
            yield difference


def _is_worthwhile(difference: InputDifference, atoms: Finest, after: Granularity | None) -> bool:
    """Tell whether a granularity can part what a coarser one could not."""
    if len(difference.levels[-1].units) < _LEAST_PARTS:
        return False
    has_lists = _has_lists(difference)
    match difference.granularity:
        case "files":
            return True
        case "hunks":
            worth = True
        case "lines":
            has_lists = has_lists or _has_neighbours(difference)
            worth = has_lists and (atoms == "lines" or not _is_grown(difference))
        case "nodes":
            worth = any(edits.failing.tree or edits.passing.tree for edits in difference.edits)
        case "tokens":
            worth = has_lists or _counted(difference) > 1
            if after == "nodes":
                nodes = InputDifference(difference.passing, difference.failing, "nodes")
                worth = len(nodes.levels[-1].units) < len(nodes.deltas)
        case "characters":
            is_asked_for = atoms == "chars" or _is_loose(difference)
            return is_asked_for and (has_lists or _counted(difference) > 1)
    return worth and (atoms != "auto" or _has_text(difference))


def _has_text(difference: InputDifference) -> bool:
    return any(
        is_text(edits.passing.content) and is_text(edits.failing.content)
        for edits in difference.edits
    )


def _has_lists(difference: InputDifference) -> bool:
    """Tell whether there is more to any change than one atom that became another."""
    return any(
        region.middle - region.first > 1 or region.after - region.middle > 1
        for edits in difference.edits
        for region in edits.regions
    )


def _has_neighbours(difference: InputDifference) -> bool:
    """Tell whether any hunk is several lines, each of which became another."""
    return any(
        region.adjoins(last)
        for edits in difference.edits
        for last, region in pairwise(edits.regions)
    )


def _counted(difference: InputDifference) -> int:
    return sum(len(edits.regions) for edits in difference.edits)


def _is_grown(difference: InputDifference) -> bool:
    """Tell whether one side is a part of the other, with a tree to say which: nodes are better."""
    changes = [(edits, region) for edits in difference.edits for region in edits.regions]
    if all(region.first == region.middle for _, region in changes):
        return all(edits.failing.tree for edits, _ in changes)
    if all(region.middle == region.after for _, region in changes):
        return all(edits.passing.tree for edits, _ in changes)
    return False


def _longest(source: InputSource, start: int, stop: int) -> int:
    """Return the length of the longest token in a part of a text."""
    bounds = source.tokens(start, stop)
    return max((after - before for before, after in pairwise(bounds)), default=0)


def _is_loose(difference: InputDifference) -> bool:
    """Tell whether parts of tokens say more than tokens do: of long ones, or of no language."""
    return any(
        not (edits.failing.is_known or edits.passing.is_known)
        or _longest(edits.passing, region.start, region.stop) > LONG_TOKEN_BYTES
        or _longest(edits.failing, region.begin, region.end) > LONG_TOKEN_BYTES
        for edits in difference.edits
        for region in edits.regions
    )
