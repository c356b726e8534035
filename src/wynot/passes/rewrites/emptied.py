"""Bodies of all functions of a large source, emptied: most are never called, or need do nothing.

In groups, as all rewrites: all bodies at once, then halves by weight. So what is called costs a few
tests each, and what is not costs next to none, however much it is. What an empty body does not
mention any more can go after that.
"""

from collections.abc import Iterator

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes.forest import Forest
from wynot.passes.function_scopes import function_bodies

EMPTIED = "body emptied"
MIN_EMPTIED_BYTES = 24
"""Bytes from which on a body is worth it."""


def emptied(forest: Forest) -> Iterator[Rewrite]:
    """Return each function with the shortest body that its language has for any."""
    for body in function_bodies(forest):
        language = forest.language(body)
        texts = language.replacements.get(forest.kind(body), ())
        text = language.any_body or next(iter(texts), b"")
        if texts and forest.weight(body) >= len(text) + MIN_EMPTIED_BYTES:
            yield Rewrite(EMPTIED, (Patch(*forest.span(body), text),))
