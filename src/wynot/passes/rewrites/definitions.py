"""Where names are given a meaning: what a name stands for, and where it is used.

By the fields of the tree alone: what has a name, or a declarator, or a left side, and beside it a
value, a body, a right side or a type. Grammars without fields are read by their words: a list that
begins with ``define…``, a node that is called an alias or a common table expression.

Functions are found in the same way: a prototype is one without a body, and a method is one like
any other.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from wynot.passes.rewrites.tree_queries import (
    ACCESS,
    OPENING,
    behind,
    has_equals,
    is_list,
    is_mark,
    mentions,
    outermost_equal,
    same_tokens,
)
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, Forest, NodeId, TokenId

MAX_LEVELS_ABOVE = 6
"""How far above a name the node may be that defines it."""
_DEFINE = re.compile(rb"\(?def", re.IGNORECASE)


class Definition(NamedTuple):
    """A name, and what it stands for."""

    name: TokenId
    """The token."""
    node: NodeId
    """The smallest node that has both the name and what it stands for."""
    value: NodeId
    category: str
    """One of ``value``, ``assigned`` (a value, without a declaration), ``type``, ``body`` (of a
    function) and ``tag`` (a type with a body)."""
    parameters: NodeId = ROOT_NODE
    """The node that has them; the root: there are none."""


def definition(forest: Forest, token: TokenId) -> Definition | None:
    """Return what a name is defined as here; None: it is not."""
    at = forest.leaves[token]
    parameters = ROOT_NODE
    for _ in range(MAX_LEVELS_ABOVE):
        above = forest.parents[at]
        if above == ROOT_NODE or (
            is_list(forest, above) and forest.field_of(at) not in kinds.NAMING
        ):
            return None
        if not same_tokens(forest, above, at):
            if forest.field_of(at) in kinds.NAMING:
                parameters = parameters or forest.child(above, "parameters")
                found = _by_fields(forest, token, above, at, parameters)
            else:
                found = _by_words(forest, token, above, at)
                if found is None:
                    return None
            if found is not None:
                return found
        at = above
    return None


def _by_fields(
    forest: Forest, token: TokenId, above: NodeId, at: NodeId, parameters: NodeId
) -> Definition | None:
    kind, own = forest.kind(above), forest.field_of(at)
    equals = has_equals(forest, above)
    value = forest.child(above, "right" if own == "left" else "value")
    if not value and equals and own == "name" and forest.named(above)[-1] != at:
        value = forest.named(above)[-1]  # where the grammar has no field for it
    if value and (equals or kinds.is_definition(kind) or "def" in kind):
        category = "assigned" if own == "left" else "value"
        return Definition(token, above, value, category, parameters)
    body = forest.child(above, "body")
    if body:
        category = "body" if parameters else "tag"
        return Definition(token, above, body if parameters else above, category, parameters)
    given = forest.child(above, "type")
    if given and (kinds.is_type(forest.kind(forest.leaves[token])) or kinds.is_definition(kind)):
        return Definition(token, above, given, "type", parameters)
    return None


def _is_definition(forest: Forest, node: NodeId) -> bool:
    kind = forest.kind(node)
    return kinds.is_definition(kind) and ("assign" not in kind or has_equals(forest, node))


def _by_words(forest: Forest, token: TokenId, above: NodeId, at: NodeId) -> Definition | None:
    """Return a definition in a node without fields: the name first, what it stands for last."""
    words = (child for child in forest.children(above) if not is_mark(forest, child))
    children = list(islice(words, 2))  # of a node that may have very many
    if at not in children or len(children) < 2:  # noqa: PLR2004 - a name and its value
        return None
    children += words
    parameters = ROOT_NODE
    if at == children[1] and _DEFINE.match(forest.text(children[0])):
        between = [child for child in children[2:-1] if forest.kind(child) == "list"]
        parameters = between[0] if between else ROOT_NODE
        if len(children) < 3:  # noqa: PLR2004 - the word, the name, its value
            return None
    elif len(children) > 2 or not _is_definition(forest, above):  # noqa: PLR2004
        return None
    value = children[-1] if at != children[-1] else children[0]
    category = "type" if value < at else "value"
    return Definition(token, above, value, category, parameters)


def returned_value(forest: Forest, body: NodeId) -> NodeId:
    """Return the only expression that a function returns; the root: it does more, or nothing."""
    at = body
    while True:
        inner = forest.named(at)
        if len(inner) != 1:
            return ROOT_NODE
        (at,) = inner
        kind = forest.kind(at)
        if "return" in kind:
            inner = forest.named(at)
            return inner[0] if len(inner) == 1 else ROOT_NODE
        if not kinds.is_block(kind):
            return ROOT_NODE if re.search("statement|declaration", kind) else at


def parameter_names(forest: Forest, parameters: NodeId) -> list[TokenId] | None:
    """Return the token of each parameter's name, in order; None: that cannot be told."""
    if parameters == ROOT_NODE or forest.text(parameters) == b"(void)":
        return []
    found = []
    for child in forest.named(parameters):
        token = _parameter_name(forest, child)
        if token is None:
            return None
        found.append(token)
    return found


