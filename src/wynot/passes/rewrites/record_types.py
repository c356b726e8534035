"""Record types: a plain type stands for one with a body, or the body stands apart.

``struct S {};`` is as good as ``int`` where nothing is asked of it; a type that is defined in the
declaration of a variable, or for another name, is defined before it. (C-Reduce's
``empty-struct-to-int`` and ``simplify-struct-union-decl``.)
"""

from collections.abc import Iterator
from itertools import islice

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import NodeId, TokenId
from wynot.passes.rewrites.functions import last_name
from wynot.passes.rewrites.tree_queries import (
    LARGE_FOREST,
    behind,
    is_list,
    mentions,
    put,
    rewrite,
)

MOST_TYPES = 100
MOST_USES = 100
_INT = b"int"


def record_types(forest: Forest) -> Iterator[Rewrite]:
    """Return what can stand for each type with a body."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    for node in islice(_records(forest), MOST_TYPES):
        for done in (_plain(forest, node), _apart(forest, node)):
            if done is not None:
                yield done


def _records(forest: Forest) -> Iterator[NodeId]:
    """Return the types with a name and a body, of languages with structs."""
    for node in forest.named_nodes:
        if (
            kinds.is_class(forest.kind(node))
            and forest.child(node, "body")
            and forest.child(node, "name")
            and forest.language(node).replacements.get("struct_specifier")
        ):
            yield node


def _plain(forest: Forest, node: NodeId) -> Rewrite | None:
    """Return ``int`` wherever a type is used, and the type gone."""
    name = forest.firsts[forest.child(node, "name")]
    uses = mentions(forest).get(forest.word(name), ())[:MOST_USES]
    patches = []
    for token in uses:
        if forest.holds(node, token):
            continue
        at = forest.leaves[token]
        if kinds.is_class(forest.kind(forest.parents[at])):
            at = forest.parents[at]
        patches += [put(forest, forest.span(at), _INT), *_initialised(forest, at)]
    if not is_list(forest, forest.parents[node]):
        above = forest.parents[node]
        if forest.field_of(node) != "type" or not forest.child(above, "declarator"):
            return None
        return rewrite("int for a type", [put(forest, forest.span(node), _INT), *patches])
    after = behind(forest, node)
    stop = forest.span(after).stop if after and forest.text(after) == b";" else None
    path, start, end = forest.span(node)
    return rewrite("int for a type", [Patch(path, start, stop or end), *patches])


def _initialised(forest: Forest, of_type: NodeId) -> Iterator[Patch]:
    """Return a plain value for what variables of a type are given member by member."""
    above = forest.parents[of_type]
    for child in forest.named(above) if forest.field_of(of_type) == "type" else ():
        value = forest.child(child, "value")
        is_plain = value and last_name(forest, child) == forest.firsts[child]
        if is_plain and forest.word(forest.firsts[value]) == b"{":
            yield put(forest, forest.span(value), b"0")


def _apart(forest: Forest, node: NodeId) -> Rewrite | None:
    """Return a type that is defined before what is declared with it."""
    above = forest.parents[node]
    if forest.field_of(node) != "type" or not forest.child(above, "declarator"):
        return None
    path, start, stop = forest.span(node)
    content = forest.contents[path]
    body = forest.span(forest.child(node, "body"))
    head = content[start : body.start].strip()
    begin = forest.span(above).start
    if forest.word(forest.firsts[above]) == b"typedef":
        return _without_alias(forest, above, node, head)
    text = content[start:stop] + b"; "
    patches = [Patch(path, begin, begin, text), Patch(path, start, stop, head)]
    if begin == start:
        patches = [Patch(path, start, stop, text + head)]
    return rewrite("type before a variable", patches)


def _without_alias(forest: Forest, above: NodeId, node: NodeId, head: bytes) -> Rewrite | None:
    """Return a type without the other name that it is given."""
    name = last_name(forest, forest.child(above, "declarator"))
    if name is None or forest.firsts[forest.child(above, "declarator")] != name:
        return None
    path, begin, end = forest.span(above)
    uses: list[TokenId] = [
        token
        for token in mentions(forest).get(forest.word(name), ())[:MOST_USES]
        if token != name and not forest.holds(node, token)
    ]
    patches = [put(forest, forest.between(token, token + 1), head) for token in uses]
    _, start, stop = forest.span(node)
    around = [Patch(path, begin, start), Patch(path, stop, end, b";")]
    return rewrite("type without its other name", [*around, *patches])
