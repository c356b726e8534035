"""Options that prevent a failure, out of a list of some to try.

Zeller & Hildebrandt 2002 (``003``), §4.1: of 31 options of GCC two prevent a crash. Each delta
*leaves out* an option: with none of them applied all are given, and it passes; with all of them the
command is as it was, and fails.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.errors import InvalidOption, NothingToReduce, Unreadable
from wynot.core.foreign_text import for_shell_line
from wynot.disk.read_limited import read_limited
from wynot.inquiries.circumstances import Choice
from wynot.inquiries.options.circumstance import CommandRun, check_command
from wynot.inquiries.splitting import END, family_of, is_option, options_in

HOLE = "{options}"


LARGEST_LIST = 1 << 20
"""Bytes of a list of options: more is some other file, given by mistake."""


@dataclass(frozen=True, slots=True)
class Preventing(Choice[CommandRun]):
    """A command that fails, and options that may prevent it; the deltas leave them out."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    tried: tuple[tuple[str, ...], ...]

    @classmethod
    def read(cls, argv: Sequence[str], lists: Sequence[str], *, here: Path) -> "Preventing":
        """Read lists of options, which go where ``{options}`` is, else to the end."""
        check_command(argv)
        before, after = _around_hole(tuple(argv))
        tokens = [word for text in lists for word in _words(text)]
        family = next(filter(lambda each: each.is_complete, map(family_of, argv)), None)
        tried = tuple(options_in(tokens, family or family_of(argv[0]), here))
        for each in tried:
            if not is_option(each[0]) or each[0] == END:
                raise InvalidOption(
                    f"try has {each[0]!r}, which is not an option",
                    hint="only options, with their values: --try '-O1 --param max-inline=3'",
                )
        if not tried:
            raise NothingToReduce(
                "try has no options in it", hint="give some: --try '-fno-inline -fwrapv'"
            )
        return cls(before, after, tried)

    @property
    def deltas(self) -> Deltas:
        """One for the absence of each option."""
        return Deltas.first(len(self.tried))

    @property
    def kind(self) -> str:
        """Options, all of them."""
        return "options"

    def chosen(self, left_out: Deltas) -> CommandRun:
        """Return the command with all options but these."""
        return self.given(self.deltas.toggle(left_out))

    def given(self, there: Deltas) -> CommandRun:
        """Return the command with these options."""
        options = [word for number in there for word in self.tried[number]]
        return CommandRun((*self.before, *options, *self.after))

    def describe(self, candidate: Candidate) -> str:
        """Return the command line."""
        return for_shell_line(self.render(candidate).argv)

    def name(self, delta: int) -> str:
        """Return the option, as one would write it."""
        return for_shell_line(self.tried[delta])


def _around_hole(argv: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what comes before and after the options that are tried."""
    holes = [at for at, word in enumerate(argv) if HOLE in word]
    if not holes:
        # What comes after a bare -- is no option any more.
        at = argv.index(END) if END in argv else len(argv)
        return argv[:at], argv[at:]
    if len(holes) > 1 or argv[holes[0]] != HOLE or holes[0] == 0:
        raise InvalidOption(
            f"the command {for_shell_line(argv)!r} has {HOLE} where several arguments cannot go",
            hint=f"write {HOLE} once, as an argument of its own: cc {HOLE} a.c",
        )
    return argv[: holes[0]], argv[holes[0] + 1 :]


def _words(text: str) -> list[str]:
    """Return the words of a list: as they would be read by a shell, or in a file."""
    listed = _read(text[1:]) if text.startswith("@") else text
    try:
        return shlex.split(listed)
    except ValueError as error:
        raise InvalidOption(
            f"try is {text!r}: {error}", hint="quote the options as in a shell"
        ) from error


def _read(path: str) -> str:
    """Return the text of a list of options, without lines that begin with ``#``."""
    content = read_limited(Path(path), most=LARGEST_LIST, expected="a list of options")
    try:
        lines = content.decode("utf-8").splitlines(keepends=True)
    except UnicodeDecodeError as error:
        raise Unreadable(
            f"{path!r} is not UTF-8: {error.reason} at byte {error.start}",
            hint="a list of options is a text, like -O1 -fno-inline",
        ) from error
    return "".join(line for line in lines if not line.lstrip().startswith("#"))
