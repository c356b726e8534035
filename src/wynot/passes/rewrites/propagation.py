"""Copies: what was given to a name stands where the name is used.

Unlike inlining, the definition stays, so it need not be the only one: the value holds until the
name is given another. A type behind a name is put in the same way, place by place. (C-Reduce's
``copy-propagation``, ``replace-one-level-typedef-type`` and ``replace-dependent-typedef``.)
"""

from collections.abc import Iterator, Mapping
from itertools import islice

from wynot.core.rewrites import Patch, Rewrite, rewritten
from wynot.passes import kinds
from wynot.passes.forest import ByteRange, Forest
from wynot.passes.ids import ROOT_NODE, NodeId, TokenId
from wynot.passes.rewrites.columns import lists_behind
from wynot.passes.rewrites.definitions import Definition, definition
from wynot.passes.rewrites.functions import Function, functions, inside_functions
from wynot.passes.rewrites.tree_queries import (
    LARGE_FOREST,
    gives,
    member_around,
    mentions,
    put,
    rewrite,
)

MOST_NAMES = 200
MOST_COPIES = 100
MAX_VALUE_BYTES = 60


def copies(forest: Forest) -> Iterator[Rewrite]:
    """Return for each value of a name where it is used until there is another."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    count = 0
    owner = inside_functions(forest, list(functions(forest)))
    for tokens in islice(mentions(forest).values(), MOST_NAMES):
        if len(tokens) < 2:  # noqa: PLR2004 - a definition and a use
            continue
        for place, token in enumerate(tokens):
            found = definition(forest, token)
            if found is None:
                continue
            for done in _copied(forest, found, tokens[place + 1 :], owner):
                yield done
                count += 1
        if count > MOST_COPIES:
            return


def _copied(
    forest: Forest, found: Definition, later: list[TokenId], owner: Mapping[NodeId, Function]
) -> Iterator[Rewrite]:
    text = forest.text(found.value)
    if found.category not in {"value", "assigned", "type"} or len(text) > MAX_VALUE_BYTES:
        return
    if found.category == "type":
        kind = forest.kind(forest.leaves[found.name])
        if kinds.is_type(kind) and not forest.child(found.value, "body"):
            for use in later:
                patch = put(forest, forest.between(use, use + 1), text)
                yield from filter(None, [rewrite("type for its name", [patch])])
        return
    if not _is_simple(forest, found.value) or found.parameters:
        return
    own = owner.get(forest.leaves[found.name])
    patches = []
    for use in later:
        if owner.get(forest.leaves[use]) != own and own is not None:
            break
        if gives(forest, use):
            break
        patches.append(put(forest, forest.between(use, use + 1), text))
    done = rewrite("value for its name", patches)
    if done is not None:
        yield done


def _is_simple(forest: Forest, node: NodeId) -> bool:
    """Tell whether a value is only named: a name, a number, a member, an element."""
    kind = forest.kind(node)
    is_one = forest.ends[node] - forest.firsts[node] == 1
    return is_one or kinds.is_qualified(kind) or "subscript" in kind or "literal" in kind


def resolved_types(forest: Forest) -> Iterator[Rewrite]:
    """Put what a type of another type is: ``S<A>::type`` is ``A`` where that is said."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    for node in forest.named_nodes:
        scope, name = forest.child(node, "scope"), forest.child(node, "name")
        if not scope or not name:
            continue
        at, named = node, name
        while kinds.is_dependent(forest.kind(forest.parents[at])):
            at = forest.parents[at]
        while forest.child(named, "scope"):  # a type of a type of a type
            named = forest.child(named, "scope")
        if forest.ends[named] - forest.firsts[named] != 1:
            continue
        end = forest.ends[named if named != name else at]
        for text in _resolved(forest, scope, named):
            first = node if named != name and _is_parameter(forest, text) else at
            run = forest.between(forest.firsts[first], end)
            done = rewrite("type of a type", [put(forest, run, text)])
            if done is not None:
                yield done


def _is_parameter(forest: Forest, text: bytes) -> bool:
    """Tell whether a type is a parameter, of which nothing is known."""
    first = next(iter(mentions(forest).get(text, ())), None)
    return first is not None and "parameter" in forest.kind(forest.parents[forest.leaves[first]])


def _resolved(forest: Forest, scope: NodeId, name: NodeId) -> Iterator[bytes]:
    """Return what a name in a scope is defined as, its parameters replaced by arguments."""
    owner = forest.firsts[scope]
    for token in mentions(forest).get(forest.text(name), ()):
        found = definition(forest, token)
        if found is None or found.category not in {"type", "value"} or forest.holds(name, token):
            continue
        around = member_around(forest, found.node)
        around = forest.parents[forest.parents[around]]
        own = forest.child(around, "name")
        if not own or forest.word(forest.firsts[own]) != forest.word(owner):
            continue
        parameters = forest.child(forest.parents[around], "parameters")
        names = (
            [forest.word(forest.last(child)) for child in forest.named(parameters)]
            if parameters != ROOT_NODE
            else []
        )
        lists = [runs for mark, runs in lists_behind(forest, owner) if mark == b"<"]
        given = dict(zip(names, lists[0], strict=False)) if lists else {}
        yield _with_arguments(forest, found.value, given)


def _with_arguments(forest: Forest, value: NodeId, given: Mapping[bytes, ByteRange]) -> bytes:
    """Return a type with arguments where it names parameters."""
    whole = forest.span(value)
    patches = []
    for token in forest.tokens_of(value):
        if forest.word(token) in given:
            _, begin, end = forest.span_of_token(token)
            path, start, stop = given[forest.word(token)]
            text = forest.contents[path][start:stop]
            patches.append(Patch(whole.path, begin - whole.start, end - whole.start, text))
    return rewritten(forest.text(value), patches)
