"""The options of ``wynot reduce``, and of ``wynot check``, which takes the same tests."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self, cast, get_args

from wynot.commands.shared_options import (
    ConfigOptions,
    FailureOptions,
    FixedOptions,
    PagedOptions,
    cores,
    explained_tests,
)
from wynot.core.errors import InvalidOption
from wynot.core.options.option import (
    Heading,
    OptionRecord,
    display_option,
    limit_option,
    one_time_option,
    option,
    output_option,
    safe_option,
    search_option,
)
from wynot.core.options.quantities import size, statuses
from wynot.settings import Atoms, BudgetOptions, Layout, SearchName, Settings, TreeSearch


@dataclass(frozen=True, kw_only=True)
class PartOptions(OptionRecord):
    """What may be left out."""

    heading: ClassVar = Heading.PARTS
    atoms: Atoms = safe_option("--atoms KIND", "the finest parts to leave out", "auto")
    language: str = safe_option(
        *("--language NAME", "what the files are written in", ""),
        usual="detected; see wynot languages",
    )
    rename: bool = safe_option("--no-rename", "leave names as they are", default=True)
    layout: Layout | None = safe_option(
        "--format NAME",
        "white space: lines without needless blanks, indented, minimal, or unchanged",
        usual="tidy",
    )
    readable: bool = safe_option(
        "--readable", "a readable result: --no-rename, --format pretty, and a final newline"
    )
    keep: Sequence[str] = safe_option("--keep REGEX ...", "never touch what matches")


@dataclass(frozen=True, kw_only=True)
class ReduceOptions(
    PagedOptions,
    FixedOptions,
    BudgetOptions,
    PartOptions,
    FailureOptions,
):
    """What to reduce, what to run, what counts as the failure, and how far to go."""

    files: Sequence[str] = option(
        "TEST FILE ...", "the test, then files or folders; - is standard input"
    )
    vendor: Sequence[str] = option(
        "--vendor PKG ...",
        "copy this installed package (Python, npm) into the folder, to be reduced with it",
        heading=Heading.PARTS,
    )
    also_interesting: Sequence[int] = safe_option(
        *("--also-interesting N,..", "set candidates aside whose test exits with N", ()),
        parse=statuses,
        heading=Heading.FAILURE,
    )
    check: bool = option(
        *("--no-check", "do not test the original and an empty file first", True),
        heading=Heading.FAILURE,
    )
    cold: bool = safe_option(
        *("--cold", "start the program anew for each test, also if it is Python"),
        heading=Heading.LIMITS,
    )
    target_size: int | None = limit_option(
        "--target-size SIZE", "stop when the case is this small", parse=size
    )
    fast: bool = safe_option(
        *("--fast", "skip the proof that no single part can go"),
        heading=Heading.LIMITS,
    )
    patience: int | None = limit_option(
        "--patience N", "stop after N tests in a row without progress"
    )
    search: SearchName | TreeSearch = search_option("--search NAME", "the algorithm", "auto")
    star: bool = search_option("--star", "repeat each search until nothing changes")
    explain: bool = display_option(
        "--explain", "at the end, find out what of the result may be anything, and what it needs"
    )
    explain_tests: int = explained_tests()
    out: str = output_option(
        "-o --out OUT", "put the result there", "", usual="in place; FILE.orig is kept"
    )
    resume: bool = one_time_option(
        "--resume", "continue an earlier run, or say why not", usual="if there is one"
    )
    fresh: bool = one_time_option("--fresh", "start over, even if there is an earlier run")

    @property
    def tree(self) -> TreeSearch | None:
        """The search over the levels of a tree, if it is one."""
        return cast(TreeSearch, self.search) if self.search in get_args(TreeSearch) else None

    @property
    def white_space(self) -> Layout:
        """What becomes of white space."""
        return self.layout or ("pretty" if self.readable else "tidy")

    @cached_property
    def searching(self) -> Settings:
        """What the searches are to know of this."""
        given = self.taken(Settings) | {"jobs": cores() if self.jobs is None else self.jobs}
        if self.tree is not None:
            given["search"] = "opdd"
        return Settings.read(given)

    def validate(self) -> Self:
        """Raise if a value makes no sense, alone or with another."""
        FailureOptions.validate(self)
        if self.resume and self.fresh:
            raise InvalidOption("both --resume and --fresh are given", hint="choose one of the two")
        self.searching  # noqa: B018 - it is checked, too
        return self


@dataclass(frozen=True, kw_only=True)
class CheckOptions(ConfigOptions, FixedOptions, FailureOptions):
    """Which test is tried, and how often."""

    files: Sequence[str] = option("TEST FILE ...", "as for wynot reduce")
    runs: int = safe_option("--runs N", "how often to run the test", 10, heading=Heading.LIMITS)
