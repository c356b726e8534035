"""Leave out all of a large source but for what its failure is about and what that misses.

What is missing the program says itself, if it prints ``file:line: error`` and the like; then a few
dozen tests lead to what is needed, however large the rest is. If it prints nothing of the kind, one
test is lost. What is said is a hint: it says what to ask about next, and the test decides.
"""

from dataclasses import dataclass
from functools import partial

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files
from wynot.core.round import Heard, Round, Search
from wynot.core.tokens import TokensCase
from wynot.passes.complaint_places import located
from wynot.passes.forest import Forest
from wynot.passes.needed import MIN_LARGE_TOKENS
from wynot.passes.reduction_pass import Cut, Keep
from wynot.passes.repaired import Repaired
from wynot.passes.repairs import Repairs
from wynot.passes.trees import Trees
from wynot.search.largest import one
from wynot.search.lessons import NO_LESSONS, Lessons

MAX_REPAIRS = 64
"""How many times something is done about what is complained of."""
MAX_REPAIRED_SHARE = 0.7
"""Which part of the source may be back: when it is more, little is gained."""


@dataclass(frozen=True, slots=True)
class HeedComplaints:
    """The pass."""

    trees: Trees
    name: str = "complaints"
    proves: str = ""

    def cut(self, files: Files, _keep: Keep, _lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each token of a large source as a part."""
        forest = self.trees.forest(files)
        case = TokensCase(files, forest.tokens)
        if len(forest.leaves) < MIN_LARGE_TOKENS:
            return Cut(TokensCase(files, {}), proves_all=False)
        heeding = _Heeding(case, forest)
        return Cut(case, minimizer=heeding.begin, proves_all=False, hears=True)


@dataclass(frozen=True, slots=True)
class _Heeding:
    """The search."""

    case: TokensCase
    forest: Forest

    def begin(self, kept: Deltas) -> Search[Deltas]:
        """Ask what is said of the whole, which fails: that is where to start."""
        whole = Candidate(kept, Edit.drop(NONE), "as it is")
        heard = yield Round.first(one(whole), again=partial(self.begin, kept))
        if not isinstance(heard, Heard) or heard.pick is None:
            return kept
        places = list(located(heard.complaints, self.case.texts, kept))
        if not places:
            return kept
        repairs = Repairs(self.forest)
        return (yield from self.go_on(kept, repairs, repairs.begun(places), 1))

    def go_on(self, kept: Deltas, repairs: Repairs, state: Repaired, number: int) -> Search[Deltas]:
        """Ask about a part, and do something about what is said of it, again and again."""
        state = state.fork()
        while number <= MAX_REPAIRS:
            left = state.deltas
            if not left or len(left) > MAX_REPAIRED_SHARE * len(kept):
                return kept
            candidate = Candidate(kept, Edit.drop(kept.toggle(left)), "what is complained of")
            again = partial(self.go_on, kept, repairs, state.fork(), number)
            heard = yield Round.first(one(candidate), iteration=number, again=again)
            if not isinstance(heard, Heard):
                return kept
            if heard.pick is not None:
                return left
            said = list(located(heard.complaints, self.case.texts, left))
            if not repairs.go_on(state, said):
                return kept
            number += 1
        return kept
