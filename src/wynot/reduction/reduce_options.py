"""Every option of a reduction, with its default: from the command line, a file, or keywords."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import get_args

from wynot.core.errors import InvalidOption
from wynot.core.files import Files
from wynot.core.pattern import compiled
from wynot.formats.language import Language
from wynot.formats.language_table import BY_NAME
from wynot.oracle.failure_options import FailureOptions
from wynot.passes.catalog import Wishes
from wynot.passes.line_ends import last_line_ends
from wynot.plugins import plugins
from wynot.settings import Atoms, Layout, Settings, TreeSearch, choice, number


@dataclass(frozen=True, slots=True, kw_only=True)
class ReduceOptions(FailureOptions):
    """What to reduce, what to run, what counts as the failure, and how far to go."""

    files: Sequence[str]
    also_interesting: Sequence[int] = ()
    # What may be left out.
    atoms: Atoms = "auto"
    language: str = ""
    """The language of the files; empty: each is found out."""
    tree: TreeSearch | None = None
    rename: bool = True
    fast: bool = False
    layout: Layout = "tidy"
    readable: bool = False
    """Whether texts end with a line end in any case; ``rename`` and ``layout`` say the rest."""
    keep: Sequence[str] = ()
    fixed: Sequence[str] = ()
    # How far to go, and with what.
    target_size: int | None = None
    patience: int | None = None
    by_weight: bool = True
    searching: Settings = field(default_factory=Settings)
    # Where things are.
    out: str = ""
    resume: bool = False
    fresh: bool = False

    def check(self) -> None:
        """Raise if a value makes no sense, alone or with another."""
        self.check_failure()
        choice("atoms", self.atoms, get_args(Atoms))
        choice("layout", self.layout, get_args(Layout))
        if self.language:
            self.named_language(plugins().languages)
        for name in ("target_size", "patience"):
            value = getattr(self, name)
            if value is not None:
                number(name, value, least=0)
        if self.resume and self.fresh:
            raise InvalidOption("both --resume and --fresh are given", hint="choose one of the two")
        self.patterns()

    @property
    def wishes(self) -> Wishes:
        """What the passes are to know of this."""
        return Wishes(
            atoms=self.atoms,
            tree=self.tree,
            lists=self.tree is None and self.searching.search != "auto",
            rename=self.rename,
            fast=self.fast,
            layout=self.layout,
            rewrites=plugins().rewrites,
            passes=plugins().passes,
        )

    def line_ends(self, original: Files) -> dict[str, bytes]:
        """Return what the texts of a result are to end with; none if white space is their own."""
        if self.atoms == "bytes" or self.tree is not None or self.layout in {"short", "keep"}:
            return {}
        return last_line_ends(original, always=self.readable)

    def named_language(self, more: Sequence[Language]) -> Language | None:
        """Return the language that was named, if one was; of plug-ins and of our own."""
        if not self.language:
            return None
        known = {**BY_NAME, **{language.name: language for language in more}}
        choice("language", self.language, list(known))
        return known[self.language]

    def patterns(self) -> list[re.Pattern[bytes]]:
        """Return what is never to be touched."""
        return [compiled("keep", text) for text in self.keep]
