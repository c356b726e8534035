"""Qualified names: where a name is used it is said where it is from, and no statement says it.

``using namespace n;`` goes, and ``x`` is ``n::x``; so does ``import a.b.C;``, and ``C`` is
``a.b.C``. Of a name that is used once that is shorter; and the scope around the statement can go
then, since nothing in it depends on what it makes known.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import ROOT_NODE, NodeId, TokenId
from wynot.passes.rewrites.functions import uses_inside
from wynot.passes.rewrites.scopes import declared_in
from wynot.passes.rewrites.tree_queries import (
    ACCESS,
    LARGE_FOREST,
    gives,
    is_list,
    is_mark,
    removal,
    rewrite,
)

MOST_STATEMENTS = 60
MOST_USES = 20
_BETWEEN = ACCESS | {b"\\"}
_NAMESPACE = b"namespace"
_WORD = re.compile(rb"[^\W\d][\w$]*")


class KnownPath(NamedTuple):
    """What a statement makes known: the tokens of a path to a name, or to a scope."""

    first: TokenId
    last: TokenId
    mark: bytes
    """What is between a scope and a name, if it is that of a scope; else nothing."""


def qualified(forest: Forest) -> Iterator[Rewrite]:
    """Return each statement that makes names known as what it says, where they are used."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    scopes: dict[bytes, list[NodeId]] = {}
    statements: list[tuple[NodeId, KnownPath]] = []
    for node in forest.named_nodes:
        kind = forest.kind(node)
        if kinds.is_namespace(kind) and forest.child(node, "name"):
            name = forest.word(forest.last(forest.child(node, "name")))
            scopes.setdefault(name, []).append(forest.child(node, "body"))
        elif kinds.is_using(kind) and is_list(forest, forest.parents[node]):
            path = _path(forest, node)
            if path is not None:
                statements.append((node, path))
    for node, path in statements[:MOST_STATEMENTS]:
        done = rewrite("name with where it is from", _patches(forest, node, path, scopes))
        if done is not None:
            yield done


def _path(forest: Forest, node: NodeId) -> KnownPath | None:
    """Return the path in a statement that is nothing but one; None: it is something else."""
    tokens = list(forest.tokens_of(node))
    words = [forest.word(token) for token in tokens]
    if words[-1] == b";":
        del tokens[-1], words[-1]
    head = 0
    while head < len(words) and is_mark(forest, forest.leaves[tokens[head]]):
        if not words[head].isalpha():
            break
        head += 1
    mark = b"." if kinds.is_scope_use(forest.kind(node)) else b""
    mark = b"::" if _NAMESPACE in words[:head] else mark
    path = words[head:]
    if path and path[0] in _BETWEEN:
        path = path[1:]
    is_path = len(path) % 2 == 1 and all(
        word in _BETWEEN if place % 2 else _WORD.fullmatch(word) for place, word in enumerate(path)
    )
    if not head or not is_path or (len(words) - head == 1 and not mark):
        return None
    return KnownPath(tokens[head], tokens[-1], mark)


def _patches(
    forest: Forest, node: NodeId, path: KnownPath, scopes: dict[bytes, list[NodeId]]
) -> Sequence[Patch]:
    """Return what takes a statement away, and says wherever it is needed what it said."""
    run = forest.between(path.first, path.last + 1)
    text = forest.contents[run.path][run.start : run.stop]
    last = forest.word(path.last)
    bodies = [body for body in scopes.get(last, ()) if body != ROOT_NODE]
    names = {last: b""}
    if path.mark:
        declared = (name for body in bodies for name in declared_in(forest, body, scopes=True))
        names = {name: path.mark + name for name in declared}
    around = forest.parents[node]
    uses = [
        token
        for name in names
        for token in uses_inside(forest, around, name)
        if not forest.holds(node, token)
        and not (path.mark and any(forest.holds(body, token) for body in bodies))
        and not gives(forest, token)
    ]
    if not 0 < len(uses) <= MOST_USES:
        return []
    patches = [
        Patch(*forest.span_of_token(token), text + names[forest.word(token)]) for token in uses
    ]
    return [*removal(forest, node), *patches]
