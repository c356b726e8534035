"""Forests to test rewrites with, made of short texts; and what a text becomes by rewrites."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from wynot.core.texts.rewrites import Patch, Rewrite, rewritten
from wynot.formats.detect import language_of, syntax_errors_of, tree_of
from wynot.formats.language import Language
from wynot.passes.trees.forest import Forest, Parsed

Rewrites: TypeAlias = Callable[[Forest], Iterator[Rewrite]]


def forest_of(texts: Mapping[str, str], more: Sequence[Language] = ()) -> Forest:
    """Return the forest of some texts, by path; with languages of plug-ins, if there are any."""
    return _forest(tuple(texts.items()), tuple(more))


@lru_cache(maxsize=256)  # samples come again with each rewrite; a forest is never changed
def _forest(texts: tuple[tuple[str, str], ...], more: tuple[Language, ...]) -> Forest:
    parsed = {}
    for path, text in texts:
        content = text.encode("utf-8", "surrogateescape")
        language = language_of(path, content, more)
        assert language is not None
        parsed[path] = Parsed(content, language, tree_of(language, content))
    return Forest.of(parsed)


def assert_keeps_laws(rewrites: Rewrites, forest: Forest) -> None:
    """See that each rewrite of a forest is in bounds, in order, and shorter."""
    for rewrite in rewrites(forest):
        by_path: dict[str, list[Patch]] = {}
        for patch in rewrite.patches:
            by_path.setdefault(patch.path, []).append(patch)
        assert by_path, rewrite
        gain, smaller = 0, []
        for path, patches in by_path.items():
            content = forest.contents[path]
            assert all(0 <= patch.start <= patch.stop <= len(content) for patch in patches)
            assert all(one.stop <= other.start for one, other in pairwise(patches)), rewrite
            new = rewritten(content, patches)
            gain += len(content) - len(new)
            smaller.append(new < content)
        assert gain == rewrite.gain, rewrite
        shorter = gain > 0 or (gain == 0 and any(smaller))
        assert shorter, rewrite


def outcomes(rewrites: Rewrites, path: str, text: str) -> dict[str, list[str]]:
    """Return what a text becomes by each rewrite, by sort; not what then parses worse."""
    forest = forest_of({path: text})
    language = forest.languages[0][1]
    content = forest.contents[path]
    found: dict[str, list[str]] = {}
    for rewrite in rewrites(forest):
        new = rewritten(content, list(rewrite.patches))
        if syntax_errors_of(language, new) <= syntax_errors_of(language, content):
            found.setdefault(rewrite.category, []).append(new.decode())
    return found
