"""Every option of a reduction, with its default: from the command line, a file, or keywords."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import get_args

from wynot.core.errors import InvalidOption
from wynot.core.pattern import compiled
from wynot.formats.language import Language
from wynot.formats.languages import BY_NAME
from wynot.passes.plan import Wishes
from wynot.plugins import plugins
from wynot.settings import Atoms, Layout, Same, Settings, TreeSearch, choice, number

LEAST_MEMORY = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What to reduce, what to run, what counts as the failure, and how far to go."""

    files: Sequence[str]
    # What is run; exactly one of the three.
    test: str = ""
    command: Sequence[str] = ()
    shell: str = ""
    # What counts as the failure.
    invert: bool = False
    same: Same = "auto"
    exit: int | None = None
    signal: str | None = None
    stdout: str | None = None
    stderr: str | None = None
    not_stdout: str | None = None
    not_stderr: str | None = None
    hangs: bool = False
    differs: str = ""
    also_interesting: Sequence[int] = ()
    # What may be left out.
    atoms: Atoms = "auto"
    language: str = ""
    """The language of the files; empty: each is found out."""
    tree: TreeSearch | None = None
    rename: bool = True
    fast: bool = False
    layout: Layout = "tidy"
    keep: Sequence[str] = ()
    fixed: Sequence[str] = ()
    # How far to go, and with what.
    timeout: float | None = None
    memory: int | None = None
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
        choice("atoms", self.atoms, get_args(Atoms))
        choice("same", self.same, get_args(Same))
        choice("layout", self.layout, get_args(Layout))
        if self.language:
            self.named_language(plugins().languages)
        for name in ("timeout", "memory", "target_size", "patience"):
            value = getattr(self, name)
            if value is not None:
                number(name, value, least=0)
        if self.memory is not None and self.memory < LEAST_MEMORY:
            raise InvalidOption(
                f"memory is {self.memory} bytes, which no program can start with",
                hint="write it like 512M or 2G",
            )
        if self.timeout == 0:
            raise InvalidOption("timeout is 0", hint="give seconds, or leave it to be learned")
        if self.resume and self.fresh:
            raise InvalidOption("both resume and fresh are given", hint="choose one of the two")
        if self.by_hand and not self.command and not self.shell:
            raise InvalidOption(
                f"{self.by_hand[0]} looks at how a command ends, but a test script is given",
                hint="a script says it by its exit status; or give a command: "
                "wynot reduce FILE -- CMD {}",
            )
        if self.differs and not self.command:
            raise InvalidOption(
                "differs compares two commands, and there is only one",
                hint="wynot reduce --differs 'CMD2 {}' FILE -- CMD {}",
            )
        if self.invert and not (self.test or self.shell):
            raise InvalidOption("invert is for scripts", hint="give what you look for: --exit 0")
        self.patterns()

    @property
    def by_hand(self) -> list[str]:
        """The options that say by hand what the failure looks like."""
        names = ("exit", "signal", "stdout", "stderr", "not_stdout", "not_stderr")
        given = [name for name in names if getattr(self, name) is not None]
        return [*given, "hangs"] if self.hangs else given

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
