"""The passes that know what a text is made of."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeAlias

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.nodes import Nodes
from wynot.core.parts import PartsCase
from wynot.core.rewrites import Rewrite, RewritesCase
from wynot.core.tokens import TokensCase
from wynot.passes.forest import Forest
from wynot.passes.gate import ParseGate
from wynot.passes.mapped import MappedCase
from wynot.passes.prune import Prune
from wynot.passes.reduction_pass import Cut, CutCase, Keep
from wynot.passes.rewrite_structure import RewriteStructure
from wynot.passes.rewrites.inlining import PUMP
from wynot.passes.token_characters import TokenCharacters
from wynot.passes.token_windows import TokenWindows
from wynot.passes.trees import Trees
from wynot.search.largest import NO_LESSONS, LargestFirst, Lessons, Structure

_NAME = re.compile(rb"[^\W\d][\w$]*")

Rewrites: TypeAlias = Callable[[Forest], Iterable[Rewrite]]
"""Looks at a forest for what could be said shorter."""


@dataclass(frozen=True, slots=True)
class PruneTrees:
    """Leave out nodes of the trees, largest first."""

    trees: Trees
    patience: float = inf
    name: str = "nodes"
    proves: str = ""

    def cut(self, files: Files, _keep: Keep, lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each token as a part, and the trees as what they hang together by."""
        forest = self.trees.forest(files)
        case = TokensCase(files, forest.tokens)
        nodes = Nodes(forest.firsts, forest.ends, forest.subtree_ends)
        search = _search(self.trees, case, Prune(forest), lessons, self.patience)
        return Cut(case, search=search, nodes=nodes)


@dataclass(frozen=True, slots=True)
class RewriteNodes:
    """Say shorter what can be: each proposal is a part, and leaving it out follows it."""

    name: str
    trees: Trees
    rewrites: Sequence[Rewrites]
    patience: float = inf
    names: bool = True
    """Whether names may become others."""
    proves: str = ""

    def cut(self, files: Files, _keep: Keep, lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each rewrite as a part."""
        forest = self.trees.forest(files)
        proposed = (each for rewrites in self.rewrites for each in rewrites(forest))
        found = [each for each in proposed if not each.category.startswith(PUMP)]
        if not self.names:
            names = set(map(forest.span_of_token, forest.names_given))
            found = [
                each
                for each in found
                if not any(
                    (patch.path, patch.start, patch.stop) in names
                    and _NAME.fullmatch(patch.instead)
                    for patch in each.patches
                )
            ]
        case = RewritesCase(files, found)
        return Cut(
            case,
            search=_search(
                self.trees, case, RewriteStructure(files, found), lessons, self.patience
            ),
        )


@dataclass(frozen=True, slots=True)
class DropWindows:
    """Leave out a few neighbouring tokens at once."""

    trees: Trees
    patience: float = inf
    name: str = "windows"
    proves: str = ""

    def cut(self, files: Files, _keep: Keep, lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each token as a part."""
        forest = self.trees.forest(files)
        case = TokensCase(files, forest.tokens)
        return Cut(
            case, search=_search(self.trees, case, TokenWindows(forest), lessons, self.patience)
        )


@dataclass(frozen=True, slots=True)
class DropLetters:
    """Leave out characters inside of tokens."""

    trees: Trees
    patience: float = inf
    names: bool = True
    """Whether names may become shorter."""
    name: str = "letters"
    proves: str = ""

    def cut(self, files: Files, _keep: Keep, lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each character of a token as a part."""
        letters = TokenCharacters(self.trees.forest(files), names=self.names)
        case = PartsCase(files, letters.parts())
        return Cut(case, search=_search(self.trees, case, letters, lessons, self.patience))


@dataclass(frozen=True, slots=True)
class SweepTokens:
    """Try every single token without asking the gate: what is left is minimal."""

    trees: Trees
    name: str = "tokens"
    proves: str = "tokens"

    def cut(self, files: Files, _keep: Keep, _lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each token as a part."""
        forest = self.trees.forest(files)
        return Cut(TokensCase(files, forest.tokens), one_by_one(len(forest.leaves)))


@dataclass(frozen=True, slots=True)
class SweepNodes:
    """Try every single node without asking the gate: what is left is 1-tree-minimal."""

    trees: Trees
    name: str = "single nodes"
    proves: str = "nodes"

    def cut(self, files: Files, _keep: Keep, _lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each node as a part; with it goes what is inside."""
        forest = self.trees.forest(files)
        case = of_nodes(TokensCase(files, forest.tokens), forest)
        return Cut(case, one_by_one(len(case.deltas)))


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


def one_by_one(count: int) -> tuple[Deltas, ...]:
    """Return each part as a group of its own: larger ones were tried."""
    return tuple(Deltas((number, number + 1)) for number in range(count))


def _search(
    trees: Trees, case: CutCase, structure: Structure, lessons: Lessons, patience: float
) -> LargestFirst:
    gate = ParseGate(case.render, trees.syntax_errors)
    return LargestFirst(structure, gate, lessons, patience)
