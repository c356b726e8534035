"""All that the passes propose for a text, and whether another text is among it.

White space and comments are left aside: what is compared is the words.
"""

from collections.abc import Iterator
from functools import lru_cache

from forests import forest_of
from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.texts.rewrites import Patch, RewritesCase, rewritten
from wynot.passes.catalog import MEANINGS, TEXTS
from wynot.passes.rewrites.shorten import renames
from wynot.passes.trees.prune import Prune
from wynot.passes.trees.rewrite_structure import RewriteStructure
from wynot.passes.trees.tokens import TokensCase

MOST_SEGMENTS = 4000


def without_comments(path: str, text: bytes) -> bytes:
    """Return a text without its comments."""
    forest = forest_of({path: text.decode()})
    comments = [
        Patch(*forest.span_of_token(token))
        for token, leaf in forest.token_leaves
        if "comment" in forest.kind(leaf)
    ]
    return rewritten(text, comments)


def squeezed(text: bytes) -> bytes:
    """Return a text without white space."""
    return b"".join(text.split())


def proposals(path: str, text: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield each proposal of *nodes*, *texts*, *meanings* and *names*: one, or all of a sort."""
    forest = forest_of({path: text.decode()})
    files = Files({path: text})
    for rewrites in (*TEXTS, *MEANINGS, renames):
        found = list(rewrites(forest))
        case = RewritesCase(files, found)
        groups = [[number] for number in range(len(found))]
        sorts = RewriteStructure(files, found).begin()
        groups += [list(segment.items) for segment in sorts]
        for group in groups:
            done = case.render(Candidate.whole(case.deltas.toggle(Deltas.of(group))))
            many = ", all of them" * (len(group) > 1)
            yield f"{rewrites.__name__}: {found[group[0]].category}{many}", done.contents[path]
    tokens, prune = TokensCase(files, forest.tokens), Prune(forest)
    waiting, seen = list(prune.begin()), 0
    while waiting and seen < MOST_SEGMENTS:
        segment = waiting.pop()
        seen += 1
        for gone in prune.ways(segment, tokens.deltas):
            if gone:
                done = tokens.render(Candidate.whole(tokens.deltas.toggle(gone)))
                yield f"nodes: {segment.category}", done.contents[path]
        waiting += prune.finer(segment, tokens.deltas)


@lru_cache(maxsize=1000)
def reached(path: str, text: bytes) -> dict[bytes, tuple[str, bytes]]:
    """Return each proposal by its text without white space."""
    found: dict[bytes, tuple[str, bytes]] = {}
    for category, done in proposals(path, text):
        found.setdefault(squeezed(done), (category, done))
    return found


def steps_to(path: str, text: bytes, goal: bytes) -> list[str] | None:
    """Return the one or two proposals that lead from a text to another; None: there are none."""
    text = without_comments(path, text)
    first, wanted = reached(path, text), squeezed(without_comments(path, goal))
    if wanted in first:
        return [first[wanted][0]]
    for category, done in sorted(first.values(), key=lambda each: abs(len(each[1]) - len(goal))):
        second = reached(path, done)
        if wanted in second:
            return [category, second[wanted][0]]
    return None
