"""The passes that know what a text is made of."""

import re
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import NamedTuple, Protocol, TypeAlias

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.texts.parts import PartsCase
from wynot.core.texts.rewrites import Rewrite, RewritesCase
from wynot.core.texts.tree import Nodes
from wynot.passes.large.entry_points import Front, front
from wynot.passes.large.unused_code import UselessUnits
from wynot.passes.reduction_pass import Cut, CutCase, MappedCase, ProtectedPatterns
from wynot.passes.trees.drop_links import spread
from wynot.passes.trees.forest import Forest
from wynot.passes.trees.gate import ParseGate, SplicedCase
from wynot.passes.trees.parsed_files import Trees
from wynot.passes.trees.prune import Prune
from wynot.passes.trees.rewrite_structure import RewriteStructure
from wynot.passes.trees.token_parts import TokenCharacters, TokenWindows
from wynot.passes.trees.tokens import TokensCase
from wynot.search.largest import NO_LESSONS, LargestFirst, Lessons, Structure

_NAME = re.compile(rb"[^\W\d][\w$]*")

Rewrites: TypeAlias = Callable[[Forest], Iterable[Rewrite]]
"""Looks at a forest for what could be said shorter."""


class ProposedCase(CutCase, SplicedCase, Protocol):
    """A case whose candidates the gate can be asked about."""


class Proposal(NamedTuple):
    """A case, and how to search it."""

    case: ProposedCase
    structure: Structure
    """What is tried, largest first."""
    nodes: Nodes | None = None


@dataclass(frozen=True, slots=True)
class TreePass(ABC):
    """A pass that looks at trees, and says what to try."""

    trees: Trees
    patience: float = inf
    """After how many failures in a row it ends."""
    name: str = ""
    proves: str = ""
    folds: bool = True
    """Whether of the links of a chain that are all alike there are only the first and last."""

    @abstractmethod
    def propose(self, files: Files, forest: Forest) -> Proposal | CutCase:
        """Cut the files, as their trees say; each part of a mere case is tried alone."""

    def cut(self, files: Files, _keep: ProtectedPatterns, lessons: Lessons = NO_LESSONS) -> Cut:
        """Cut the files; what parses worse waits until it is known whether that matters."""
        what = type(self), self.folds, self._options
        cut = self.trees.made_of(files, what, self._cut, folds=self.folds)
        if cut.search is None:
            return cut
        return cut._replace(search=replace(cut.search, lessons=lessons, patience=self.patience))

    @property
    def _options(self) -> Hashable:
        """All that the proposal depends on but for the files."""
        return ()

    def _cut(self, files: Files, forest: Forest) -> Cut:
        proposed = self.propose(files, forest)
        if not isinstance(proposed, Proposal):  # each part is a group of its own: larger were tried
            groups = tuple(Deltas((each, each + 1)) for each in proposed.deltas)
            return Cut(proposed, groups, proves_all=not forest.stretches)
        case, structure, nodes = proposed
        gate = ParseGate(case, self.trees.checked)
        return Cut(case, search=LargestFirst(structure, gate), nodes=nodes)


@dataclass(frozen=True, slots=True)
class PruneTrees(TreePass):
    """Leave out nodes of the trees, largest first."""

    name: str = "nodes"
    in_front: bool = False
    """Whether only the front of a large source is looked at."""

    @property
    def _options(self) -> Hashable:
        return self.in_front

    def propose(self, files: Files, forest: Forest) -> Proposal:
        """Take each token as a part, and the trees as what they hang together by."""
        prune = Prune(forest, front(forest) if self.in_front else None)
        return Proposal(TokensCase(files, forest.tokens), prune, forest.as_nodes)


@dataclass(frozen=True, slots=True)
class DropUseless(TreePass):
    """Leave out what nothing needs, of large sources."""

    name: str = "declarations"

    def propose(self, files: Files, forest: Forest) -> Proposal:
        """Take each token as a part."""
        return Proposal(TokensCase(files, forest.tokens), UselessUnits(forest))


