"""Type arguments: what a type parameter is instantiated with.

As it is said, ``S<int>``; or, where what is said is a parameter of what is around it, as that is
instantiated; or as it is deduced, from what a function is given.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wynot.passes.forest import Forest
from wynot.passes.ids import NodeId, TokenId
from wynot.passes.rewrites.columns import lists_behind
from wynot.passes.rewrites.functions import Function, called, functions
from wynot.passes.rewrites.tree_queries import mentions

MOST_ARGUMENTS = 60
TYPE_BRACKETS = (b"<", b"[")
_INT = b"int"


class Generic(NamedTuple):
    """Something with type parameters."""

    node: NodeId
    parameters: NodeId
    name: TokenId
    names: tuple[TokenId | None, ...]
    """The names of the parameters; None: it has none."""


def stand_ins(forest: Forest, generic: Generic, place: int) -> list[int]:
    """Return which of its parameters stand for one of those that a name has.

    Of most it is the one at the same place; what is specialised, or is a member of a generic, has
    arguments behind the name, and those that are only in the argument for it.
    """
    lists = [runs for mark, runs in lists_behind(forest, generic.name) if mark in TYPE_BRACKETS]
    if not lists or generic.name + 1 == forest.firsts[generic.parameters]:
        return [place] if place < len(generic.names) else []
    found = []
    for own, token in enumerate(generic.names):
        words = [] if token is None else mentions(forest).get(forest.word(token), [])
        used = {
            at
            for at, run in enumerate(lists[0])
            for word in words[:MOST_ARGUMENTS]
            if run.start <= forest.span_of_token(word)[1] < run.stop
        }
        if used == {place}:
            found.append(own)
    return found


def type_arguments(
    forest: Forest,
    generics: Sequence[Generic],
    generic: Generic,
    place: int,
    uses: Sequence[TokenId],
) -> Iterator[bytes]:
    """Return what a parameter is instantiated with: as it is said, as it is deduced, or ``int``."""
    for use, text in _said(forest, uses, place):
        around = [
            (each, names.index(text))
            for each in generics
            if forest.holds(each.node, use) and not forest.holds(each.node, generic.name)
            for names in [[b"" if name is None else forest.word(name) for name in each.names]]
            if text in names
        ]
        if not around:
            yield text
        for each, its_place in around:  # a parameter of what it is used in
            more = mentions(forest).get(forest.word(each.name), ())[:MOST_ARGUMENTS]
            outside = [token for token in more if not forest.holds(each.node, token)]
            yield from (text for _, text in _said(forest, outside, its_place))
    function = next((each for each in functions(forest) if each.name == generic.name), None)
    name = generic.names[place]
    if function is not None and name is not None:
        yield from _deduced(forest, function, forest.word(name), uses)
        if has_int(forest, generic.node):
            yield _INT


def _said(forest: Forest, uses: Sequence[TokenId], place: int) -> Iterator[tuple[TokenId, bytes]]:
    """Return where a type argument is said, and which one."""
    for use in uses:
        for bracket, runs in lists_behind(forest, use):
            if bracket in TYPE_BRACKETS and place < len(runs):
                path, start, stop = runs[place]
                yield use, forest.contents[path][start:stop]


def _deduced(
    forest: Forest, function: Function, wanted: bytes, uses: Sequence[TokenId]
) -> Iterator[bytes]:
    """Return the types of what is given to a function for parameters of a certain type."""
    for use in uses:
        call = called(forest, use)
        if call is None:
            continue
        own, given = forest.named(function.parameters), forest.named(call.arguments)
        for parameter, argument in zip(own, given, strict=False):
            if forest.text(forest.child(parameter, "type") or parameter) == wanted:
                yield from _type_of(forest, argument)


def has_int(forest: Forest, node: NodeId) -> bool:
    """Tell whether ``int`` is a type of the language."""
    short = forest.language(node).replacements
    return any(_INT in short.get(kind, ()) for kind in ("type_descriptor", "generic_type"))


def _type_of(forest: Forest, argument: NodeId) -> Iterator[bytes]:
    """Return the type of an argument, where it is plain."""
    text = forest.text(argument)
    if text[:1].isdigit() and has_int(forest, argument):
        yield b"double" if b"." in text else _INT
    for token in mentions(forest).get(text, ())[:1]:
        at = forest.leaves[token]
        while forest.field_of(at) == "declarator":
            at = forest.parents[at]
        of_type = forest.child(at, "type")
        if of_type:
            yield forest.text(forest.child(of_type, "name") or of_type)
