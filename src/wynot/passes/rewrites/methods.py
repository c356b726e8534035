"""Methods: a parameter goes with its arguments, also where the two lists do not look alike.

A method has a receiver that no call has in its brackets; a constructor is called by the name of its
class; what a class says of its fields may be its constructor's parameters; arguments can have
names, and some are left out. Where the parameter is used, its argument stands, or 0.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from wynot.core.texts.rewrites import Rewrite
from wynot.passes.rewrites.definitions import (
    Function,
    call_of,
    functions,
    last_name,
    uses_inside,
)
from wynot.passes.rewrites.tree_queries import (
    ACCESS,
    LARGE_FOREST,
    mentions,
    removal,
    replacement,
    rewrite,
)
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, Forest, NodeId, TokenId

MOST_FUNCTIONS = 200
MOST_USES = 60
MAX_LEVELS_TO_CLASS = 4
CONSTRUCTORS = frozenset({b"__init__", b"__new__", b"__construct", b"constructor", b"initialize"})
_NEW = b"new"


class Parameters(NamedTuple):
    """What can be given to a function, or to a class."""

    nodes: tuple[NodeId, ...]
    names: tuple[bytes, ...]
    body: NodeId
    """Where they are used."""
    calls: tuple[NodeId, ...]
    """The arguments of each call."""


def methods(forest: Forest) -> Iterator[Rewrite]:
    """Return for each parameter how it goes with its arguments."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    for each in _several(forest):
        for place, name in enumerate(each.names):
            yield from _without(forest, each, place, name)


def _several(forest: Forest) -> Iterator[Parameters]:
    for function in islice(functions(forest), MOST_FUNCTIONS):
        owner = class_around(forest, function.node)
        skipped = receivers(forest, function, owner)
        nodes = [
            child for child in forest.named(function.parameters) if _name(forest, child) is not None
        ]
        calls = _calls(forest, function, owner)
        alike = all(len(forest.named(call)) == len(nodes) for call in calls)
        if calls and not (alike and skipped == 0 and not _is_constructor(forest, function)):
            yield _parameters(forest, nodes[skipped:], function.body, calls)
    for node in forest.named_nodes:
        kind = forest.kind(node)
        if not kinds.is_class(kind) or not (given := forest.child(node, "name")):
            continue
        found = _fields(forest, node)
        called_here = tuple(
            call.arguments
            for token in mentions(forest).get(forest.text(given), ())[:MOST_USES]
            if (call := call_of(forest, token)) and not forest.holds(given, token)
        )
        if found and called_here:
            yield _parameters(forest, found, ROOT_NODE, called_here)


def _parameters(
    forest: Forest, nodes: Sequence[NodeId], body: NodeId, calls: Sequence[NodeId]
) -> Parameters:
    names = tuple(_name(forest, node) or b"" for node in nodes)
    return Parameters(tuple(nodes), names, body, tuple(calls))


def class_around(forest: Forest, node: NodeId) -> NodeId:
    """Return the class that a function is in; the root: it is in none."""
    at = forest.parents[node]
    for _ in range(MAX_LEVELS_TO_CLASS):
        if at == ROOT_NODE or forest.child(at, "parameters"):
            return ROOT_NODE
        if kinds.is_class(forest.kind(at)) and forest.child(at, "body"):
            return at
        at = forest.parents[at]
    return ROOT_NODE


def receivers(forest: Forest, function: Function, owner: NodeId) -> int:
    """Return how many parameters no call has in its brackets."""
    first = next(iter(forest.named(function.parameters)), ROOT_NODE)
    is_own = kinds.is_receiver(forest.kind(first)) if first else False
    is_explicit = forest.language(function.node).name == "python" and owner != ROOT_NODE
    return 1 if is_own or (is_explicit and first) else 0


def _is_constructor(forest: Forest, function: Function) -> bool:
    return forest.word(function.name) in CONSTRUCTORS


def _calls(forest: Forest, function: Function, owner: NodeId) -> tuple[NodeId, ...]:
    """Return the arguments of each call of a function."""
    names = mentions(forest)
    tokens = [
        token for token in names.get(forest.word(function.name), ()) if token != function.name
    ]
    if _is_constructor(forest, function) and owner != ROOT_NODE:
        own = forest.text(forest.child(owner, "name"))
        tokens += [_created(forest, token) for token in names.get(own, ())]
    calls = (call_of(forest, token) for token in tokens[:MOST_USES])
    return tuple(
        call.arguments
        for call in calls
        if call is not None and call.arguments != function.parameters
    )


def _created(forest: Forest, token: TokenId) -> TokenId:
    """Return the word that makes something of a class: its name, or ``new`` behind it."""
    behind = TokenId(token + 2)
    if behind < len(forest.leaves) and forest.word(behind) == _NEW:
        return behind if forest.word(TokenId(token + 1)) in ACCESS else token
    return token


def _fields(forest: Forest, node: NodeId) -> list[NodeId]:
    """Return the fields that a class declares with a type, one in each statement."""
    found = []
    for statement in forest.named(forest.child(node, "body")):
        inside = forest.named(statement)
        if len(inside) == 1 and forest.child(inside[0], "type") and forest.child(inside[0], "left"):
            found.append(statement)
    return found


def _name(forest: Forest, node: NodeId) -> bytes | None:
    """Return the name of a parameter; None: it has none."""
    at = node
    for _ in range(MAX_LEVELS_TO_CLASS):
        if forest.ends[at] - forest.firsts[at] == 1:
            names = forest.language(at).names
            is_name = forest.kind(forest.innermost(at)) in names or forest.text(at) == b"self"
            return forest.text(at) if is_name else None
        inner = next(
            (
                child
                for field in ("name", "pattern", "declarator", "left")
                if (child := forest.child(at, field))
            ),
            ROOT_NODE,
        )
        named = forest.named(at)
        if not inner and not named:
            return None
        at = inner or named[0]
    return None


def _without(forest: Forest, given: Parameters, place: int, name: bytes) -> Iterator[Rewrite]:
    gone = list(removal(forest, given.nodes[place]))
    texts: set[bytes] = set()
    for call in given.calls:
        argument = _argument(forest, call, place, name)
        if argument:
            gone += removal(forest, argument)
            texts.add(forest.text(forest.child(argument, "value") or argument))
    uses = [
        token
        for token in uses_inside(forest, given.body, name)[:MOST_USES]
        if given.body and not forest.holds(given.nodes[place], token)
    ]
    if not uses:
        yield from filter(None, [rewrite("parameter without its arguments", gone)])
        return
    only = texts.pop() if len(texts) == 1 else b""
    for text in dict.fromkeys((only, b"0")):
        if text and text != name:
            patches = [replacement(forest, forest.between(use, use + 1), text) for use in uses]
            what = "0" if text == b"0" else "its argument"
            done = rewrite(f"parameter gone, {what} for it", [*gone, *patches])
            if done is not None:
                yield done


def _argument(forest: Forest, call: NodeId, place: int, name: bytes) -> NodeId:
    """Return the argument for a parameter, by its name or by its place; the root: none."""
    arguments = forest.named(call)
    keyed = [child for child in arguments if kinds.is_keyed(forest.kind(child))]
    for child in keyed:
        key = last_name(forest, forest.child(child, "name") or child)
        if key is not None and forest.word(key) == name:
            return child
    positional = [child for child in arguments if child not in keyed]
    return positional[place] if place < len(positional) else ROOT_NODE
