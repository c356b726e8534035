"""The rewrites by kind, and what the user wants of the passes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from wynot.passes.reduction_pass import Pass
from wynot.passes.rewrites.bodies import all_bodies, declarations, return_void
from wynot.passes.rewrites.branches import branches
from wynot.passes.rewrites.columns import columns, parameters, table_columns, type_parameters
from wynot.passes.rewrites.inlining import inline_calls, inlined
from wynot.passes.rewrites.joins import joined
from wynot.passes.rewrites.layout import joined_lines, pretty, short, tidy
from wynot.passes.rewrites.literals import literals
from wynot.passes.rewrites.members import imports, members
from wynot.passes.rewrites.methods import methods
from wynot.passes.rewrites.names import adopted, bare, constant, merged
from wynot.passes.rewrites.scopes import scopes
from wynot.passes.rewrites.shorten import alike, by_class, by_example, by_name, by_number, by_table
from wynot.passes.rewrites.types import defined_types, library_types, like_another, words
from wynot.passes.trees.parsed_files import Trees
from wynot.passes.trees.tree_passes import (
    RewriteNodes,
    Rewrites,
)
from wynot.settings import Atoms, Layout, TreeSearch

TEXTS = (by_table, by_class, all_bodies, by_example, by_number, by_name, literals)
"""Rewrites that put a shorter text in the place of a node."""
QUICK_MEANINGS = (
    *(columns, table_columns, parameters, inlined, adopted, branches, words, like_another),
    *(bare, merged, constant, members, joined, imports, scopes, methods, inline_calls),
    library_types,
)
"""Rewrites that look at what names stand for, and are often of use."""
MEANINGS = (*QUICK_MEANINGS, return_void, type_parameters, defined_types, declarations)
"""The same, and some that few cases need: they come when all else has been tried."""
LAYOUTS: Mapping[Layout, Sequence[Rewrites]] = {
    "tidy": (tidy, joined_lines),
    "pretty": (pretty,),
    "short": (tidy, short, joined_lines),
}
LINKS_PATIENCE = 6
"""Failures in a row after which links of a chain stay as they are."""
Extra: TypeAlias = Callable[[Trees], Pass]
"""Makes a pass of a plug-in."""


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """What the user wants of the passes."""

    atoms: Atoms = "auto"
    tree: TreeSearch | None = None
    """The search of the papers to use on the trees, and nothing else after it."""
    lists: bool = False
    """Whether a list search was asked for, which knows no trees."""
    rename: bool = True
    fast: bool = False
    """Whether to do without the proof that nothing more can go."""
    layout: Layout = "tidy"
    rewrite: bool = True
    """Whether anything may be said in another way, and not only left out token by token."""
    rewrites: tuple[Rewrites, ...] = ()
    """Those of plug-ins."""
    passes: tuple[Extra, ...] = ()

    @property
    def is_structural(self) -> bool:
        """Whether everything is used that is known of the languages."""
        return self.atoms == "auto" and not self.lists and self.tree is None

    @property
    def merges(self) -> bool:
        """Whether files may be written where they are named."""
        return self.rewrite and self.is_structural


ALIKE_LINKS = partial(
    RewriteNodes, patience=LINKS_PATIENCE, name="links", rewrites=(alike,), folds=False
)
