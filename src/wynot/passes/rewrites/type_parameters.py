"""Type parameters: what is only ever one type need not be a parameter.

Where a parameter is used, there stands what it is instantiated with; then it goes, with its
arguments wherever the name is used. (C-Reduce's ``instantiate-template-param``,
``class-template-to-class`` and ``template-arg-to-int``; generics of any language are the same.)
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes import kinds
from wynot.passes.forest import ByteRange, Forest
from wynot.passes.ids import ROOT_NODE, NodeId, TokenId
from wynot.passes.rewrites.columns import elements, lists_behind
from wynot.passes.rewrites.functions import last_name, uses_inside
from wynot.passes.rewrites.names import brackets_behind
from wynot.passes.rewrites.tree_queries import LARGE_FOREST, is_mark, mentions, put, rewrite
from wynot.passes.rewrites.type_arguments import (
    TYPE_BRACKETS,
    Generic,
    stand_ins,
    type_arguments,
)

MOST_GENERICS = 60
MOST_USES = 60
_INT = b"int"


def type_parameters(forest: Forest) -> Iterator[Rewrite]:
    """Return each type parameter as what it is instantiated with; then without it."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    by_name: dict[bytes, list[Generic]] = {}
    found = list(islice(_generics(forest), MOST_GENERICS))
    for generic in found:
        alike = by_name.setdefault(forest.word(generic.name), [])
        if not any(forest.holds(each.node, generic.name) for each in alike):  # a constructor's own
            alike.append(generic)
    for name, alike in by_name.items():
        for place in range(len(alike[0].names)):
            yield from _instantiated(forest, found, name, alike, place)


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
                done = rewrite(f"type argument to {text.decode()}", [patch])
                if done is not None:
                    yield done


def _generics(forest: Forest) -> Iterator[Generic]:
    for node in forest.named_nodes:
        if not kinds.is_type_parameters(forest.kind(node)):
            continue
        above = forest.parents[node]
        name = _name(forest, above, node)
        names = tuple(_parameter(forest, child) for child in forest.named(node))
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
    forest: Forest, generics: Sequence[Generic], name: bytes, alike: Sequence[Generic], place: int
) -> Iterator[Rewrite]:
    outside = [
        token
        for token in mentions(forest).get(name, ())[:MOST_USES]
        if not any(token + 1 == forest.firsts[each.parameters] for each in alike)
    ]
    removed = _without_parameter(forest, alike, place, outside)
    own = [
        (each, token)
        for each in alike
        for its_place in stand_ins(forest, each, place)
        if (token := each.names[its_place]) is not None
    ]
    inside = [
        token
        for each, given in own
        for token in uses_inside(forest, each.node, forest.word(given))
        if token not in each.names
    ][:MOST_USES]
    words = {forest.word(token) for each in alike for token in each.names if token is not None}
    if inside:
        texts = type_arguments(forest, generics, alike[0], place, outside)
        for text in list(dict.fromkeys(text for text in texts if text not in words))[:2]:
            yield from _with(forest, alike[0], text, inside, removed)
    done = rewrite("without a type parameter", removed)
    if done is not None and all(_is_in(forest, token, removed) for token in inside):
        yield done


def _with(
    forest: Forest,
    generic: Generic,
    text: bytes,
    inside: Sequence[TokenId],
    removed: Sequence[Patch],
) -> Iterator[Rewrite]:
    """Return a type wherever a parameter is used, and then without the parameter."""
    patches = [put(forest, forest.between(token, token + 1), text) for token in inside]
    for category, more in (
        ("instantiated", []),
        ("instantiated, and no parameter", list(removed)),
    ):
        done = rewrite(category, _known(forest, generic, text, [*patches, *more]))
        if done is not None:
            yield done


def _known(
    forest: Forest, generic: Generic, text: bytes, patches: Sequence[Patch]
) -> Sequence[Patch]:
    """Return the patches, with a class declared that is defined only later."""
    first = next(iter(mentions(forest).get(text, ())), None)
    if first is None or first < forest.ends[generic.node]:
        return patches
    node = forest.parents[forest.leaves[first]]
    if not kinds.is_class(forest.kind(node)) or forest.child(node, "name") == ROOT_NODE:
        return patches
    path, start, _ = forest.span(generic.node)
    declared = forest.word(forest.firsts[node]) + b" " + text + b";\n"
    at_start = [patch for patch in patches if (patch.path, patch.start) == (path, start)]
    if at_start:
        with_it = at_start[0]._replace(instead=declared + at_start[0].instead)
        return [with_it, *(patch for patch in patches if patch != at_start[0])]
    return [*patches, Patch(path, start, start, declared)]


def _is_in(forest: Forest, token: TokenId, removed: Sequence[Patch]) -> bool:
    """Tell whether a token goes with what is removed."""
    path, start, stop = forest.span_of_token(token)
    return any(
        patch.path == path and patch.start <= start and stop <= patch.stop for patch in removed
    )


def _without_parameter(
    forest: Forest, alike: Sequence[Generic], place: int, uses: Sequence[TokenId]
) -> list[Patch]:
    """Return what takes a parameter away, and its argument wherever the name is used."""
    patches: list[Patch] = []
    is_only = len(alike[0].names) == 1
    for each in alike:
        runs = elements(forest, each.parameters)
        gone = stand_ins(forest, each, place)
        if len(runs) > len(gone):
            patches += [_element(runs, its_place) for its_place in gone]
        elif is_only:
            patches.append(_head(forest, each))
        else:
            patches.append(Patch(runs[0].path, runs[0].start, runs[-1].stop))  # template <>
    for use in uses:
        for bracket in TYPE_BRACKETS:
            lists = [runs for mark, runs in lists_behind(forest, use) if mark == bracket]
            around = brackets_behind(forest, use, bracket)
            if lists and around and place < len(lists[0]):
                if len(lists[0]) > 1:
                    patches.append(_element(lists[0], place))
                else:
                    patches.append(Patch(*(around[0] if is_only else lists[0][0])))
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
