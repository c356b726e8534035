"""Bases: a class and what it is derived from become one, or part.

The base goes with what initialises it; or its members move into the class, and its name with them;
or the class goes, and its base stands wherever it was named. (C-Reduce's ``remove-base-class``,
``merge-base-class`` and ``replace-derived-class``.)
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from wynot.core.rewrites import Patch, Rewrite, rewritten
from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import ROOT_NODE, NodeId, TokenId
from wynot.passes.rewrites.definitions import inner
from wynot.passes.rewrites.tree_queries import (
    LARGE_FOREST,
    OPENING,
    behind,
    is_list,
    is_mark,
    mentions,
    put,
    removal,
    rewrite,
)

MOST_CLASSES = 60
MOST_USES = 100


class Derived(NamedTuple):
    """A class, and one of its bases."""

    node: NodeId
    name: TokenId
    body: NodeId
    clause: NodeId
    """All that is said of bases."""
    base: NodeId
    base_name: TokenId


def bases(forest: Forest) -> Iterator[Rewrite]:
    """Return for each class and each of its bases how they are one, or part."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    classes = {forest.text(forest.child(node, "name")): node for node, _ in _classes(forest)}
    for derived in islice(_derived(forest), MOST_CLASSES):
        for category, patches in (
            ("without a base", [*_parted(forest, derived), *_initialisers(forest, derived)]),
            ("base for a class", _replaced(forest, derived)),
            ("members of a base", _merged(forest, derived, classes)),
        ):
            done = rewrite(category, patches)
            if done is not None:
                yield done


def _classes(forest: Forest) -> Iterator[tuple[NodeId, TokenId]]:
    """Return the classes, with their names."""
    for node in forest.named_nodes:
        if kinds.is_class(forest.kind(node)) and forest.child(node, "body"):
            given = forest.child(node, "name")
            if given:
                yield node, forest.firsts[given]


def _derived(forest: Forest) -> Iterator[Derived]:
    for node, name in _classes(forest):
        body = forest.child(node, "body")
        for clause in forest.named(node):
            if clause == body or not (
                kinds.is_bases(forest.kind(clause)) or forest.field_of(clause) == "superclasses"
            ):
                continue
            for base in _listed(forest, clause):
                names = forest.language(node).names
                first = next(
                    (t for t in forest.tokens_of(base) if forest.kind(forest.leaves[t]) in names),
                    None,
                )
                if first is not None:
                    yield Derived(node, name, body, clause, base, first)


def _listed(forest: Forest, clause: NodeId) -> list[NodeId]:
    """Return the bases in a clause, or in a clause that it is made of."""
    named = [child for child in forest.named(clause) if not kinds.is_aside_base(forest.kind(child))]
    while len(named) == 1 and kinds.is_bases(forest.kind(named[0])):
        named = forest.named(named[0])
    return named


def _parted(forest: Forest, derived: Derived) -> list[Patch]:
    """Return what takes a base away from its class."""
    siblings = _listed(forest, derived.clause)
    if len(siblings) == 1:
        left = forest.span_of_token(TokenId(forest.firsts[derived.clause] - 1))[2]
        path, _, stop = forest.span(derived.clause)
        return [put(forest, forest.span(derived.clause)._replace(path=path, start=left, stop=stop))]
    place = siblings.index(derived.base)
    own = forest.span(derived.base)
    if place:
        return [Patch(own.path, forest.span(siblings[place - 1]).stop, own.stop)]
    after = forest.ends[derived.base]
    first = TokenId(forest.firsts[derived.base])
    while first > forest.firsts[derived.clause] + 1 and forest.word(TokenId(first - 1)) != b",":
        first = TokenId(first - 1)  # public, virtual
    start = forest.span_of_token(first)[1]
    return [Patch(own.path, start, forest.span_of_token(TokenId(after + 1))[1])]


