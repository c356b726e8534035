"""Guards: commands that have to succeed on every case that is taken, besides the test.

They keep a reduction from drifting to where the failure means nothing: a program that another
compiler refuses, a document that is not valid any more. They are run only when the test has said
interesting, which it rarely does, so they cost little. What a guard refuses is *unresolved*.
"""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from wynot.agents.sandbox import Sandbox
from wynot.core.ending import Ending
from wynot.core.errors import GuardFails, InvalidOption
from wynot.oracle.command import HOLES, Command, Named, has_hole
from wynot.oracle.learned_timeout import LearnedTimeout
from wynot.oracle.provisioner import Invocation
from wynot.oracle.trial import CANNOT_RUN, NOT_FOUND, run
from wynot.oracle.trials import in_full, line
from wynot.wire.run_request import Limits

REFUSED = "refused by "
"""What the words begin with that say why a guard refused a candidate."""


@dataclass(frozen=True, slots=True)
class Guard:
    """A command that has to exit with 0."""

    option: str
    """The option that asks for it, as messages call it: ``--passes 'gcc {}'``."""
    words: str
    """What it does, in one line."""
    command: Command
    patience: LearnedTimeout
    """How long it may take: that has nothing to do with how long the test takes."""
    learn: "Callable[[Ending], LearnedGuard] | None" = None
    """If it has to see the original first: what it makes of its run on it."""
    has_own_limits: bool = False
    """Whether it sees to the memory that it takes: sanitizers reserve more than there is."""
    is_confined: bool = False
    """Whether it can write only to its private folder, even if the test need not be confined."""

    def refusal(
        self, sandbox: Sandbox, invocation: Invocation, limits: Limits, *, capture: bool
    ) -> "Refusal | None":
        """Run it on the candidate that is in place; return None if it lets the candidate pass."""
        try:
            ending = self.run(sandbox, invocation, limits, capture=capture)
        except OSError as error:
            if error.errno not in CANNOT_RUN:
                raise
            why = f"{error.filename!r} cannot be started: {error.strerror}"
            return Refusal(self, NOT_FOUND, why)
        if ending.limit or ending.status != 0:
            return Refusal(self, ending)
        self.patience.learn(ending.seconds)
        return None

    def run(
        self, sandbox: Sandbox, invocation: Invocation, limits: Limits, *, capture: bool
    ) -> Ending:
        """Run it on the candidate that is in place; with more time if it took too long."""
        if invocation.argv is not None:  # the candidate is a command line
            invocation = invocation._replace(argv=self._filled(invocation.argv[1:]))
        if self.has_own_limits:
            limits = limits._replace(memory=None)
        if self.is_confined and limits.writable is None:
            limits = limits._replace(writable=())
        limits = limits._replace(timeout=self.patience.limit)
        ending = run(self.command, sandbox, invocation, limits, capture=capture)
        longer = self.patience.second_limit
        if ending.limit == "timeout" and longer is not None:
            limits = limits._replace(timeout=longer)
            ending = run(self.command, sandbox, invocation, limits, capture=capture)
            self.patience.tried_longer(in_vain=ending.limit == "timeout")
        return ending

    def _filled(self, arguments: Sequence[str]) -> tuple[str, ...]:
        """Return the command with the arguments of the candidate where it has a hole."""
        filled: list[str] = []
        for word in map(str, self.command.argv):
            filled += arguments if word in HOLES else [word]
        return tuple(filled)


class LearnedGuard(NamedTuple):
    """A guard that has seen the original."""

    guard: Guard
    notices: Sequence[str] = ()
    """What the user should know of it."""


class Refusal(NamedTuple):
    """A guard that does not let a candidate pass."""

    guard: Guard
    ending: Ending
    why: str = ""
    """Why it could not be run, if so."""

    @property
    def ended(self) -> str:
        """How it ended, in a few words."""
        return self.why or self.ending.description

    @property
    def words(self) -> str:
        """The refusal in one line."""
        return f"{REFUSED}{self.guard.option}: {self.ended}"


