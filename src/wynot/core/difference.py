"""Two sequences as one: what they share, and the deltas that lead from one to the other."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Generic, NamedTuple, TypeVar

from wynot.core.content import numbered
from wynot.core.deltas import Deltas

Item = TypeVar("Item")

LONG_SEQUENCE = 2000
"""Sequences up to this length are aligned as well as can be; longer ones well enough."""


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
    for tag, a, b, c, d in _opcodes(left, right):
        start = len(items)
        if tag == "equal":
            common += range(start, start + b - a)
            items += passing[a:b]
        else:
            taken_out += range(start, start + b - a)
            items += [*passing[a:b], *failing[c:d]]
    return Aligned(items, Deltas.of(common), Deltas.of(taken_out))


def _opcodes(left: list[int], right: list[int]) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield how one list becomes the other, as difflib does; what they begin and end with is equal.

    Of what lies between, difflib compares every like pair, which is too much if it is long and the
    same items come again and again: then the commonest are no longer looked at. Any alignment is
    right, if not always the shortest.
    """
    shorter = min(len(left), len(right))
    start = next((at for at in range(shorter) if left[at] != right[at]), shorter)
    most = shorter - start
    end = next((at for at in range(most) if left[-1 - at] != right[-1 - at]), most)
    yield "equal", 0, start, 0, start
    inner = left[start : len(left) - end], right[start : len(right) - end]
    matcher: SequenceMatcher[int] = SequenceMatcher(
        None, *inner, autojunk=max(map(len, inner)) > LONG_SEQUENCE
    )
    for tag, a, b, c, d in matcher.get_opcodes():
        yield tag, a + start, b + start, c + start, d + start
    yield "equal", len(left) - end, len(left), len(right) - end, len(right)


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
