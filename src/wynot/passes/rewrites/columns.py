"""Columns: lists that go with one another lose the element at the same place, all at once.

The columns of a table and the values of each row, the parameters of a function and the arguments of
each call, the rows of a matrix: to take the element out of one of them alone is in vain, so
no deletion of single nodes gets there. (C-Reduce has it for C's parameters as ``param-to-global``
and ``remove-unused-function``'s sisters; here places are all that is looked at.) Lists that are as
long by chance stay as they are where a language says what belongs together: in SQL a column goes
with its values in every row that is put into the table, by place or by its name.

A type parameter goes with its arguments, too, wherever the name is used; where the parameter is
used, there stands what it is instantiated with, or the plainest type. (C-Reduce's
``instantiate-template-param`` and ``class-template-to-class``, for generics of any language.)
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from wynot.core.texts.rewrites import Patch, Rewrite
from wynot.passes.rewrites.definitions import last_name, uses_inside
from wynot.passes.rewrites.names import brackets_behind
from wynot.passes.rewrites.tree_queries import (
    LARGE_FOREST,
    OPENING,
    before,
    is_binding,
    is_bracket,
    is_mark,
    mentions,
    outermost_equal,
    removal,
    replacement,
    rewrite,
)
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, ByteRange, Forest, NodeId, TokenId, tokens_between

MAX_COLUMNS = 400
"""How many columns are looked at."""
MOST_NAMES = 500
DEEP, WIDE = 3, 30
"""How far above a name its lists may be, and how far behind it."""
_SEPARATORS = frozenset(",;|")
MOST_TABLES = 100


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
        given = [token for token in tokens if is_binding(forest, token)]
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
    given = [token for token in found if is_binding(forest, token)] or found
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
            category + (", and 0 for it" if also else ""), [*_removals(lists, place), *also]
        )
        if found is not None:
            yield found


def _removals(lists: Iterable[Sequence[ByteRange]], place: int) -> Iterator[Patch]:
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
        at = outermost_equal(forest, at)
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


def elements(forest: Forest, node: NodeId) -> list[ByteRange]:
    """Return the elements of a list that are parted by commas, or by another mark; some are empty.

    What is around them, brackets or the bars of a table, is not theirs.
    """
    children = list(forest.children(node))
    if children and is_bracket(forest, children[0]):
        found = parted(forest, children[1:-1])
        return found[:-1] if found and found[-1].start == found[-1].stop else found  # (a, b,)
    kind = forest.kind(node)
    also = kind.endswith("_list") and "statement" not in kind  # parameters, with semicolons
    return parted(forest, children, also=also or forest.language(node).newline_sensitive)


def parted(forest: Forest, children: Sequence[NodeId], *, also: bool = False) -> list[ByteRange]:
    """Return what is between commas; or between other marks, if they part something too."""
    marks = {forest.kind(child) for child in children if not forest.is_named(child)}
    mark = "," if "," in marks or not also else min(marks, default=",")
    if not children or (mark != "," and (mark not in _SEPARATORS or len(marks) > 1)):
        return []
    if mark not in marks:
        return [forest.between(forest.firsts[children[0]], forest.ends[children[-1]])]
    if mark == "|" == forest.kind(children[0]) == forest.kind(children[-1]):
        children = children[1:-1]
        if not children:
            return []
    found: list[ByteRange] = []
    path, start, _ = forest.span(children[0])
    stop = start
    for child in children:
        _, begin, end = forest.span(child)
        if not forest.is_named(child) and forest.kind(child) == mark:
            found.append(ByteRange(path, start, stop))
            start = stop = end
        else:
            start = begin if start == stop else start
            stop = end
    found.append(ByteRange(path, start, stop))
    return found


def table_columns(forest: Forest) -> Iterator[Rewrite]:
    """Return for each column of each table what takes it away, with its values."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    rows: dict[bytes, list[tuple[list[bytes], list[NodeId]]]] = {}
    for node in forest.named_nodes:
        if kinds.is_insert(forest.kind(node)):
            rows.setdefault(_table(forest, node), []).extend(_rows(forest, node))
    tables = (node for node in forest.named_nodes if kinds.creates(forest.kind(node)))
    for table in islice(tables, MOST_TABLES):
        found = _columns(forest, table)
        names = [_column_name(forest, column) for column in found]
        values = rows.get(_table(forest, table), []) if len(found) > 1 else []
        for place, column in enumerate(found if values else ()):
            patches = list(removal(forest, column))
            for called, row in values:
                patches += _value_removal(forest, called or names, row, names[place])
            done = rewrite("column of a table", patches)
            if done is not None:
                yield done


def _value_removal(
    forest: Forest, called: Sequence[bytes], row: Sequence[NodeId], name: bytes
) -> Iterator[Patch]:
    """Return what takes a value out of a row, if that has one for each column."""
    if len(called) == len(row) > 1 and name in called:
        yield from removal(forest, row[called.index(name)])


def _table(forest: Forest, node: NodeId) -> bytes:
    """Return the name of the table that a statement is about, in lower case."""
    named = (each for each in forest.named(node) if kinds.is_qualified(forest.kind(each)))
    found = next(named, ROOT_NODE)
    return forest.text(found).lower() if found else b""


def _columns(forest: Forest, table: NodeId) -> list[NodeId]:
    return [
        column
        for child in forest.named(table)
        if kinds.is_columns(forest.kind(child))
        for column in forest.named(child)
        if kinds.is_column(forest.kind(column))
    ]


def _column_name(forest: Forest, column: NodeId) -> bytes:
    return forest.word(forest.firsts[column]).lower()


