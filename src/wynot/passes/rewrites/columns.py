"""Columns: lists that go with one another lose the element at the same place, all at once.

The columns of a table and the values of each row, the parameters of a function and the arguments of
each call, the rows of a matrix: to take the element out of one of them alone is in vain, so
no deletion of single nodes gets there. (C-Reduce has it for C's parameters as ``param-to-global``
and ``remove-unused-function``'s sisters; here places are all that is looked at.)
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes import kinds
from wynot.passes.forest import ByteRange, Forest
from wynot.passes.ids import ROOT_NODE, TokenId, tokens_between
from wynot.passes.rewrites.lists import elements, parted
from wynot.passes.rewrites.tree_queries import (
    LARGE_FOREST,
    OPENING,
    gives,
    is_mark,
    mentions,
    rewrite,
    widest,
)

MAX_COLUMNS = 400
"""How many columns are looked at."""
MOST_NAMES = 500
DEEP, WIDE = 3, 30
"""How far above a name its lists may be, and how far behind it."""


def columns(forest: Forest) -> Iterator[Rewrite]:
    """Return for each length that several lists have, and each place in them, what goes there."""
    by_length: dict[int, list[list[ByteRange]]] = {}
    for node in forest.nodes:
        if forest.subtree_ends[node] - node > 2 and forest.has_tokens(node):  # noqa: PLR2004
            found = elements(forest, node)
            if 1 < len(found) <= MAX_COLUMNS and not kinds.is_given(forest.kind(node)):
                lists = by_length.setdefault(len(found), [])
                if lists and lists[-1][-1].stop > found[0].start and _is_file(lists[-1], found):
                    lists.pop()  # of lists in lists only those inside
                lists.append(found)
    for length, lists in sorted(by_length.items(), reverse=True):
        if len(lists) > 1:
            yield from _places(f"column of {length}", length, lists)


def _is_file(one: Sequence[ByteRange], other: Sequence[ByteRange]) -> bool:
    return one[0].path == other[0].path


def parameters(forest: Forest) -> Iterator[Rewrite]:
    """Return for each name with lists behind it, and each place in them, what goes there."""
    names = mentions(forest)
    few = [
        tokens
        for tokens in names.values()
        if len(tokens) > 1 and (len(tokens) == 2 or len(forest.kinds) <= LARGE_FOREST)  # noqa: PLR2004
    ]
    for tokens in islice(few, MOST_NAMES):
        given = [token for token in tokens if gives(forest, token)]
        if not given:
            continue
        lists: dict[tuple[bytes, int], list[list[ByteRange]]] = {}
        for token in (*given, *(token for token in tokens if token not in given)):
            for bracket, found in lists_behind(forest, token):
                if found and (len(found) > 1 or bracket == b"("):
                    lists.setdefault((bracket, len(found)), []).append(found)
        for (bracket, length), several in lists.items():
            if len(several) > 1:
                values = several[0] if bracket == b"(" else ()
                uses = [_uses(forest, names, given[0], run) for run in values]
                yield from _places("parameter with its arguments", length, several, uses)


def _uses(
    forest: Forest, names: dict[bytes, list[TokenId]], function: TokenId, parameter: ByteRange
) -> list[Patch]:
    """Return the patches that put 0 for a parameter where its function uses it."""
    at = forest.leaves[function]
    for _ in range(DEEP):
        if any(forest.field_of(child) == "body" for child in islice(forest.children(at), WIDE)):
            break
        at = forest.parents[at]
    else:
        return []
    around = forest.span(at)
    own = _name_in(forest, names, parameter)
    spans = [forest.span_of_token(token) for token in names.get(own, ())[:MOST_NAMES]]
    return [
        Patch(*span, b"0")
        for span in spans
        if _is_inside(span, around) and not _is_inside(span, parameter)
    ]


def _name_in(forest: Forest, names: dict[bytes, list[TokenId]], parameter: ByteRange) -> bytes:
    """Return the name of a parameter; empty: that cannot be told."""
    starts = forest.tokens[parameter.path].starts
    first = next(first for first, path in forest.texts if path == parameter.path)
    tokens = tokens_between(
        first + bisect_left(starts, parameter.start), first + bisect_left(starts, parameter.stop)
    )
    found = [token for token in tokens if forest.word(token) in names]
    given = [token for token in found if gives(forest, token)] or found
    return forest.word(given[0]) if len(given) == 1 else b""


def _is_inside(span: tuple[str, int, int], run: ByteRange) -> bool:
    return span[0] == run.path and run.start <= span[1] and span[2] <= run.stop


def _places(
    category: str,
    length: int,
    lists: Sequence[Sequence[ByteRange]],
    uses: Sequence[Sequence[Patch]] = (),
) -> Iterator[Rewrite]:
    for place in range(length):
        also = uses[place] if uses else ()
        found = rewrite(
            category + (", and 0 for it" if also else ""), [*_taken(lists, place), *also]
        )
        if found is not None:
            yield found


def _taken(lists: Iterable[Sequence[ByteRange]], place: int) -> Iterator[Patch]:
    """Return what takes an element out of each list, with a separator; a last one goes alone."""
    for runs in lists:
        path, start, stop = runs[place]
        if place + 1 < len(runs):
            yield Patch(path, start, stop)
            yield Patch(path, stop, runs[place + 1].start)
        else:
            if place:
                yield Patch(path, runs[place - 1].stop, start)
            yield Patch(path, start, stop)


def lists_behind(forest: Forest, token: TokenId) -> Iterator[tuple[bytes, list[ByteRange]]]:
    """Return the lists in brackets that follow a name: of types, of parameters or arguments."""
    at = forest.leaves[token]
    for _ in range(DEEP):
        at = widest(forest, at)
        above = forest.parents[at]
        siblings = list(islice(forest.children(above), WIDE))
        if at not in siblings:
            return
        rest = siblings[siblings.index(at) + 1 :]
        while rest:
            bracket = forest.text(rest[0])[:1]
            if bracket not in OPENING or bracket == b"{":
                return
            if not is_mark(forest, rest[0]):
                yield bracket, elements(forest, rest[0])
                rest = rest[1:]
                continue
            close = [forest.text(child) == OPENING[bracket] for child in rest]
            if not any(close):
                return
            yield bracket, parted(forest, rest[1 : close.index(True)])
            rest = rest[close.index(True) + 1 :]
        at = above
        if forest.parents[at] == ROOT_NODE:
            return
