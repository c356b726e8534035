"""Options and variables of a command, and which of them the failure needs."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from wynot.agents.sandbox import Sandbox
from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.errors import InvalidOption, NothingToReduce
from wynot.core.files import Files
from wynot.core.foreign_text import for_shell, for_shell_line
from wynot.core.options.pattern import compiled
from wynot.inquiries.circumstances import Choice
from wynot.inquiries.options.environment import Variable
from wynot.inquiries.splitting import Piece, split
from wynot.oracle.provisioner import Invocation


@dataclass(frozen=True, slots=True)
class CommandRun:
    """A command, and variables that are set for it, or with None not set."""

    argv: tuple[str, ...]
    env: Mapping[str, str | None] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def digest(self) -> bytes:
        """A key for the command and its variables, in whatever order those are held."""
        named = [(name, self.env[name]) for name in sorted(self.env)]
        texts = [f"{name}={value}" if value is not None else name for name, value in named]
        whole = sha256(b"%d\n" % len(self.argv))
        for text in (*self.argv, *texts):
            word = os.fsencode(text)
            whole.update(b"%d " % len(word) + word)
        return whole.digest()


@dataclass(frozen=True, slots=True)
class Direct:
    """Runs the command as it is: there is nothing to put in place."""

    here: Path | None = None
    """Where it runs; None: in a folder of the sandbox."""
    files: Files = field(default_factory=lambda: Files({}))
    """What is in that folder."""

    def provision(self, subject: CommandRun, sandbox: Sandbox) -> Invocation:
        """Return the command."""
        if self.here is None:
            sandbox.place(self.files)  # and not what the candidate before has left
        return Invocation(argv=subject.argv, env=subject.env, folder=self.here)


@dataclass(frozen=True, slots=True)
class CommandOptions(Choice[CommandRun]):
    """A command whose options can be left out, and variables that can be unset."""

    pieces: tuple[Piece, ...]
    variables: tuple[Variable, ...] = ()
    options: tuple[tuple[str, ...], ...] = field(init=False)

    def __post_init__(self) -> None:
        options = tuple(piece.tokens for piece in self.pieces if piece.is_option)
        object.__setattr__(self, "options", options)

    @classmethod
    def read(
        cls,
        argv: Sequence[str],
        *,
        here: Path,
        keep: Sequence[str] = (),
        variables: Sequence[Variable] = (),
    ) -> "CommandOptions":
        """Take a command line apart; options that one of ``keep`` matches are not left out."""
        check_command(argv)
        patterns = [compiled("keep", text) for text in keep]
        pieces = [
            piece._replace(is_option=False)
            if any(pattern.search(os.fsencode(" ".join(piece.tokens))) for pattern in patterns)
            else piece
            for piece in split(argv, here)
        ]
        found = cls(tuple(pieces), tuple(variables))
        if not found.deltas:
            kept = " but those that keep matches" if keep else ""
            raise NothingToReduce(
                f"the command {for_shell_line(argv)!r} has no options{kept}",
                hint="to ask about variables: --env all; "
                "to look for options that prevent the failure: --try '-a -b'",
            )
        return found

    @property
    def deltas(self) -> Deltas:
        """One for each option, then one for each variable."""
        return Deltas.first(len(self.options) + len(self.variables))

    @property
    def kind(self) -> str:
        """What there is of the two."""
        if self.options and self.variables:
            return "settings"
        return "options" if self.options else "variables"

    def chosen(self, there: Deltas) -> CommandRun:
        """Return the command with these options and variables."""
        argv: list[str] = []
        at = 0
        for piece in self.pieces:
            if not piece.is_option or at in there:
                argv += piece.tokens
            at += piece.is_option
        env = {
            variable.name: variable.failing if number in there else variable.passing
            for number, variable in enumerate(self.variables, start=len(self.options))
        }
        return CommandRun(tuple(argv), MappingProxyType(env))

    def name(self, delta: int) -> str:
        """Return the option or variable, as one would write it; no value that was not given."""
        if delta < len(self.options):
            return for_shell_line(self.options[delta])
        variable = self.variables[delta - len(self.options)]
        if variable.present == variable.failing:
            return variable.name
        return f"{variable.name}={for_shell(variable.failing)}"

    def describe(self, candidate: Candidate) -> str:
        """Return the command line."""
        return self.line(candidate.kept)

    def line(self, there: Deltas) -> str:
        """Return a line of shell that does the same, in the environment as it is now."""
        run = self.chosen(there)
        present = {variable.name: variable.present for variable in self.variables}
        changed = {name: value for name, value in run.env.items() if value != present[name]}
        arguments: list[str] = []
        for name, value in changed.items():
            arguments += ["-u", name] if value is None else []
        arguments += [f"{name}={value}" for name, value in changed.items() if value is not None]
        return for_shell_line([*(["env", *arguments] if arguments else []), *run.argv])


def check_command(argv: Sequence[str]) -> None:
    """Raise if there is nothing to run."""
    if not argv or not argv[0]:
        raise InvalidOption("there is no command after --", hint="wynot options -- CMD ARGS")
