"""The options of the commands that answer a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal, Self

from wynot.commands.shared_options import (
    FailureOptions,
    FixedOptions,
    PagedOptions,
    cores,
    guard_option,
)
from wynot.core.errors import InvalidOption
from wynot.core.options.option import (
    Heading,
    OptionRecord,
    limit_option,
    one_time_option,
    option,
    output_option,
    safe_option,
)
from wynot.settings import JOBS, BudgetOptions, Same

USUAL_CONFIDENCE, LEAST_CONFIDENCE = 0.97, 0.5
"""How probable an answer must be, if nothing else is said; less than the second makes no sense."""

failure_option = partial(safe_option, heading=Heading.FAILURE)
"""It is shown with what the failure is, whichever record has it first."""


@dataclass(frozen=True, kw_only=True)
class RateOptions(OptionRecord):
    """What is asked if the failure shows now and then on both sides."""

    worse: str = failure_option(
        *("--worse METRIC", "not a failure, but worse: time, output (its size), number[:REGEX]", "")
    )
    threshold: float | None = failure_option(
        *("--threshold X", "from where on it is worse"),
        usual="between both sides",
        parse=float,
    )
    flaky: bool = failure_option(
        "--flaky", "the failure shows now and then on both sides: find what makes it more frequent"
    )
    confidence: float = failure_option(
        *("--confidence P", "how probable an answer must be where chance plays a part"),
        default=USUAL_CONFIDENCE,
        parse=float,
        matters=False,
    )

    def validate(self) -> Self:
        """Raise if a value makes no sense, alone or with another."""
        if not LEAST_CONFIDENCE <= self.confidence < 1:
            raise InvalidOption(
                f"is {self.confidence}", option="confidence", hint="from 0.5 up to less than 1"
            )
        if self.threshold is not None and not self.worse:
            raise InvalidOption(
                "is given without --worse", option="threshold", hint="say what is measured"
            )
        return super().validate()


case_option = partial(option, matters=False)
"""An option that says what is compared: that counts when a run is gone on with, not its name."""
SHARED = "1: they share a folder"
own_option = partial(safe_option, matters=False, in_config="own")
"""An option by which other commands mean another thing, or of which another value is good here."""
own_output_option = partial(output_option, in_config="own")


@dataclass(frozen=True, kw_only=True)
class InquiryOptions(PagedOptions, BudgetOptions, FailureOptions):
    """What is run, what counts as the failure, and how far to go."""

    fresh: bool = one_time_option("--fresh", "ignore an earlier run that was not finished")
    log: str = one_time_option("--log FILE", "write down what was asked, and what was answered", "")
    replay: str = one_time_option(
        "--replay FILE", "take answers from such a log, and ask only for others", ""
    )
    flaky: bool = False
    confidence: float = USUAL_CONFIDENCE
    serve: str = ""
    worse: str = ""
    threshold: float | None = None

    @property
    def logs(self) -> list[str]:
        """The logs that are written and read: they are no part of what is asked about."""
        return [path for path in (self.log, self.replay) if path]

    @property
    def width(self) -> int:
        """How many tests run at a time."""
        if self.jobs is None:  # what runs beside it would be measured, too
            return 1 if self.worse == "time" else cores()
        return self.jobs


@dataclass(frozen=True, kw_only=True)
class IsolateOptions(FixedOptions, InquiryOptions):
    """What is asked of two inputs."""

    heading: ClassVar = Heading.DIFFERENCE
    inputs: Sequence[str] = case_option(
        "TEST PASSING FAILING ...", "the test, then two files or two folders"
    )
    atoms: Literal["auto", "lines", "tokens", "chars"] = own_option(
        "--atoms KIND", "the finest parts that may differ", "auto"
    )
    grow: bool = case_option(
        "--grow", "without PASSING: start from the nearest variant that passes, not from nothing"
    )
    out: str = own_output_option(
        "-o --out DIR", "put the two sides and the patch there", "", usual="beside FAILING"
    )
    called: str = ""
    """The path by which the command knows the failing input, if that is another."""
    named: str = ""
    """What the two sides are named after, if not after the failing input."""
    written: Sequence[str] = ("passing", "failing")
    """Which of the two sides are written."""

    @property
    def failing(self) -> str:
        """The input that fails."""
        return self.inputs[-1]

    @property
    def passing(self) -> str:
        """The one that passes; empty: an empty file, or a grown one."""
        return self.inputs[0] if len(self.inputs) > 1 else ""

    def validate(self) -> Self:
        """Raise if a value makes no sense, alone or with another."""
        if self.grow and self.passing:
            raise InvalidOption("both --grow and a passing input are given", hint="choose one")
        return super().validate()


@dataclass(frozen=True, kw_only=True)
class CommandInquiryOptions(RateOptions, InquiryOptions):
    """What is asked of a command, and not of its files: it is run as it is."""

    use: ClassVar[str] = ""
    """How it is used, if it cannot do without a command."""
    confine: bool | None = option(
        *("--confine", "let tests write only to their private folders"),
        off="--no-confine let tests write wherever you may",
    )
    shell: str = ""
    invert: bool = False
    differs: str = ""
    no_ub: bool = False

    def validate(self) -> Self:
        """Raise if a value makes no sense, or there is no command."""
        if self.worse and (self.by_hand or self.same):
            raise InvalidOption(
                f"is given with --{(*self.by_hand, 'same')[0].replace('_', '-')}",
                option="worse",
                hint="choose one: what is measured, or what a failure looks like",
            )
        if self.use and not self.command:
            raise InvalidOption("there is no command after --", hint=self.use)
        return super().validate()


@dataclass(frozen=True, kw_only=True)
class ChangesOptions(CommandInquiryOptions):
    """Which changes are asked about: two revisions, what is not committed, a patch, two folders."""

    heading: ClassVar = Heading.CHANGES
    use = "wynot changes --good REV --bad REV -- CMD"
    same: Same | None = safe_option(
        *("--same LEVEL", "of the first run of the bad side, what must stay the same"),
        usual="by exit status",
    )
    passes: Sequence[str] = guard_option("it runs in the work tree")
    folders: Sequence[str] = case_option("FOLDER ...", "two folders, without git")
    good: str = case_option(
        *("--good REV", "the revision that passes", ""),
        usual="found by going back from --bad",
        in_config="own",
    )
    bad: str = case_option(
        "--bad REV", "the revision that fails", "", usual="HEAD", in_config="own"
    )
    tags: bool = case_option("--tags", "without --good: go back from tag to tag, not by commits")
    repo: str = case_option("--repo DIR", "the repository", ".")
    staged: bool = case_option("--staged", "from HEAD to what is staged")
    worktree: bool = case_option("--worktree", "from HEAD to the files as they are now")
    patch: str = case_option("--patch FILE", "from HEAD to HEAD with a patch", "")
    atoms: Literal["commits", "files", "hunks", "lines"] = own_option(
        "--atoms KIND", "the finest parts of a change", "lines"
    )
    clean: bool = option(
        "--clean",
        "also remove ignored files before each test, so that builds start clean",
    )
    cure: bool = own_option("--no-cure", "do not look for the smallest revert", default=True)
    prove: bool = own_option(
        "--prove", "look for the smallest cause and revert among all changes of all commits"
    )
    out: str = own_output_option(
        "-o --out DIR",
        "write cause.patch and revert.patch into this folder",
        "",
        usual="only shown",
    )

    @property
    def is_of_revisions(self) -> bool:
        """Whether it is about revisions."""
        return bool(self.good or self.bad or self.tags)

    def validate(self) -> Self:
        """Raise unless it says exactly one thing."""
        given = {
            "--good" if self.good else "--bad" if self.bad else "--tags": self.is_of_revisions,
            "--staged": self.staged,
            "--worktree": self.worktree,
            "--patch": bool(self.patch),
            "two folders": bool(self.folders) and not self.patch,
        }
        names = [name for name, is_given in given.items() if is_given]
        if not names:
            raise InvalidOption("no changes to search are given", hint=self.use)
        if len(names) > 1:
            raise InvalidOption(f"{' and '.join(names)} are given", hint="choose one of them")
        if self.tags and self.good:
            raise InvalidOption(
                "--good and --tags are given", hint="--tags is for finding the revision that passes"
            )
        if (self.flaky or self.worse) and self.is_of_revisions and not self.good:
            raise InvalidOption(
                "is given without --good",
                option="worse" if self.worse else "flaky",
                hint="name the revision that it is compared with",
            )
        if len(self.folders) not in ((0, 1) if self.patch else (0, 2)):
            raise InvalidOption(
                f"{len(self.folders)} folders are given: {' '.join(map(repr, self.folders))}",
                hint=f"two folders; revisions are given by options: {self.use}",
            )
        return super().validate()


@dataclass(frozen=True, kw_only=True)
class OptionsOptions(FixedOptions, CommandInquiryOptions):
    """What is asked of a command's own options and variables."""

    heading: ClassVar = Heading.CIRCUMSTANCES
    use = "wynot options -- CMD ARGS..."
    passes: Sequence[str] = guard_option("{} are the arguments of CMD")
    env: Sequence[str] = option(
        *("--env NAME[=VALUE] ...", "also this variable; without a name, all that are set"),
        alone="all",
    )
    tried: Sequence[str] = option(
        "--try LIST ...", "which of these options prevent the failure; @FILE reads them"
    )
    keep: Sequence[str] = safe_option("--keep REGEX ...", "never leave these out", in_config="own")
    here: bool = option("--here", "run in this folder, one at a time, not in a private one")

    @property
    def width(self) -> int:
        """How many tests run at a time: in this folder one."""
        if self.here and (self.jobs or 1) > 1:
            raise InvalidOption(
                f"is {self.jobs}, but --here runs one test at a time",
                option="jobs",
                hint="leave -j out",
            )
        return 1 if self.here else super().width


