"""Pumps: rewrites after which a text is longer, but more of it may go.

A function that is put in the place of its calls, say. The longer text is pruned at once, and taken
only if that gets below what there was before (as in shrinkray, where the word is from).
"""

from dataclasses import dataclass, replace

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE
from wynot.core.files import Files
from wynot.core.rewrites import Rewrite, RewritesCase
from wynot.core.tokens import TokensCase
from wynot.passes.catalog import MOVES
from wynot.passes.forest import Forest
from wynot.passes.reduction_pass import Cut, Keep
from wynot.passes.rewrites.inlining import inlined
from wynot.passes.tree_passes import PruneTrees
from wynot.passes.trees import Trees
from wynot.search.lessons import NO_LESSONS, Lessons

PUMP_PATIENCE = 12
"""Failures in a row after which a pump is given up."""
MAX_TOKENS = 2000
"""Tokens of a case that is small enough for this."""
MOST_INLINED = 8
MOST_MOVED = 16
MOST_PUMPS = MOST_INLINED + MOST_MOVED
"""How many rewrites that make a text longer are tried."""


@dataclass(frozen=True, slots=True)
class Pump:
    """Try one rewrite that makes it longer, and then what can be left out."""

    trees: Trees
    number: int
    name: str = "pumps"
    proves: str = ""

    def cut(self, files: Files, keep: Keep, lessons: Lessons = NO_LESSONS) -> Cut:
        """Take the tokens of the longer text as parts; there are none if there is no such text."""
        pumps = pumping(self.trees.forest(files))
        if self.number >= len(pumps):
            return Cut(TokensCase(files, {}))
        case = RewritesCase(files, [pumps[self.number]])
        longer = case.render(Candidate.whole(NONE))
        cut = PruneTrees(self.trees, PUMP_PATIENCE).cut(longer, keep, lessons)
        search = None if cut.search is None else replace(cut.search, whole_first=True)
        return cut._replace(search=search, nodes=None, must_gain=True)


def pumping(forest: Forest) -> list[Rewrite]:
    """Return the rewrites that make it longer: first what is inlined, then the shortest moves."""
    if len(forest.leaves) > MAX_TOKENS:
        return []
    inlining = [rewrite for rewrite in inlined(forest) if rewrite.is_pump]
    moves = [each for rewrites in MOVES for each in rewrites(forest) if each.is_pump]
    moves.sort(key=lambda pump: -pump.gain)
    return [*inlining[:MOST_INLINED], *moves[:MOST_MOVED]]
