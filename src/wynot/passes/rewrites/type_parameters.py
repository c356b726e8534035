"""Type parameters: one goes with its arguments, wherever the name is used.

Where the parameter is used, there stands what it is instantiated with, or the plainest type.
(C-Reduce's ``instantiate-template-param`` and ``class-template-to-class``; generics of any language
are the same.)
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes.rewrites.columns import elements, lists_behind
from wynot.passes.rewrites.functions import last_name, uses_inside
from wynot.passes.rewrites.names import brackets_behind
from wynot.passes.rewrites.tree_queries import LARGE_FOREST, before, mentions, put, rewrite
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ByteRange, Forest, NodeId, TokenId

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
            name = _name(forest, node)
            names = tuple(_parameter(forest, child) for child in forest.named(node))
            if name is not None and names and len(names) == len(elements(forest, node)):
                yield Generic(forest.parents[node], node, name, names)


def _name(forest: Forest, parameters: NodeId) -> NodeId | None:
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
        patches = [put(forest, forest.between(token, token + 1), text) for token in inside]
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
