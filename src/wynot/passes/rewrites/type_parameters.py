"""Type parameters: what is only ever one type need not be a parameter.

Where a parameter is used, there stands what it is instantiated with; then it goes, with its
arguments wherever the name is used. (C-Reduce's ``instantiate-template-param``,
``class-template-to-class`` and ``template-arg-to-int``; generics of any language are the same.)
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes import kinds
from wynot.passes.forest import ByteRange, Forest
from wynot.passes.ids import NodeId, TokenId
from wynot.passes.rewrites.columns import lists_behind
from wynot.passes.rewrites.functions import called, functions, last_name, uses_inside
from wynot.passes.rewrites.lists import elements
from wynot.passes.rewrites.names import brackets_behind
from wynot.passes.rewrites.tree_queries import LARGE_FOREST, is_mark, mentions, put, rewrite

MOST_GENERICS = 60
MOST_USES = 60
_INT = b"int"
_BRACKETS = (b"<", b"[")


class Generic(NamedTuple):
    """Something with type parameters."""

    node: NodeId
    parameters: NodeId
    name: TokenId
    names: tuple[TokenId, ...]
    """The names of the parameters."""


def type_parameters(forest: Forest) -> Iterator[Rewrite]:
    """Return each type parameter as what it is instantiated with; then without it."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    by_name: dict[bytes, list[Generic]] = {}
    for generic in islice(_generics(forest), MOST_GENERICS):
        by_name.setdefault(forest.word(generic.name), []).append(generic)
    for name, alike in by_name.items():
        for place in range(len(alike[0].names)):
            if all(place < len(each.names) for each in alike):
                yield from _instantiated(forest, name, alike, place)


