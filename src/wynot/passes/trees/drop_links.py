"""Leave out links of chains: levels of a deep nest."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise
from typing import NamedTuple, cast

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.texts.chains import AlikeLinks, NodeColumns, chains_in
from wynot.core.texts.rewrites import Patch, Rewrite
from wynot.passes.reduction_pass import Cut, MappedCase, ProtectedPatterns
from wynot.passes.trees.forest import ROOT_NODE, Forest, NodeId
from wynot.passes.trees.parsed_files import Trees
from wynot.passes.trees.tokens import TokensCase
from wynot.search.largest import NO_LESSONS, Lessons
from wynot.search.links import ChainRun, shortened

WORTHWHILE_PART = 0.125
"""What fraction of all texts the links of a chain must be: of others it is soon found out whether
they can go as a whole."""


def chains_of(forest: Forest) -> list[list[NodeId]]:
    """Return the chains of a forest that are a good part of it."""
    columns = (forest.kinds, forest.parents, forest.firsts, forest.ends)
    found = chains_in(NodeColumns(*cast("tuple[Sequence[int], ...]", columns)))
    least = forest.weight(ROOT_NODE) * WORTHWHILE_PART
    return [
        chain
        for chain in cast("list[list[NodeId]]", found)
        if forest.weight(chain[0]) - forest.weight(chain[-1]) >= least
    ]


class Link(NamedTuple):
    """A level of a chain: where it is, before the next level and behind it, and its text there."""

    path: str
    before: tuple[int, int]
    behind: tuple[int, int]
    left: bytes
    right: bytes

    @property
    def bare(self) -> tuple[bytes, bytes]:
        """Its text without white space."""
        return b"".join(self.left.split()), b"".join(self.right.split())


def links_of(forest: Forest, chain: Sequence[NodeId]) -> Iterator[Link]:
    """Yield the links of a chain, from the outermost on."""
    for outer, inner in pairwise(chain):
        path, start, stop = forest.span(outer)
        _, begin, end = forest.span(inner)
        content = forest.contents[path]
        yield Link(path, (start, begin), (end, stop), content[start:begin], content[end:stop])


def are_alike(forest: Forest, chain: Sequence[NodeId]) -> bool:
    """Tell whether all links of a chain say the same."""
    return len({link.bare for link in links_of(forest, chain)}) == 1


def tokens_of_links(
    forest: Forest, chain: Sequence[NodeId], low: int, high: int
) -> Iterator[tuple[int, int]]:
    """Return the tokens that go with some links in a row; with the last one, all that is inside."""
    firsts, ends = forest.firsts, forest.ends
    outer = chain[low]
    if high < len(chain):
        inner = chain[high]
        yield firsts[outer], firsts[inner]
        yield ends[inner], ends[outer]
    elif low == 0:
        yield firsts[outer], ends[outer]
    else:
        yield _member(forest, chain[low - 1], outer)


def _member(forest: Forest, node: NodeId, inside: NodeId) -> tuple[int, int]:
    """Return the tokens of the child of a node that something is in, with one separator."""
    before = after = child = None
    for each in forest.named(node):
        if forest.ends[each] <= forest.firsts[inside]:
            before = each
        elif forest.firsts[each] <= forest.firsts[inside]:
            child = each
        else:
            after = each
            break
    child = inside if child is None else child
    if before is not None:
        return forest.ends[before], forest.ends[child]
    return forest.firsts[child], forest.ends[child] if after is None else forest.firsts[after]


def spread(rewrite: Rewrite, stretches: Mapping[str, Sequence[AlikeLinks]]) -> Rewrite:
    """Return a rewrite with the same patches for all links that are like the one it is in."""
    if not stretches:
        return rewrite
    more = tuple(
        patch
        for first in rewrite.patches
        for stretch in stretches.get(first.path, ())
        for patch in _copies(first, stretch)
    )
    return rewrite._replace(patches=tuple(sorted((*rewrite.patches, *more)))) if more else rewrite


def _copies(patch: Patch, stretch: AlikeLinks) -> Iterator[Patch]:
    for side in stretch:
        if side.start <= patch.start and patch.stop <= side.stop and side.start < side.stop:
            for start in side.others:
                moved = start - side.start
                yield patch._replace(start=patch.start + moved, stop=patch.stop + moved)


@dataclass(frozen=True, slots=True)
class DropLinks:
    """Take each level of a chain as a part, and what is in the innermost one as another."""

    trees: Trees
    name: str = "chains"
    proves: str = ""

    def cut(self, files: Files, _keep: ProtectedPatterns, _lessons: Lessons = NO_LESSONS) -> Cut:
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
