"""Forests to test rewrites with, made of short texts; and what a text becomes by rewrites."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from wynot.core.rewrites import Rewrite, rewritten
from wynot.formats.detect import flaws_of, language_of, tree_of
from wynot.passes.forest import Forest, Parsed

Rewrites: TypeAlias = Callable[[Forest], Iterator[Rewrite]]


def forest_of(texts: Mapping[str, str]) -> Forest:
    """Return the forest of some texts, by path."""
    parsed = {}
    for path, text in texts.items():
        content = text.encode("utf-8", "surrogateescape")
        language = language_of(path, content)
        assert language is not None
        parsed[path] = Parsed(content, language, tree_of(language, content))
    return Forest.of(parsed)


def outcomes(rewrites: Rewrites, path: str, text: str) -> dict[str, list[str]]:
    """Return what a text becomes by each rewrite, by sort; not what then parses worse."""
    forest = forest_of({path: text})
    language = forest.languages[0][1]
    content = forest.contents[path]
    found: dict[str, list[str]] = {}
    for rewrite in rewrites(forest):
        new = rewritten(content, list(rewrite.patches))
        if flaws_of(language, new) <= flaws_of(language, content):
            found.setdefault(rewrite.sort, []).append(new.decode())
    return found