@dataclass(frozen=True, kw_only=True)
class PackagesOptions(CommandInquiryOptions):
    """Which packages are asked about, and how they are installed."""

    heading: ClassVar = Heading.PACKAGES
    use = "wynot packages --good FILE --bad FILE -- CMD"
    passes: Sequence[str] = guard_option("it runs with the packages of the case")
    jobs: int | None = limit_option("-j --jobs N", JOBS, 1, usual=SHARED, least=1, in_config="own")
    good: str = case_option(
        *("--good FILE", "the versions that work: a file, or REV:PATH of git", ""),
        usual="the latest version of FILE in git that passes",
        in_config="own",
    )
    bad: str = case_option("--bad FILE", "the versions that do not", "", in_config="own")
    python: str = option(
        "--python PROGRAM", "the interpreter of the environments", "", usual="python3"
    )
    installer: Literal["auto", "uv", "pip", "npm"] = option(
        *("--installer NAME", "what to install with", "auto"),
        usual="auto: uv if available, else pip; npm for package-lock.json",
    )
    index_url: str = option("--index-url URL", "where packages come from", "")
    find_links: str = option("--find-links DIR", "a folder with more packages", "")
    also: Sequence[str] = option(
        "--also REQUIREMENT ...", "also install this, for the test: pytest, or -e ."
    )
    cure: bool = own_option(
        "--no-cure", "do not look for the smallest set to hold back", default=True
    )
    out: str = own_output_option(
        "-o --out DIR", "write files to install from into this folder", "", usual="only shown"
    )

    def validate(self) -> Self:
        """Raise unless it is said what fails."""
        if not self.bad:
            raise InvalidOption("--bad is not given", hint=self.use)
        return super().validate()


