"""Nodes that a shorter text of their kind can stand for."""

from collections.abc import Iterator
from itertools import islice

from wynot.core.rewrites import Patch, Rewrite
from wynot.formats.language import Language
from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import ROOT_NODE
from wynot.passes.rewrites.tree_queries import LARGE_FOREST, gives

_ANY_TYPE = b"class"
MOST_PAIRS = 100
"""How many names there may be for all expressions to try each."""
MOST_NAMES = 60
"""Names of a text that is small enough to try a number for each."""


def by_table(forest: Forest) -> Iterator[Rewrite]:
    """Put the short text that the language's table has for a kind of node."""
    for node in forest.named_nodes:
        kind = forest.kind(node)
        for text in forest.language(node).replacements.get(kind, ()):
            path, start, stop = forest.span(node)
            if len(text) < stop - start:
                yield Rewrite(f"{kind} to {text.decode()}", (Patch(path, start, stop, text),))


def by_example(forest: Forest) -> Iterator[Rewrite]:
    """Put the shortest text that the file itself has for a kind of node."""
    if len(forest.kinds) > LARGE_FOREST:
        return  # so many proposals would take more memory than the text by far
    shortest: dict[tuple[int, int], bytes] = {}
    for node in forest.named_nodes:
        key = forest.kinds[node], forest.fields[node]
        best = shortest.get(key)
        if best is None or forest.weight(node) < len(best):
            text = forest.text(node)
            if best is None or len(text) < len(best):
                shortest[key] = text
    for node in forest.named_nodes:
        if forest.parents[node] == ROOT_NODE:
            continue
        text = shortest[forest.kinds[node], forest.fields[node]]
        path, start, stop = forest.span(node)
        if len(text) < stop - start:
            kind = forest.kind(node)
            yield Rewrite(f"{kind} like another", (Patch(path, start, stop, text),))


def by_class(forest: Forest) -> Iterator[Rewrite]:
    """Put any type for one that must be of some sort: ``template <class T>`` for a concept."""
    for node in forest.named_nodes:
        if forest.field_of(node) == "type":
            above = forest.parents[node]
            is_parameter = kinds.is_type_parameters(forest.kind(forest.parents[above]))
            if is_parameter and forest.weight(node) > len(_ANY_TYPE):
                path, start, stop = forest.span(node)
                yield Rewrite("constraint to class", (Patch(path, start, stop, _ANY_TYPE),))


def by_number(forest: Forest) -> Iterator[Rewrite]:
    """Put a number where a name is used: no shorter, but it needs no declaration any more."""
    if sum(1 for _ in islice(forest.names_given, MOST_NAMES + 1)) > MOST_NAMES:
        return
    for token in forest.names_given:
        if not gives(forest, token):
            text = _number(forest.language(forest.leaves[token]))
            yield Rewrite(f"name to {text.decode()}", (Patch(*forest.span_of_token(token), text),))


def by_name(forest: Forest) -> Iterator[Rewrite]:
    """Put any other name where an expression is: one of them may be of the same type."""
    names = dict.fromkeys(forest.word(token) for token in islice(forest.names_given, MOST_NAMES))
    expressions = [
        node
        for node in forest.nodes
        if forest.has_tokens(node)
        and node + 1 < forest.subtree_ends[node]
        and _number(forest.language(node))
        in forest.language(node).replacements.get(forest.kind(node), ())
    ]
    if len(names) * len(expressions) > MOST_PAIRS:
        return
    for node in expressions:
        path, start, stop = forest.span(node)
        for name in names:
            if len(name) < stop - start:
                category = f"{forest.kind(node)} to a name"
                yield Rewrite(category, (Patch(path, start, stop, name),))


def _number(language: Language) -> bytes:
    """Return the plainest number of a language."""
    kinds = (kind for kind in (*language.numbers, "literal") if kind in language.replacements)
    return next((language.replacements[kind][0] for kind in sorted(kinds)), b"0")
