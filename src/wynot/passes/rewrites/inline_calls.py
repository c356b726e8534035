"""Inlined bodies: all that a function does is done where it is called, line by line.

Also that of a method, with what it is called on for its receiver; and what it returns at its end
stands for the call. Arguments stand for parameters by scope: only inside of the function, and not
for members of the same name. What the function calls its own is given another name where the
caller has one like it.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from wynot.core.rewrites import Patch, Rewrite, rewritten
from wynot.passes.rewrites.definitions import alone, inner, names_of, result
from wynot.passes.rewrites.functions import (
    Call,
    Function,
    called,
    functions,
    inside_functions,
    is_member,
    uses_inside,
)
from wynot.passes.rewrites.methods import class_around, receivers
from wynot.passes.rewrites.tree_queries import (
    LARGE_FOREST,
    gives,
    is_list,
    mentions,
    put,
    removal,
    rewrite,
)
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, Forest, NodeId, TokenId

MOST_FUNCTIONS = 100
MOST_CALLS = 3
_THIS = (b"this", b"self")


class Place(NamedTuple):
    """A call that a function is to be put for."""

    call: Call
    statement: NodeId
    receiver: bytes
    """What it is called on; empty: nothing."""


def inline_calls(forest: Forest) -> Iterator[Rewrite]:
    """Return each function that is called a few times, put where it is called."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    found = list(islice(functions(forest), MOST_FUNCTIONS))
    owner = inside_functions(forest, found)
    for function in found:
        if not function.body:
            continue
        tokens = mentions(forest).get(forest.word(function.name), [])
        uses = [
            token
            for token in tokens
            if token != function.name and not _is_local(forest, token, tokens, owner)
        ]
        if not 1 <= len(uses) <= MOST_CALLS or any(forest.holds(function.node, u) for u in uses):
            continue
        if len(uses) > 1:
            for use in uses:
                once = rewrite("inline a function here", _patches(forest, function, [use]))
                if once is not None:
                    yield once
        patches = _patches(forest, function, uses)
        at = alone(forest, function.node, uses)
        if patches and at != ROOT_NODE:
            done = rewrite("inline all of a function", [*_gone(forest, at), *patches])
            if done is not None:
                yield done


def _is_local(
    forest: Forest,
    token: TokenId,
    alike: Sequence[TokenId],
    owner: Mapping[NodeId, Function],
) -> bool:
    """Tell whether a name is that of a variable of the function that it is in."""
    if is_member(forest, token) or called(forest, token):
        return False
    own = owner.get(forest.leaves[token])
    return own is not None and any(
        owner.get(forest.leaves[other]) == own and gives(forest, other) for other in alike
    )


def _gone(forest: Forest, node: NodeId) -> Sequence[Patch]:
    """Return what takes a function away; where something has to stay, what stands for it."""
    above = forest.parents[node]
    if forest.language(node).newline_sensitive and forest.named(above) == [node]:
        return (put(forest, forest.span(node), b"pass"),)
    return removal(forest, node)


def _patches(forest: Forest, function: Function, uses: Sequence[TokenId]) -> list[Patch]:
    names = names_of(forest, function.parameters)
    if names is None:
        return []
    patches = []
    skipped = receivers(forest, function, class_around(forest, function.node))
    for use in uses:
        place = _place(forest, use)
        if place is None:
            return []
        arguments = [forest.text(child) for child in forest.named(place.call.arguments)]
        if any(kinds.is_keyed(forest.kind(c)) for c in forest.named(place.call.arguments)):
            return []
        given = [place.receiver, *arguments] if skipped else arguments
        if len(given) != len(names):
            return []
        words = [forest.word(name) for name in names]
        patch = _put(forest, function, place, dict(zip(words, given, strict=True)))
        if patch is None:
            return []
        patches.append(patch)
    return patches


def _place(forest: Forest, token: TokenId) -> Place | None:
    call = called(forest, token)
    if call is None:
        return None
    statement = call.node
    while statement != ROOT_NODE and not is_list(forest, forest.parents[statement]):
        statement = forest.parents[statement]
        if forest.child(statement, "body"):
            return Place(call, ROOT_NODE, _receiver(forest, call, token))
    return Place(call, statement, _receiver(forest, call, token))