@dataclass(frozen=True, slots=True)
class RewriteNodes(TreePass):
    """Say shorter what can be: each proposal is a part, and leaving it out follows it."""

    rewrites: Sequence[Rewrites] = ()
    names: bool = True
    """Whether names may become others."""
    in_front: bool = False
    """Whether only the front of a large source is looked at."""

    @property
    def _options(self) -> Hashable:
        return (*self.rewrites, self.names, self.in_front)

    def propose(self, files: Files, forest: Forest) -> Proposal:
        """Take each rewrite as a part."""
        proposed = (each for rewrites in self.rewrites for each in rewrites(forest))
        found = [spread(each, forest.stretches) for each in proposed]
        if not self.names:
            names = set(map(forest.span_of_token, forest.names_given))
            found = [each for each in found if not renames_some(each, names)]
        factors: list[float] = []
        if self.in_front:
            inside = list(rewrites_in_front(forest, front(forest), found))
            found, factors = [each for each, _ in inside], [factor for _, factor in inside]
        return Proposal(RewritesCase(files, found), RewriteStructure(files, found, factors))


def rewrites_in_front(
    forest: Forest, where: Front, rewrites: Iterable[Rewrite]
) -> Iterator[tuple[Rewrite, float]]:
    """Yield the rewrites that begin in the front, with how many times its bytes that is worth."""
    spans = [forest.span(node) for node in where.nodes]
    for each in rewrites:
        path, start, _, _ = each.patches[0]
        at = bisect_right(spans, (path, start, inf)) - 1
        if at >= 0 and spans[at].path == path and start < spans[at].stop:
            yield each, where.factor(forest, where.nodes[at])


def renames_some(rewrite: Rewrite, names: set[tuple[str, int, int]]) -> bool:
    """Tell whether a name becomes another one."""
    return any(patch[:3] in names and _NAME.fullmatch(patch.instead) for patch in rewrite.patches)


@dataclass(frozen=True, slots=True)
class DropWindows(TreePass):
    """Leave out a few neighbouring tokens at once."""

    name: str = "windows"

    def propose(self, files: Files, forest: Forest) -> Proposal:
        """Take each token as a part."""
        return Proposal(TokensCase(files, forest.tokens), TokenWindows(forest))


@dataclass(frozen=True, slots=True)
class DropLetters(TreePass):
    """Leave out characters inside of tokens."""

    name: str = "letters"
    names: bool = True
    """Whether names may become shorter."""

    @property
    def _options(self) -> Hashable:
        return self.names

    def propose(self, files: Files, forest: Forest) -> Proposal:
        """Take each character of a token as a part."""
        letters = TokenCharacters(forest, names=self.names)
        return Proposal(PartsCase(files, letters.parts()), letters)


@dataclass(frozen=True, slots=True)
class SweepTokens(TreePass):
    """Try every single token: what is left is minimal."""

    name: str = "tokens"
    proves: str = "tokens"

    def propose(self, files: Files, forest: Forest) -> CutCase:
        """Take each token as a part."""
        return TokensCase(files, forest.tokens)


@dataclass(frozen=True, slots=True)
class SweepNodes(TreePass):
    """Try every single node: what is left is 1-tree-minimal."""

    name: str = "single nodes"
    proves: str = "nodes"

    def propose(self, files: Files, forest: Forest) -> CutCase:
        """Take each node as a part; with it goes what is inside."""
        return of_nodes(TokensCase(files, forest.tokens), forest)


def of_nodes(tokens: TokensCase, forest: Forest) -> MappedCase:
    """Return the case in which each node of a tree that has tokens is a delta.

    Of nodes with the same tokens there is one. What is inside of a node that is left out is gone,
    whether or not it is left out itself.
    """
    runs = sorted({run for run in zip(forest.firsts, forest.ends, strict=True) if run[0] < run[1]})
    everything = Deltas.first(len(runs))

    def as_tokens(candidate: Candidate) -> Candidate:
        gone = Deltas.covering(runs[number] for number in everything.toggle(candidate.kept))
        return Candidate.whole(tokens.deltas.toggle(gone))

    return MappedCase(
        tokens,
        tokens.files,
        ("nodes", hash(tuple(runs))),
        candidates=as_tokens,
        weights=[stop - start for start, stop in runs],
    )