def _rows(forest: Forest, insert: NodeId) -> Iterator[tuple[list[bytes], list[NodeId]]]:
    """Yield the rows of a statement, each with the names of its columns, if it has them.

    The list of these names is a row, too: its names go with the values.
    """
    called: list[bytes] = []
    for child in forest.named(insert):
        kind = forest.kind(child)
        if kinds.is_row(kind):
            items = forest.named(child)
            if all(kinds.is_column(forest.kind(each)) for each in items):
                called = [forest.text(each).lower() for each in items]
            yield called, items
        elif kinds.is_select(kind):
            terms = (each for each in forest.named(child) if kinds.is_terms(forest.kind(each)))
            yield from ((called, forest.named(each)) for each in terms)


MOST_GENERICS = 60
MOST_USES = 60
MOST_TYPES = 2
"""How many types are tried for a parameter."""
MAX_LEVELS = 8
"""How many nodes may be between type parameters and the name that they belong to."""
_TYPE_BRACKETS = (b"<", b"[")


class Generic(NamedTuple):
    """Something with type parameters."""

    node: NodeId
    parameters: NodeId
    name: NodeId
    names: tuple[TokenId | None, ...]
    """The names of the parameters; None: it has none."""


def type_parameters(forest: Forest) -> Iterator[Rewrite]:
    """Return each type parameter as what it is instantiated with, and gone."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    by_name: dict[bytes, list[Generic]] = {}
    for generic in islice(_generics(forest), MOST_GENERICS):
        alike = by_name.setdefault(forest.text(generic.name), [generic])
        is_inside = any(forest.holds(each.node, forest.firsts[generic.name]) for each in alike)
        if not is_inside and len(alike[0].names) == len(generic.names):
            alike.append(generic)
    for name, alike in by_name.items():
        heads = {forest.firsts[each.parameters] - 1 for each in alike}
        tokens = mentions(forest).get(name, ())[:MOST_USES]
        uses = [token for token in tokens if token not in heads]
        for place in range(len(alike[0].names)):
            yield from _without(forest, alike, place, uses)


def _generics(forest: Forest) -> Iterator[Generic]:
    for node in forest.named_nodes:
        if kinds.is_type_parameters(forest.kind(node)):
            name = _generic_name(forest, node)
            names = tuple(_parameter(forest, child) for child in forest.named(node))
            if name is not None and names and len(names) == len(elements(forest, node)):
                yield Generic(forest.parents[node], node, name, names)


def _generic_name(forest: Forest, parameters: NodeId) -> NodeId | None:
    """Return the name of what has type parameters: its own, or that of what it belongs to."""
    at = forest.parents[parameters]
    for _ in range(MAX_LEVELS):
        found = forest.child(at, "name") or forest.child(at, "declarator")
        if found and kinds.is_qualified_name(forest.kind(found)):
            found = forest.child(found, "scope") or found
        inner = [child for child in forest.named(at) if child != parameters]
        at = found or forest.child(at, "type") or next(reversed(inner), at)
        if kinds.is_operator_name(forest.kind(at)):
            return at
        if forest.ends[at] - forest.firsts[at] == 1:
            return at if last_name(forest, at) is not None else None
    return None


def _parameter(forest: Forest, node: NodeId) -> TokenId | None:
    """Return the name of a type parameter."""
    found = forest.child(node, "name")
    if found:
        return last_name(forest, found)
    names = forest.language(node).names
    tokens = (t for t in forest.tokens_of(node) if forest.kind(forest.leaves[t]) in names)
    return next(tokens, None)


def _without(
    forest: Forest, alike: Sequence[Generic], place: int, uses: Sequence[TokenId]
) -> Iterator[Rewrite]:
    removed, texts = [_parameter_removal(forest, each, place) for each in alike], []
    for use in uses:
        for bracket, runs in lists_behind(forest, use):
            if bracket in _TYPE_BRACKETS and place < len(runs):
                path, start, stop = runs[place]
                texts.append(forest.contents[path][start:stop])
                around = brackets_behind(forest, use, bracket)
                several = len(runs) > 1 or not around
                removed.append(_element(runs, place) if several else Patch(*around[0]))
                break
    inside = [
        token
        for each in alike
        if (name := each.names[place]) is not None
        for token in uses_inside(forest, each.node, forest.word(name))[:MOST_USES]
        if token not in each.names
    ]
    if not inside:
        types = [b""]
    else:
        plain = forest.language(alike[0].node).plain_type
        names = {forest.word(name) for each in alike for name in each.names if name is not None}
        given = [text for text in dict.fromkeys(texts) if text not in names]
        types = [*given[:MOST_TYPES], *([plain] if plain else [])]
    for text in dict.fromkeys(types):
        patches = [replacement(forest, forest.between(token, token + 1), text) for token in inside]
        done = rewrite("without a type parameter", [*removed, *patches])
        if done is not None:
            yield done


def _parameter_removal(forest: Forest, generic: Generic, place: int) -> Patch:
    """Return what takes a parameter away; an only one goes with the brackets and the head."""
    runs = elements(forest, generic.parameters)
    if len(runs) > 1:
        return _element(runs, place)
    path, start, stop = forest.span(generic.parameters)
    head = before(forest, generic.parameters)
    if head and forest.text(head) == b"template":
        start = forest.span(head).start
    return Patch(path, start, stop)


def _element(runs: Sequence[ByteRange], place: int) -> Patch:
    """Return what takes one of several elements out of a list."""
    path, start, stop = runs[place]
    if place:
        return Patch(path, runs[place - 1].stop, stop)
    return Patch(path, start, runs[1].start if len(runs) > 1 else stop)