@dataclass(frozen=True, slots=True)
class Guards:
    """All guards, in the order in which they are asked."""

    each: Sequence[Guard] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """What each of them does."""
        return tuple(guard.words for guard in self.each)

    def learned(
        self, provision: Callable[[], Invocation], sandbox: Sandbox, limits: Limits
    ) -> "LearnedGuards":
        """Have those see the original that need it, and try all of them on it."""
        settled: list[Guard] = []
        refusals: list[Refusal | None] = []
        notices: list[str] = []
        for guard in self.each:
            learned = LearnedGuard(guard)
            if guard.learn is not None:
                learned = guard.learn(guard.run(sandbox, provision(), limits, capture=True))
            settled.append(learned.guard)
            notices += learned.notices
            refusals.append(learned.guard.refusal(sandbox, provision(), limits, capture=True))
        return LearnedGuards(Guards(settled), refusals, notices)

    def refusal(
        self, provision: Callable[[], Invocation], sandbox: Sandbox, limits: Limits
    ) -> Refusal | None:
        """Return the first that does not let a candidate pass."""
        for guard in self.each:
            # The test, and the guard before, may have changed the files: so they are placed again.
            refusal = guard.refusal(sandbox, provision(), limits, capture=False)
            if refusal is not None:
                return refusal
        return None

    def refuser(self, how: str) -> str:
        """Return the guard that such words are about; empty if they are about none."""
        names = [guard.option for guard in self.each]
        return next((name for name in names if how.startswith(f"{REFUSED}{name}: ")), "")

    def counted(self, refused: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
        """Return each of them, and how many candidates it has refused."""
        return tuple((guard.option, refused.get(guard.option, 0)) for guard in self.each)


class LearnedGuards(NamedTuple):
    """What came of the guards on the original."""

    guards: Guards
    refusals: Sequence[Refusal | None]
    """For each of them, whether it refuses even that."""
    notices: Sequence[str]

    def require(self, name: str) -> None:
        """Raise if one of them refuses the original, which goes by this name."""
        refusal = next(filter(None, self.refusals), None)
        if refusal is not None:
            raise GuardFails(
                f"{name} does not pass {refusal.guard.option}: {refusal.ended}"
                f"{refusal.ending.tail}",
                hint="the command must exit with 0 on every case, and so on this one too: run it "
                "by hand",
            )


UNGUARDED = Guards()


def on_files(passes: Sequence[str], files: Sequence[str], timeout: float | None) -> list[Guard]:
    """Return the guards that ``--passes`` asks for, of candidates that are files.

    One that does not say where the file goes is called as a test script is.
    """
    found = []
    for text in passes:
        command = line(words_of(text), files, "--passes")
        names_file = any(isinstance(each, Named) for each in command.argv)
        if not names_file and not has_hole(command.argv):
            command = replace(command, appends=True)
        found.append(_guard(text, command, timeout))
    return found


def on_circumstances(passes: Sequence[str], timeout: float | None) -> list[Guard]:
    """Return the guards that ``--passes`` asks for, of candidates that are not files."""
    return [as_it_is(text, in_full(words_of(text)), timeout) for text in passes]


def as_it_is(text: str, words: Sequence[str], timeout: float | None) -> Guard:
    """Return a guard that runs just these words, whatever the candidate."""
    return _guard(text, Command(tuple(words), appends=False), timeout)


def _guard(text: str, command: Command, timeout: float | None) -> Guard:
    return Guard(f"--passes {shlex.quote(text)}", text, command, LearnedTimeout(timeout))


def words_of(text: str) -> list[str]:
    """Return the words of a command that is given as one."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise InvalidOption(
            f"passes is {text!r}: {error}", hint="quote it as in a shell: --passes 'gcc -c {}'"
        ) from error
    if not words:
        raise InvalidOption(f"passes is {text!r}", hint="--passes 'CMD {}'")
    return words
