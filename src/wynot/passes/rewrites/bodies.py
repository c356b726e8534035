"""Bodies: a function that is only declared, or left to the compiler, has none.

(C-Reduce's ``replace-function-def-with-decl``.) What can stand for a body is in the table of the
language: nothing but the mark that ends a declaration, mostly; in C++ also ``= default`` for what
the compiler can write itself, and ``= delete``.
"""

from collections.abc import Iterator
from itertools import islice

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes.large.source_units import function_bodies
from wynot.passes.large.unused_code import MIN_LARGE_TOKENS
from wynot.passes.rewrites.functions import Function, functions
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, Forest

MOST_FUNCTIONS = 200
"""How many functions of a source that is not large are looked at."""
EMPTIED = "body emptied"
MIN_EMPTIED_BYTES = 24
"""Bytes from which on a body is worth it."""


def declarations(forest: Forest) -> Iterator[Rewrite]:
    """Return each function without a body, of a source that is not large."""
    if len(forest.leaves) < MIN_LARGE_TOKENS:
        for function in islice(functions(forest), MOST_FUNCTIONS):
            yield from _bodiless(forest, function)


def all_bodies(forest: Forest) -> Iterator[Rewrite]:
    """Return each function of a large source without a body: that frees most of what it needs."""
    if len(forest.leaves) >= MIN_LARGE_TOKENS:
        for function in functions(forest):
            yield from _bodiless(forest, function)


def _bodiless(forest: Forest, function: Function) -> Iterator[Rewrite]:
    body, node = function.body, function.node
    if body == ROOT_NODE or forest.last(body) != forest.last(node):
        return
    is_plain = forest.child(node, "type") == ROOT_NODE  # as constructors and destructors are
    path, start, stop = forest.span(body)
    for child in forest.named(node):
        if kinds.is_initializers(forest.kind(child)):
            start = forest.span(child).start
    for text in forest.language(node).bodiless:
        if len(text) < stop - start and (is_plain or b"default" not in text):
            words = text.decode().strip("=; ") or "declared"
            yield Rewrite(f"function only {words}", (Patch(path, start, stop, text),))


def emptied(forest: Forest) -> Iterator[Rewrite]:
    """Return each function with the shortest body that its language has for any."""
    for body in function_bodies(forest):
        language = forest.language(body)
        texts = language.replacements.get(forest.kind(body), ())
        text = language.any_body or next(iter(texts), b"")
        if texts and forest.weight(body) >= len(text) + MIN_EMPTIED_BYTES:
            yield Rewrite(EMPTIED, (Patch(*forest.span(body), text),))
