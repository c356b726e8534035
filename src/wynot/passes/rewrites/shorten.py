"""Nodes that a shorter text of their kind can stand for."""

from collections.abc import Iterator

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes.forest import ROOT, Forest


def by_table(forest: Forest) -> Iterator[Rewrite]:
    """Put the short text that the language's table has for a kind of node."""
    for node in range(1, len(forest.kinds)):
        if not forest.is_named(node) or not forest.has_tokens(node):
            continue
        kind = forest.kind(node)
        for text in forest.language(node).short.get(kind, ()):
            path, start, stop = forest.span(node)
            if len(text) < stop - start:
                yield Rewrite(f"{kind} to {text.decode()}", (Patch(path, start, stop, text),))


def by_example(forest: Forest) -> Iterator[Rewrite]:
    """Put the shortest text that the file itself has for a kind of node."""
    shortest: dict[tuple[int, int], bytes] = {}
    for node in range(1, len(forest.kinds)):
        if forest.is_named(node) and forest.has_tokens(node):
            key = forest.kinds[node], forest.fields[node]
            best = shortest.get(key)
            if best is None or forest.weight(node) < len(best):
                text = forest.text(node)
                if best is None or len(text) < len(best):
                    shortest[key] = text
    for node in range(1, len(forest.kinds)):
        if not forest.is_named(node) or not forest.has_tokens(node) or forest.parents[node] == ROOT:
            continue
        text = shortest[forest.kinds[node], forest.fields[node]]
        path, start, stop = forest.span(node)
        if len(text) < stop - start:
            kind = forest.kind(node)
            yield Rewrite(f"{kind} like another", (Patch(path, start, stop, text),))
