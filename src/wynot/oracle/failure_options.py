"""What is run, and what counts as the failure: as options say it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from wynot.core.errors import InvalidOption
from wynot.settings import Same, choice, number

LEAST_MEMORY = 1 << 20
HANG_SECONDS = 10.0
"""Seconds after which a command counts as hanging, if nothing else is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureOptions:
    """A test script, a command or a line of shell, and how its failure is known."""

    # What is run; exactly one of the three.
    test: str = ""
    command: Sequence[str] = ()
    shell: str = ""
    # What counts as the failure.
    invert: bool = False
    same: Same | None = None
    """None: what is usual for the command."""
    exit: int | None = None
    signal: str | None = None
    stdout: str | None = None
    stderr: str | None = None
    not_stdout: str | None = None
    not_stderr: str | None = None
    text: Sequence[str] = ()
    hangs: bool = False
    differs: str = ""
    # What else must hold of a case.
    passes: Sequence[str] = ()
    """Commands that must succeed on every case that is taken."""
    no_ub: bool = False
    """Whether none of these may have undefined behaviour, as far as compilers can tell."""
    # What one run may take.
    timeout: float | None = None
    memory: int | None = None
    # Where it can write.
    confine: bool | None = None
    """None: if the candidate itself is run."""
    writable: Sequence[str] = ()

    @property
    def by_hand(self) -> list[str]:
        """The options that say by hand what the failure looks like."""
        names = ("exit", "signal", "stdout", "stderr", "not_stdout", "not_stderr")
        given = [name for name in names if getattr(self, name) is not None]
        return [*given, *(name for name in ("text", "hangs") if getattr(self, name))]

    @property
    def longest(self) -> float | None:
        """Seconds that a run may take, if that is said."""
        return HANG_SECONDS if self.hangs and self.timeout is None else self.timeout

    def check_failure(self) -> None:
        """Raise if a value makes no sense, alone or with another."""
        if self.same is not None:
            choice("same", self.same, get_args(Same))
        for name in ("timeout", "memory"):
            value = getattr(self, name)
            if value is not None:
                number(name, value, least=0)
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
        if self.by_hand and not self.command and not self.shell:
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
