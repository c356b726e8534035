"""The last bytes: when little is left, some of the tests that were saved are spent on it.

All proposals are tried one by one, without the gate; next is the one that promises most, by what
it saves and how often its sort has worked so far (``search.largest``). One that works ends it,
since all others are of another text then.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.rewrites import Rewrite, RewritesCase, rewritten
from wynot.passes.forest import Forest
from wynot.passes.leftovers.stand_ins import INSIDE, descendants, plain_texts
from wynot.passes.leftovers.substrings import substrings
from wynot.passes.leftovers.token_sets import alike, pairs, window_pairs, windows
from wynot.passes.reduction_pass import Cut, Keep
from wynot.passes.rewrite_structure import RewriteStructure
from wynot.passes.tree_passes import Rewrites, renames_some
from wynot.passes.trees import Trees
from wynot.search.largest import LargestFirst, Segment
from wynot.search.lessons import NO_LESSONS, Lessons

WHOLE_TOKENS = (windows, alike, descendants, plain_texts, pairs, window_pairs)
LEFTOVERS = (*WHOLE_TOKENS, substrings)
"""What is tried, if white space is to stay as it is, and if it is not."""
LAST_ODDS = 0.05
FEW_ODDS = {
    INSIDE: 0.3,
    "window of up to 16": 0.005,
    "window of up to 32": 0.003,
    "window of more": 0.001,
    "all around, up to 8": 0.01,
    "all around, up to 16": 0.005,
    "all around, up to 32": 0.002,
    "all around, more": 0.001,
    "alike, 2": 0.01,
    "another token for a node": 0.02,
    "plain for a node": 0.02,
    "run of some": 0.03,
    "2 tokens apart": 0.02,
    "3 tokens apart": 0.005,
    "two windows": 0.01,
}
"""Sorts of which it is believed to be otherwise. Much at once was tried before, in nodes: of that
little can go, so that small changes are not to wait for it."""
MOST_PROPOSALS = 20_000


@dataclass(slots=True)
class OneRewrite(RewriteStructure):
    """Rewrites that are tried one by one, until one works."""

    def begin(self) -> Sequence[Segment]:
        """Start with each alone."""
        return [
            Segment(rewrite.gain, rewrite.category, (number,), odds=odds_of(rewrite))
            for number, rewrite in enumerate(self.rewrites)
        ]

    def ways(self, segment: Segment, kept: Deltas) -> Iterable[Deltas]:
        """Return the rewrite; nothing if one was done."""
        (number,) = segment.items
        return [Deltas((number, number + 1))] if len(kept) == len(self.rewrites) else []

    def finer(self, _segment: Segment, _kept: Deltas) -> Iterator[Segment]:
        """There is nothing finer."""
        return iter(())


def odds_of(rewrite: Rewrite) -> float:
    """Return how often such a rewrite works, as far as one can say before any was tried."""
    return FEW_ODDS.get(rewrite.category, LAST_ODDS)


@dataclass(frozen=True, slots=True)
class LastBytes:
    """Try what is not worth a test as long as much is left."""

    trees: Trees
    tried: tuple[Rewrites, ...]
    until: float
    """How many tests there may have been in all when it ends."""
    names: bool = True
    """Whether names may become others."""
    name: str = "last bytes"
    proves: str = ""

    def cut(self, files: Files, _keep: Keep, lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each proposal as a part."""
        found = self.trees.made_of(files, (LastBytes, self.tried, self.names), self._proposed)
        case, structure = RewritesCase(files, found), OneRewrite(files, found)
        search = LargestFirst(structure, lessons=lessons, until=self.until)
        return Cut(case, search=search)

    def _proposed(self, files: Files, forest: Forest) -> Sequence[Rewrite]:
        """Return what makes the files shorter, each in another way."""
        found: dict[tuple[str, bytes], Rewrite] = {}
        names = set() if self.names else set(map(forest.span_of_token, forest.names_given))
        for rewrite in chain.from_iterable(each(forest) for each in self.tried):
            if rewrite.gain > 0 and not renames_some(rewrite, names):
                path = rewrite.patches[0].path
                left = rewritten(files.contents[path], [*rewrite.patches])
                found.setdefault((path, left), rewrite)
            if len(found) == MOST_PROPOSALS:
                break
        return list(found.values())
