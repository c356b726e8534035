"""What is run for a test: a script of the user's, a command line, or a line of shell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

HOLES = ("{}", "@@")


class Named(NamedTuple):
    """An argument that is the name of one of the files."""

    number: int
    before: str = ""
    """What stands before the name: an option, as in ``--input=NAME``."""


Argument: TypeAlias = str | Named
"""A string, in which there may be a hole; or the name of a file."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command line, and how it is given the candidate.

    A script gets it in every way that reducers have in use: under its own name in the working
    folder (creduce, cvise, perses), by its path as the last argument (picire, delta, llvm-reduce)
    and on standard input (halfempty). A command line gets its name where it has a hole.
    """

    argv: tuple[Argument, ...]
    appends: bool
    """Whether the paths of the files come last; else the holes are filled with their names."""

    @classmethod
    def script(cls, *argv: str) -> "Command":
        """Return the command that runs a script of the user's."""
        return cls(argv, appends=True)

    @classmethod
    def line(cls, argv: Sequence[str], files: Mapping[str, Named]) -> "Command":
        """Return a command line; if it has no hole, the files that are named in it leave some.

        ``files`` says which of the files an argument names.
        """
        if has_hole(argv):
            return cls(tuple(argv), appends=False)
        # A program without a slash is one that is installed, whatever the files are called.
        program = files.get(argv[0], argv[0]) if "/" in argv[0] else argv[0]
        return cls((program, *(files.get(each, each) for each in argv[1:])), appends=False)

    @property
    def is_candidate(self) -> bool:
        """Whether the program is itself the candidate, or in it: others have a full path."""
        program = self.argv[0]
        return isinstance(program, Named) or ("/" in program and not program.startswith("/"))

    def filled(self, folder: str, names: Sequence[str]) -> list[str]:
        """Return the command for a candidate whose files have these names in a folder."""
        if not names:  # the candidate is no file: braces are the command's own
            return list(map(str, self.argv))
        if self.appends:
            return [*map(str, self.argv), *[f"{folder}/{name}" for name in names]]
        safe = [f"./{name}" if name.startswith("-") else name for name in names]
        filled: list[str] = []
        for argument in self.argv:
            if isinstance(argument, Named):
                filled.append(argument.before + safe[argument.number])
            elif argument in HOLES:
                filled += safe
            else:
                filled.append(_plugged(argument, safe[0]))
        return filled


def _plugged(argument: str, name: str) -> str:
    """Return an argument with the name in place of the holes inside of it."""
    for hole in HOLES:
        argument = argument.replace(hole, name)
    return argument


def has_hole(argv: Sequence[Argument]) -> bool:
    """Tell whether a command line says where the file goes."""
    return any(hole in each for each in argv if isinstance(each, str) for hole in HOLES)
