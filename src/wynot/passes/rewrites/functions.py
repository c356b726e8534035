"""Functions: what is one, where it is called, and where a name of its own is used.

By the fields of the tree, as for all definitions; so a prototype is one that has no body, and a
method is one like any other.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wynot.passes.rewrites.tree_queries import ACCESS, behind, mentions, widest
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, Forest, NodeId, TokenId

MAX_DECLARATORS = 6
"""How many declarators may be around the one with the parameters."""


class Function(NamedTuple):
    """A function with its name and its parameters."""

    node: NodeId
    name: TokenId
    parameters: NodeId
    body: NodeId
    """The root: it is only declared."""


class Call(NamedTuple):
    """A place where something is called."""

    node: NodeId
    arguments: NodeId
    """The node of all of them, with its brackets."""


def functions(forest: Forest) -> Iterator[Function]:
    """Return the functions, in order."""
    field = forest.names.index("parameters") if "parameters" in forest.names else -1
    for node in forest.nodes:
        if forest.has_tokens(node) and (
            forest.fields[node] == field or kinds.is_parameters(forest.kind(node))
        ):
            found = _function(forest, node)
            if found is not None:
                yield found


def _function(forest: Forest, parameters: NodeId) -> Function | None:
    at = forest.parents[parameters]
    given = forest.child(at, "declarator") or forest.child(at, "name")
    if given == ROOT_NODE or forest.firsts[given] > forest.firsts[parameters]:
        return None
    name = last_name(forest, given)
    if name is None:
        return None
    for _ in range(MAX_DECLARATORS):
        if forest.field_of(at) != "declarator":
            break
        at = forest.parents[at]
    body = forest.child(at, "body") or next(
        (child for child in forest.named(at) if kinds.is_function_body(forest.kind(child))),
        ROOT_NODE,
    )
    return Function(at, name, parameters, body)


def last_name(forest: Forest, node: NodeId) -> TokenId | None:
    """Return the last name in a node that is not in brackets; None: there is none."""
    names = forest.language(node).names
    while forest.ends[node] - forest.firsts[node] > 1:
        inside = forest.child(node, "name") or forest.child(node, "declarator")
        if inside == ROOT_NODE:
            named = forest.named(node)
            if not named:
                return None
            inside = named[-1]
        node = inside
    token = forest.firsts[node]
    return token if forest.kind(forest.leaves[token]) in names else None


def called(forest: Forest, token: TokenId) -> Call | None:
    """Return the call of a name, by itself or as a member of something; None: there is none."""
    at = widest(forest, forest.leaves[token])
    for _ in range(2):
        above = forest.parents[at]
        if above == ROOT_NODE:
            return None
        arguments = behind(forest, at)
        if arguments and forest.text(arguments)[:1] == b"<" and forest.is_named(arguments):
            arguments = behind(forest, arguments)
        if arguments:
            is_list = forest.is_named(arguments) and forest.text(arguments)[:1] == b"("
            is_declared = forest.field_of(at) in {"declarator", "key"}
            is_last = forest.ends[arguments] == forest.ends[above]
            if not is_list or is_declared or not is_last or forest.child(above, "body"):
                return None
            return Call(above, arguments)
        if not is_member(forest, token):
            return None
        at = widest(forest, above)
    return None


def is_member(forest: Forest, token: TokenId) -> bool:
    """Tell whether a name is that of a member of something that is named before it."""
    if token == 0 or forest.word(TokenId(token - 1)) not in ACCESS:
        return False
    return forest.field_of(widest(forest, forest.leaves[token])) != "return_type"  # -> T


def uses_inside(forest: Forest, node: NodeId, name: bytes) -> list[TokenId]:
    """Return where a name is used in a node: by scope, so members of others are left out."""
    return [
        token
        for token in mentions(forest).get(name, ())
        if forest.holds(node, token)
        and not is_member(forest, token)
        and forest.field_of(forest.leaves[token]) not in {"key", "field"}
    ]


def inside_functions(forest: Forest, found: Sequence[Function]) -> dict[NodeId, Function]:
    """Return for each node that is in a function the innermost one."""
    owner: dict[NodeId, Function] = {}
    for function in found:
        if function.body:
            for node in range(function.body, forest.subtree_ends[function.body]):
                owner[NodeId(node)] = function
    return owner