def _receiver(forest: Forest, call: Call, token: TokenId) -> bytes:
    """Return what something is called on."""
    if not is_member(forest, token) or forest.firsts[call.node] >= token - 1:
        return b""
    path, start, _ = forest.span(call.node)
    return forest.contents[path][start : forest.span_of_token(TokenId(token - 1))[1]].strip()


def _put(
    forest: Forest, function: Function, place: Place, given: dict[bytes, bytes]
) -> Patch | None:
    """Return what puts a function in the place of a call."""
    value = result(forest, function.body)
    replaced = _replaced(forest, function, place, given)
    if value != ROOT_NODE:
        text = _text(forest, forest.firsts[value], forest.ends[value], replaced)
        loose = kinds.is_loose(forest.kind(value)) or b"\n" in text
        return put(forest, forest.span(place.call.node), b"(" + text + b")" if loose else text)
    first, end = inner(forest, function.body)
    if place.statement == ROOT_NODE or first >= end:
        return None
    returns = [
        NodeId(node)
        for node in range(function.body, forest.subtree_ends[function.body])
        if forest.is_named(NodeId(node)) and kinds.is_return(forest.kind(NodeId(node)))
    ]
    if len(returns) > 1:
        return None
    here, own = forest.span(place.statement), forest.span(place.call.node)
    content = forest.contents[here.path]
    before, after = content[here.start : own.start], content[own.stop : here.stop]
    if returns:
        if forest.ends[returns[0]] < end - 1 or not forest.named(returns[0]):
            return None
        (value, *_) = forest.named(returns[0])
        last = _text(forest, forest.firsts[value], forest.ends[value], replaced)
        body_end = forest.firsts[returns[0]]
        text = _text(forest, first, body_end, replaced) if first < body_end else b""
        tail = before + last + after
    else:
        text = _text(forest, first, end, replaced)
        if before.strip() or after.strip(b"; \t\n"):
            return None
        tail = b""
    margin = _margin(content, here.start)
    path, start, _ = forest.span_of_token(first)
    text = text.replace(b"\n" + _margin(forest.contents[path], start), b"\n" + margin)
    between = b"\n" + margin if text and tail else b""
    return put(forest, here, text.rstrip() + between + tail)


def _replaced(
    forest: Forest, function: Function, place: Place, given: dict[bytes, bytes]
) -> dict[TokenId, bytes]:
    """Return what stands for each name in a function, where it is called."""
    found = {
        token: text
        for name, text in given.items()
        for token in uses_inside(forest, function.body, name)
    }
    for token in forest.tokens_of(function.body):
        word = forest.word(token)
        if place.receiver and word in _THIS and token not in found:
            found[token] = place.receiver
    around = place.statement
    while around != ROOT_NODE and not forest.child(around, "parameters"):
        around = forest.parents[around]
    for name, tokens in mentions(forest).items():
        if name in given or not any(forest.holds(function.body, token) for token in tokens):
            continue
        own = uses_inside(forest, function.body, name)
        others = (t for t in tokens if forest.holds(around, t) and t not in own)
        outer = around != ROOT_NODE and not forest.holds(around, function.name)
        if own and outer and any(gives(forest, t) for t in own) and any(others):
            new = forest.word(function.name) + b"_" + name
            found.update(dict.fromkeys(own, new))
    return found


def _text(forest: Forest, first: TokenId, end: TokenId, replaced: dict[TokenId, bytes]) -> bytes:
    path, start, stop = forest.between(first, end)
    patches = [
        Patch(path, begin - start, after - start, text)
        for token, text in replaced.items()
        if first <= token < end
        for _, begin, after in [forest.span_of_token(token)]
    ]
    return rewritten(forest.contents[path][start:stop], patches)


def _margin(content: bytes, place: int) -> bytes:
    """Return the white space at the start of a line."""
    line = content[content.rfind(b"\n", 0, place) + 1 :]
    return line[: len(line) - len(line.lstrip(b" \t"))]