def plain_arguments(forest: Forest) -> Iterator[Rewrite]:
    """Put the plainest type for one that something is instantiated with."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    for node in forest.named_nodes:
        if not kinds.is_type_arguments(forest.kind(node)):
            continue
        for child in forest.named(node):
            short = forest.language(child).replacements.get(forest.kind(child), ())
            is_number = forest.kind(child) in forest.language(child).numbers
            text = _INT if _INT in short else b"0" if is_number else forest.text(child)
            if text != forest.text(child):
                patch = put(forest, forest.span(child), text)
                done = Rewrite(f"type argument to {text.decode()}", (patch,))
                yield done._replace(is_pump=done.gain <= 0)


def _generics(forest: Forest) -> Iterator[Generic]:
    for node in forest.named_nodes:
        if not kinds.is_type_parameters(forest.kind(node)):
            continue
        above = forest.parents[node]
        name = _name(forest, above, node)
        names = tuple(
            token
            for child in forest.named(node)
            if (token := _parameter(forest, child)) is not None
        )
        if name is not None and names and len(names) == len(elements(forest, node)):
            yield Generic(above, node, name, names)


def _name(forest: Forest, node: NodeId, parameters: NodeId) -> TokenId | None:
    """Return the name of what has type parameters: its own, or that of what it belongs to."""
    at = node
    for _ in range(8):
        found = forest.child(at, "name") or forest.child(at, "declarator")
        if found and kinds.is_qualified_name(forest.kind(found)):
            found = forest.child(found, "scope") or found
        if found and found != parameters:
            at = found
            if forest.ends[at] - forest.firsts[at] == 1:
                return last_name(forest, at)
            continue
        if forest.ends[at] - forest.firsts[at] == 1:
            return last_name(forest, at)
        inner = [child for child in forest.named(at) if child != parameters]
        if not inner:
            return None
        at = forest.child(at, "type") or inner[-1]
    return None


def _parameter(forest: Forest, node: NodeId) -> TokenId | None:
    """Return the name of a type parameter."""
    found = forest.child(node, "name")
    if found:
        return last_name(forest, found)
    names = forest.language(node).names
    tokens = (t for t in forest.tokens_of(node) if forest.kind(forest.leaves[t]) in names)
    return next(tokens, None)


def _instantiated(
    forest: Forest, name: bytes, alike: Sequence[Generic], place: int
) -> Iterator[Rewrite]:
    inside = [
        token
        for each in alike
        for token in uses_inside(forest, each.node, forest.word(each.names[place]))
        if token not in each.names
    ][:MOST_USES]
    outside = [
        token
        for token in mentions(forest).get(name, ())[:MOST_USES]
        if not any(token + 1 == forest.firsts[each.parameters] for each in alike)
    ]
    removed = _without_parameter(forest, alike, place, outside)
    own = {forest.word(token) for each in alike for token in each.names}
    arguments = _arguments(forest, alike[0], place, outside)
    if not inside:
        arguments = iter(())
    for text in list(dict.fromkeys(text for text in arguments if text not in own))[:2]:
        patches = [put(forest, forest.between(token, token + 1), text) for token in inside]
        for category, more in (("instantiated", []), ("instantiated, and no parameter", removed)):
            done = rewrite(category, [*patches, *more])
            if done is not None and (patches or more):
                yield done._replace(is_pump=done.gain <= 0)
    done = rewrite("without a type parameter", removed)
    if done is not None and not inside:
        yield done._replace(is_pump=done.gain <= 0)


def _arguments(
    forest: Forest, generic: Generic, place: int, uses: Sequence[TokenId]
) -> Iterator[bytes]:
    """Return what a parameter is instantiated with: as it is said, as it is deduced, or ``int``."""
    for use in uses:
        for bracket, runs in lists_behind(forest, use):
            if bracket in _BRACKETS and place < len(runs):
                path, start, stop = runs[place]
                yield forest.contents[path][start:stop]
    function = next((each for each in functions(forest) if each.name == generic.name), None)
    if function is not None:
        wanted = forest.word(generic.names[place])
        for use in uses:
            call = called(forest, use)
            if call is None:
                continue
            own, given = forest.named(function.parameters), forest.named(call.arguments)
            for parameter, argument in zip(own, given, strict=False):
                if forest.text(forest.child(parameter, "type") or parameter) == wanted:
                    yield from _type_of(forest, argument)
        if is_plain_type(forest, generic.node):
            yield _INT


def is_plain_type(forest: Forest, node: NodeId) -> bool:
    """Tell whether ``int`` is a type of the language."""
    short = forest.language(node).replacements
    return any(_INT in short.get(kind, ()) for kind in ("type_descriptor", "generic_type"))


def _type_of(forest: Forest, argument: NodeId) -> Iterator[bytes]:
    """Return the type of an argument, where it is plain."""
    text = forest.text(argument)
    if text[:1].isdigit() and is_plain_type(forest, argument):
        yield b"double" if b"." in text else _INT
    for token in mentions(forest).get(text, ())[:1]:
        at = forest.leaves[token]
        while forest.field_of(at) == "declarator":
            at = forest.parents[at]
        of_type = forest.child(at, "type")
        if of_type:
            yield forest.text(forest.child(of_type, "name") or of_type)


def _without_parameter(
    forest: Forest, alike: Sequence[Generic], place: int, uses: Sequence[TokenId]
) -> list[Patch]:
    """Return what takes a parameter away, and its argument wherever the name is used."""
    patches: list[Patch] = []
    for each in alike:
        runs = elements(forest, each.parameters)
        if len(runs) > 1:
            patches.append(_element(runs, place))
        else:
            patches.append(_head(forest, each))
    for use in uses:
        for bracket in _BRACKETS:
            lists = [runs for mark, runs in lists_behind(forest, use) if mark == bracket]
            around = brackets_behind(forest, use, bracket)
            if lists and around and place < len(lists[0]):
                only = len(lists[0]) == 1
                patches.append(Patch(*around[0]) if only else _element(lists[0], place))
                break
    return patches


def _element(runs: Sequence[ByteRange], place: int) -> Patch:
    """Return what takes one of several elements out of a list."""
    path, start, stop = runs[place]
    if place:
        return Patch(path, runs[place - 1].stop, stop)
    return Patch(path, start, runs[1].start)


def _head(forest: Forest, generic: Generic) -> Patch:
    """Return what takes away the list of parameters, with a word that is only there for it."""
    first = forest.firsts[generic.parameters]
    marks = [
        child
        for child in forest.children(generic.node)
        if forest.firsts[child] < first and is_mark(forest, child)
    ]
    if forest.firsts[generic.node] + len(marks) == first and len(marks) == 1:
        word = forest.text(marks[0])
        start = forest.firsts[marks[0]] if word == b"template" else first
    else:
        start = first
    end = forest.ends[generic.parameters]
    path, begin, _ = forest.span_of_token(start)
    stop = forest.span_of_token(TokenId(end - 1))[2]
    if start != first and end < len(forest.leaves):
        stop = forest.span_of_token(TokenId(end))[1]
    return Patch(path, begin, stop)
