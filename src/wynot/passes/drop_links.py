"""Leave out links of chains: levels of a deep nest, of which what is inside stays."""

from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.tokens import TokensCase
from wynot.passes.forest_chains import are_alike, chains_of, tokens_of_links
from wynot.passes.mapped import MappedCase
from wynot.passes.reduction_pass import Cut, Keep
from wynot.passes.trees import Trees
from wynot.search.lessons import NO_LESSONS, Lessons
from wynot.search.links import ChainRun, shortened


@dataclass(frozen=True, slots=True)
class DropLinks:
    """Take each level of a chain as a part, and what is in the innermost one as another."""

    trees: Trees
    name: str = "chains"
    proves: str = ""

    def cut(self, files: Files, _keep: Keep, _lessons: Lessons = NO_LESSONS) -> Cut:
        """Cut the chains; there are no parts if there are none."""
        forest = self.trees.forest(files, folds=False)
        chains = chains_of(forest)
        tokens = TokensCase(files, forest.tokens)
        firsts = [0, *accumulate(map(len, chains))]
        runs = tuple(
            ChainRun(start, stop, are_alike(forest, chain))
            for chain, (start, stop) in zip(chains, pairwise(firsts), strict=True)
        )
        everything = Deltas.first(firsts[-1])

        def as_tokens(candidate: Candidate) -> Candidate:
            left_out = everything.toggle(candidate.kept)
            gone = Deltas.covering(
                span
                for chain, (start, stop, _) in zip(chains, runs, strict=True)
                for low, high in left_out.part(left_out.rank(start), left_out.rank(stop)).runs
                for span in tokens_of_links(forest, chain, low - start, high - start)
            )
            return Candidate.whole(tokens.deltas.toggle(gone))

        key = ("links", hash(tuple(map(tuple, chains))))
        weights = [1] * firsts[-1]
        case = MappedCase(tokens, files, key, candidates=as_tokens, weights=weights)
        return Cut(case, minimizer=partial(shortened, runs))