def _initialisers(forest: Forest, derived: Derived) -> list[Patch]:
    """Return what takes away what a base is initialised with."""
    patches: list[Patch] = []
    name = forest.word(derived.base_name)
    for node in range(derived.body, forest.subtree_ends[derived.body]):
        at = NodeId(node)
        if not forest.has_tokens(at) or not kinds.is_initializer(forest.kind(at)):
            continue
        if forest.word(forest.firsts[at]) == name:
            alone = len(forest.named(forest.parents[at])) == 1
            patches += removal(forest, forest.parents[at] if alone else at)
    return patches


def _whole(forest: Forest, node: NodeId) -> NodeId:
    """Return a class with its template and its semicolon."""
    while forest.parents[node] and kinds.is_class_around(forest.kind(forest.parents[node])):
        node = forest.parents[node]
    return node


def _gone(forest: Forest, node: NodeId) -> list[Patch]:
    """Return what takes a class away, with its semicolon."""
    at = _whole(forest, node)
    after = behind(forest, at)
    if after and is_mark(forest, after) and forest.text(after) == b";":
        path, start, _ = forest.span(at)
        return [Patch(path, start, forest.span(after).stop)]
    return [put(forest, forest.span(at))]


def _uses(forest: Forest, token: TokenId) -> list[TokenId]:
    return mentions(forest).get(forest.word(token), [])[:MOST_USES]


def _replaced(forest: Forest, derived: Derived) -> list[Patch]:
    """Return what puts a base wherever its class is named, and takes the class away."""
    at = _whole(forest, derived.node)
    above = forest.parents[at]
    if forest.parents[above] != ROOT_NODE and not is_list(forest, above):
        return []
    text = forest.text(derived.base)
    is_template = at != derived.node and text.endswith(b">")
    short = forest.word(derived.base_name) if is_template else text
    is_type = forest.field_of(derived.node) == "type" and forest.child(at, "declarator")
    gone = [put(forest, forest.span(derived.node), text)] if is_type else []
    patches = [
        put(forest, forest.between(token, token + 1), short)
        for token in _uses(forest, derived.name)
        if not forest.holds(derived.node if is_type else at, token)
    ]
    return [*(gone or _gone(forest, derived.node)), *patches]


def _merged(forest: Forest, derived: Derived, classes: dict[bytes, NodeId]) -> Sequence[Patch]:
    """Return what moves the members of a base into its class, and its name with them."""
    special = classes.get(forest.text(derived.base), ROOT_NODE)
    base = special or classes.get(forest.word(derived.base_name), ROOT_NODE)
    if base in {ROOT_NODE, derived.node} or forest.holds(base, derived.name):
        return []
    name = forest.word(derived.name)
    gone = _whole(forest, base)
    body = forest.child(base, "body")
    first, last = inner(forest, body)
    text = b""
    uses = _uses(forest, derived.base_name)
    if first < last:
        path, start, stop = forest.between(first, last)
        inside = [
            Patch(path, begin - start, end - start, name)
            for token in uses
            if forest.holds(body, token)
            for _, begin, end in [forest.span_of_token(token)]
        ]
        text = rewritten(forest.contents[path][start:stop], inside)
    own = forest.span(derived.body)
    last_token = forest.last(derived.body)
    braced = OPENING.get(forest.word(forest.firsts[derived.body])) == forest.word(last_token)
    end = forest.span_of_token(last_token)[1] if braced else own.stop
    margin = b" " if braced else b"\n" + _margin(forest, derived.body)
    patches = [
        put(forest, forest.between(token, token + 1), name)
        for token in uses
        if not forest.holds(gone, token) and not forest.holds(derived.base, token)
    ]
    if b"<" in forest.text(derived.base) and special:
        patches = []  # others of the name are instances of something else
    return [
        *_gone(forest, base),
        *_parted(forest, derived),
        *_initialisers(forest, derived),
        Patch(own.path, end, end, margin + text if text else b""),
        *patches,
    ]


def _margin(forest: Forest, body: NodeId) -> bytes:
    """Return the white space before the first line of a body."""
    path, start, _ = forest.span(body)
    content = forest.contents[path]
    return content[content.rfind(b"\n", 0, start) + 1 : start]