@dataclass(frozen=True, kw_only=True)
class EarlierTestsOptions(CommandInquiryOptions):
    """What is asked of a test."""

    heading: ClassVar = Heading.TESTS
    same: None = None
    hangs: bool = False
    worse: str = ""
    threshold: None = None
    passes: Sequence[str] = guard_option("{} are the arguments of CMD")
    jobs: int | None = limit_option("-j --jobs N", JOBS, 1, usual=SHARED, least=1, in_config="own")
    failing: str = case_option("FAILING_TEST", "the test, as its runner names it", "", alone="")
    shuffle: bool = case_option("--shuffle", "first look for an order in which a test fails")
    seed: int | None = own_option(
        "--seed N", "the first random order", usual="0, after the reversed order", least=0
    )
    tries: int = own_option("--tries N", "how many orders are tried", 20, least=1)
    listed: str = case_option(
        *("--list FILE", "all tests in the failing order, one per line", ""),
        usual="pytest is asked",
    )
    list_command: str = case_option("--list-command CMD", "a command that prints that list", "")
    project: str = case_option("--project DIR", "where the tests are run", ".")

    def validate(self) -> Self:
        """Raise unless it is said which test is meant, or that one is to be looked for."""
        if not (self.failing or self.shuffle):
            raise InvalidOption(
                "FAILING_TEST is not given",
                hint="name a test; or look for one that fails in another order: --shuffle",
            )
        if self.seed is not None and not self.shuffle:
            raise InvalidOption("is for --shuffle", option="seed", hint="give --shuffle as well")
        if self.shuffle and not self.failing and (self.listed or self.list_command):
            raise InvalidOption(
                "--shuffle does not know which test fails with another runner than pytest",
                hint="name the test whose failing order is looked for",
            )
        return super().validate()
