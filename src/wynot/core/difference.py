"""Two sequences as one: what they share, and the deltas that lead from one to the other."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Generic, NamedTuple, TypeVar

from wynot.core.content import numbered
from wynot.core.deltas import Deltas

Item = TypeVar("Item")


class Aligned(NamedTuple, Generic[Item]):
    """Both sequences in one, and which places of it are only in one of them.

    With the deltas ``common`` applied one has the passing sequence, with all of them the failing
    one: a delta either brings in an item of the failing side or takes out one of the passing side.
    """

    items: list[Item]
    common: Deltas
    taken_out: Deltas


def align(passing: Sequence[Item], failing: Sequence[Item]) -> Aligned[Item]:
    """Return both sequences as one."""
    kinds = numbered([*passing, *failing])
    left, right = kinds[: len(passing)], kinds[len(passing) :]
    inside = _places(left, right)
    if inside is not None:  # the usual case, and no need for a diff: some items are only added
        return Aligned(list(failing), Deltas.of(inside), Deltas(()))
    items: list[Item] = []
    common: list[int] = []
    taken_out: list[int] = []
    matcher: SequenceMatcher[int] = SequenceMatcher(None, left, right, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        start = len(items)
        if tag == "equal":
            common += range(start, start + b - a)
            items += passing[a:b]
        else:
            taken_out += range(start, start + b - a)
            items += [*passing[a:b], *failing[c:d]]
    return Aligned(items, Deltas.of(common), Deltas.of(taken_out))


def _places(part: list[int], whole: list[int]) -> list[int] | None:
    """Return where in the whole a subsequence stands, or None if it is not one."""
    places: list[int] = []
    position = 0
    for kind in part:
        try:
            position = whole.index(kind, position) + 1
        except ValueError:
            return None
        places.append(position - 1)
    return places