def _parameter_name(forest: Forest, node: NodeId) -> TokenId | None:
    """Return the name that a parameter has."""
    names = forest.language(node).names
    for _ in range(MAX_LEVELS_ABOVE):
        if forest.ends[node] - forest.firsts[node] == 1:
            leaf = forest.leaves[forest.firsts[node]]
            return forest.firsts[node] if forest.kind(leaf) in names else None
        inner = forest.named(node)
        given = [child for child in inner if forest.field_of(child) in kinds.NAMING]
        if not inner:
            return None
        node = given[0] if given else inner[0]
    return None


class Use(NamedTuple):
    """A place where a name is used."""

    node: NodeId
    """What stands there for the meaning of the name: the name, or a call of it."""
    arguments: tuple[NodeId, ...] = ()


def plain_call(forest: Forest, token: TokenId) -> Use | None:
    """Return the call of a name; None: it is not called here."""
    at = outermost_equal(forest, forest.leaves[token])
    above = forest.parents[at]
    if forest.field_of(at) in {"declarator", "key"}:
        return None
    children = list(islice(forest.children(above), 3))  # of a node that may have very many
    if children[0] != at:
        if forest.text(children[0]) == b"(" and children[1] == at and forest.kind(above) == "list":
            return Use(above, tuple(forest.children(above))[2:-1])  # (f x y)
        return None
    if len(children) == 2 and forest.text(children[1])[:1] == b"(":  # noqa: PLR2004
        inner = forest.named(children[1])
        return Use(above, tuple(inner))
    return None


def removable_definition(forest: Forest, node: NodeId, uses: Sequence[TokenId]) -> NodeId:
    """Return the largest node that is only a definition: a statement, or a member of a list.

    It goes up from the node until a list is around it, never so far that a use would go with it;
    the root: something else would.
    """
    at = node
    while at != ROOT_NODE and (
        not is_list(forest, forest.parents[at]) or same_tokens(forest, forest.parents[at], at)
    ):
        above = forest.parents[at]
        if any(forest.holds(above, use) for use in uses):
            return at
        others = (
            child
            for child in forest.children(above)
            if child != at and not is_mark(forest, child) and not _is_aside(forest, child)
        )
        first = next(others, None)
        if first is not None:
            is_one_of_several = any(
                _is_peer(forest, at, other) for other in chain((first,), others)
            )
            return at if is_one_of_several else ROOT_NODE
        at = above
    return at


def _is_aside(forest: Forest, node: NodeId) -> bool:
    return forest.field_of(node) == "type" or kinds.is_aside(forest.kind(node))


def _is_peer(forest: Forest, one: NodeId, other: NodeId) -> bool:
    field = forest.fields[one]
    return forest.kinds[one] == forest.kinds[other] or 0 != field == forest.fields[other]


def between_brackets(forest: Forest, block: NodeId) -> tuple[TokenId, TokenId]:
    """Return the first token of what is in a block, and the one after its last."""
    first, last = forest.firsts[block], forest.ends[block]
    if last - first > 1 and OPENING.get(forest.word(first)) == forest.word(forest.last(block)):
        return TokenId(first + 1), forest.last(block)
    return first, last


def defined_once(
    forest: Forest, mentions: dict[bytes, list[TokenId]], most: int
) -> Iterator[tuple[Definition, list[TokenId]]]:
    """Return the names that have one definition, each with its uses, unless there are too many."""
    for tokens in mentions.values():
        if not 2 <= len(tokens) <= most:  # noqa: PLR2004 - a definition and a use
            continue
        found = [each for each in (definition(forest, token) for token in tokens) if each]
        if len(found) == 1 and (found[0].category != "assigned" or found[0].name == tokens[0]):
            yield found[0], [token for token in tokens if token != found[0].name]


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


def call_of(forest: Forest, token: TokenId) -> Call | None:
    """Return the call of a name, by itself or as a member of something; None: there is none."""
    at = outermost_equal(forest, forest.leaves[token])
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
        at = outermost_equal(forest, above)
    return None


def is_member(forest: Forest, token: TokenId) -> bool:
    """Tell whether a name is that of a member of something that is named before it."""
    if token == 0 or forest.word(TokenId(token - 1)) not in ACCESS:
        return False
    return forest.field_of(outermost_equal(forest, forest.leaves[token])) != "return_type"  # -> T


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
