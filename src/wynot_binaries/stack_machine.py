"""Code of stack machines as nested lists: each instruction has its operands inside of it.

WebAssembly and Java share this form. To read code is to fold it: an instruction takes the last
nodes that leave the values it needs.

    i32.const 1, i32.const 2, i32.add      (i32.add (i32.const 1) (i32.const 2))

To write it is to fit it: of the operands that are left in a list, each value goes to the place of a
wanted one, in order. Missing values are made up, and others are dropped.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from wynot_binaries.symbolic_lists import TextNode

NO_PLACE = -1
"""The place of a value that is not wanted."""
_MAX_COMPARISONS = 10_000

T = TypeVar("T")


def run_nested(outermost: Generator[Any, T, T]) -> T:
    """Return the result of a generator that yields others for their results, however deep."""
    running = [outermost]
    result: Any = None
    while running:
        try:
            inner = running[-1].send(result)
        except StopIteration as end:
            result = end.value
            running.pop()
        else:
            running.append(inner)
            result = None
    return result  # type: ignore[no-any-return]  # that of the outermost one


def gather(
    nodes: list[TextNode], counts: list[int], wanted: int, lowest: int
) -> tuple[list[TextNode], int]:
    """Take the last nodes that leave so many values; return them, and how many too many.

    ``counts`` has the values that each node leaves; nodes before the ``lowest`` stay. The number is
    negative if values are missing; then nodes before the first that leaves any stay, too.
    """
    start, got = len(nodes), 0
    while got < wanted and start > lowest:
        start -= 1
        got += counts[start]
    if got < wanted:
        while start < len(counts) and not counts[start]:
            start += 1
    taken = nodes[start:]
    del nodes[start:], counts[start:]
    return taken, got - wanted


def without_plain(
    nodes: list[TextNode],
    takes: str,
    plain: Mapping[str, TextNode],
    places: Callable[[str, str], list[int]],
) -> list[TextNode] | None:
    """Return operands without plain constants; None if the others would get other places."""
    kept = [at for at, node in enumerate(nodes) if node != plain.get(takes[at])]
    if len(kept) < len(nodes) and places("".join(takes[at] for at in kept), takes) != kept:
        return None
    return [nodes[at] for at in kept]


def without_drop(node: TextNode, head: str) -> TextNode:
    """Return what a statement computes, if it only drops the value: that goes without saying."""
    is_drop = isinstance(node, tuple) and node[0] == head and len(node[1]) == 1
    return node[1][0] if is_drop else node


def places_of(values: str, wanted: str) -> list[int]:
    """Return for each value which of those wanted it is; as many as can be, in order."""
    if len(values) * len(wanted) > _MAX_COMPARISONS:
        same = next(
            (at for at, pair in enumerate(zip(values, wanted, strict=False)) if pair[0] != pair[1]),
            min(len(values), len(wanted)),
        )
        return [*range(same), *([NO_PLACE] * (len(values) - same))]
    longest = [[0] * (len(wanted) + 1) for _ in range(len(values) + 1)]
    for row in reversed(range(len(values))):
        for column in reversed(range(len(wanted))):
            longest[row][column] = (
                longest[row + 1][column + 1] + 1
                if values[row] == wanted[column]
                else max(longest[row + 1][column], longest[row][column + 1])
            )
    places, column = [], 0
    for row, letter in enumerate(values):
        at = wanted.find(letter, column)
        if at >= 0 and longest[row + 1][at + 1] + 1 == longest[row][column]:
            places.append(at)
            column = at + 1
        else:
            places.append(NO_PLACE)
    return places


def last_places(values: str, wanted: str) -> list[int]:
    """Return the same, but of values that are alike the last."""
    found = places_of(values[::-1], wanted[::-1])[::-1]
    return [place if place == NO_PLACE else len(wanted) - 1 - place for place in found]


def usable(places: Sequence[int], filled: int) -> list[int]:
    """Return the places that the first values of an instruction are for, without a gap.

    ``filled`` places have their values. What is above those that are used is dropped; a value that
    is wanted cannot be above one that is not.
    """
    kept: list[int] = []
    for place in places:
        if place < filled or (kept and place != kept[-1] + 1):
            break
        kept.append(place)
    return kept if all(place == NO_PLACE for place in places[len(kept) :]) else []


def passed_below(places: Sequence[int]) -> int:
    """Return how many values are below those that are wanted, if these are all that is above."""
    count = sum(place == NO_PLACE for place in places)
    wanted = places[count:]
    is_together = all(after == before + 1 for before, after in pairwise(wanted))
    is_below = all(place == NO_PLACE for place in places[:count])
    return count if count and is_below and wanted and wanted[0] == 0 and is_together else 0
