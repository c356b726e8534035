"""Options that several commands have: what is run, what counts as the failure, what is told."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

from wynot.core.errors import InvalidOption
from wynot.core.options.option import (
    Heading,
    OptionRecord,
    debug_option,
    display_option,
    limit_option,
    one_time_option,
    option,
    safe_option,
)
from wynot.core.options.quantities import seconds, size
from wynot.settings import Same

LEAST_MEMORY = 1 << 20
HANG_SECONDS = 10.0
"""Seconds after which a command counts as hanging, if nothing else is said."""
EXPLAIN_TESTS = 300
"""Tests that an explanation may take, if nothing else is said."""

symptom_option = partial(safe_option, is_seen=True)
"""An option that says by hand what the failure looks like."""


def guard_option(how: str) -> Any:
    """Return the option of what else must hold of every case."""
    return option("--passes CMD ...", f"CMD must succeed on every case that is accepted; {how}")


def explained_tests() -> Any:
    """Return the option of how much an explanation may take."""
    return display_option(
        "--explain-tests N", "tests that an explanation may take", EXPLAIN_TESTS, least=1
    )


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True, kw_only=True)
class LimitOptions(OptionRecord):
    """What one run of the test may take, and where it can write."""

    heading: ClassVar = Heading.LIMITS
    timeout: float | None = safe_option(
        "--timeout TIME", "time limit for one test", usual="learned", parse=seconds, least=0
    )
    memory: int | None = limit_option(
        "--memory SIZE", "memory limit for one test", parse=size, matters=True
    )
    confine: bool | None = option(
        *("--confine", "let tests write only to their private folders"),
        usual="if what is run is FILE",
        off="--no-confine let tests write wherever you may",
    )
    writable: Sequence[str] = option("--writable DIR ...", "confined tests may also write there")


@dataclass(frozen=True, kw_only=True)
class ClusterOptions(OptionRecord):
    """Where tests run, if not on this machine."""

    heading: ClassVar = Heading.LIMITS
    cluster: str = option(
        *("--cluster ADDRESS", "run tests on a dask cluster; local:N or ssh:HOST,… starts one", ""),
        usual="on this machine",
        matters=False,
    )
    insecure: bool = option(
        *("--insecure", "use a cluster though anybody in the network could do so, too"),
        matters=False,
        in_config="never",
    )


@dataclass(frozen=True, kw_only=True)
class FailureOptions(ClusterOptions, LimitOptions):
    """A test script, a command or a line of shell, and how its failure is known."""

    heading: ClassVar = Heading.FAILURE
    # What is run; exactly one of the four.
    test: str = ""
    command: Sequence[str] = ()
    serve: str = option(
        *("--serve CMD", "a program that stays and answers for candidates, in place of TEST", ""),
        in_config="never",
    )
    shell: str = option(
        *("-c --shell LINE", "a line of shell in place of TEST; the file is $1", ""),
        in_config="never",
    )
    # What counts as the failure.
    invert: bool = safe_option(
        "--invert", "the test exits with 0 if all is well, as for git bisect run"
    )
    same: Same | None = safe_option(
        "--same LEVEL", "of the first run of CMD, what must stay the same", usual="auto"
    )
    exit: int | None = symptom_option("--exit N", "CMD exits with N")
    signal: str | None = symptom_option("--signal SIG", "CMD dies of this signal")
    stdout: str | None = symptom_option("--stdout REGEX", "CMD prints this to standard output")
    not_stdout: str | None = symptom_option("--not-stdout REGEX", "and does not print this")
    stderr: str | None = symptom_option("--stderr REGEX", "CMD prints this to standard error")
    not_stderr: str | None = symptom_option("--not-stderr REGEX", "and does not print this")
    text: Sequence[str] = symptom_option(
        "--text STRING ...", "CMD prints this text, taken literally, to either"
    )
    hangs: bool = symptom_option("--hangs", "CMD does not end (within --timeout, or 10 s)")
    differs: str = option(
        "--differs CMD2", "CMD and CMD2 print different things, or exit differently", ""
    )
    # What else must hold of a case.
    passes: Sequence[str] = guard_option("the file is {}")
    no_ub: bool = option("--no-ub", "no case may have undefined behaviour (C and C++)")

    @property
    def has_script(self) -> bool:
        """Whether a test script is the first of the files; raise if more than one test is given."""
        ways = {"-c": self.shell, "--serve": self.serve, "a command after --": self.command}
        given = [name for name, value in ways.items() if value]
        if len(given) > 1:
            raise InvalidOption(
                f"both {given[0]} and {given[1]} are given", hint="choose one of the two"
            )
        return not given and not self.test

    @property
    def by_hand(self) -> list[str]:
        """The options that say by hand what the failure looks like."""
        seen_options = (each for each in self.options() if each.is_seen)
        return [each.name for each in seen_options if getattr(self, each.name) != each.default]

    @property
    def longest(self) -> float | None:
        """Seconds that a run may take, if that is said."""
        return HANG_SECONDS if self.hangs and self.timeout is None else self.timeout

    def validate(self) -> Self:
        """Raise if a value makes no sense, alone or with another."""
        OptionRecord.validate(self)
        if self.memory is not None and self.memory < LEAST_MEMORY:
            raise InvalidOption(
                f"is {self.memory} bytes, too little for any program to start",
                option="memory",
                hint="write it like 512M or 2G",
            )
        if self.timeout == 0:
            raise InvalidOption(
                "is 0", option="timeout", hint="give seconds, or leave it to be learned"
            )
        if self.by_hand and self.test:
            raise InvalidOption(
                "looks at how a command ends, but a test script is given",
                option=self.by_hand[0],
                hint="a script says it by its exit status; or give a command: "
                "wynot reduce FILE -- CMD {}",
            )
        if self.differs and not self.command:
            raise InvalidOption(
                "compares two commands, and there is only one",
                option="differs",
                hint="wynot reduce --differs 'CMD2 {}' FILE -- CMD {}",
            )
        if self.invert and not (self.test or self.shell):
            raise InvalidOption(
                "is for scripts", option="invert", hint="give what you look for: --exit 0"
            )
        return self


@dataclass(frozen=True, kw_only=True)
class FixedOptions(OptionRecord):
    """What is put there for every test."""

    heading: ClassVar = Heading.OUTPUT
    fixed: Sequence[str] = option("--with FILE ...", "put this file or folder where the test runs")


@dataclass(frozen=True, kw_only=True)
class ConfigOptions(OptionRecord):
    """Where the other options come from."""

    heading: ClassVar = Heading.OUTPUT
    config: str = one_time_option(
        "--config FILE", "read options from here", "", usual="[tool.wynot] of pyproject.toml"
    )
    debug: str = debug_option()


@dataclass(frozen=True, kw_only=True)
class OutputOptions(ConfigOptions):
    """How the run is told of."""

    json: bool = display_option("--json", "events as JSON lines, for programs")
    quiet: bool = display_option("-q --quiet", "one line at the end")


@dataclass(frozen=True, kw_only=True)
class PagedOptions(OutputOptions):
    """The same, with a page to look at afterwards."""

    report: str = one_time_option(
        "--report FILE", "at the end, write a page that shows what was found, and how", ""
    )
