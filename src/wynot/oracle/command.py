"""What is run for a test: a script of the user's, a command line, or a line of shell."""

from collections.abc import Sequence
from dataclasses import dataclass

HOLES = ("{}", "@@")


@dataclass(frozen=True, slots=True)
class Command:
    """A command line, and how it is given the candidate.

    A script gets it in every way that reducers have in use: under its own name in the working
    folder (creduce, cvise, perses), by its path as the last argument (picire, delta, llvm-reduce)
    and on standard input (halfempty). A command line gets its name where it has a hole.
    """

    argv: tuple[str, ...]
    appends: bool
    """Whether the paths of the files come last; else the holes are filled with their names."""

    @classmethod
    def script(cls, *argv: str) -> "Command":
        """Return the command that runs a script of the user's."""
        return cls(argv, appends=True)

    @classmethod
    def line(cls, argv: Sequence[str], given: Sequence[str]) -> "Command":
        """Return a command line; a file that is named in it as it was given leaves a hole."""
        named = [argument for argument in argv[1:] if argument in given]
        if named and not has_hole(argv):
            argv = [argv[0], *(HOLES[0] if each in given else each for each in argv[1:])]
        return cls(tuple(argv), appends=False)

    @property
    def takes_input(self) -> bool:
        """Whether the candidate can only come in by standard input."""
        return not self.appends and not has_hole(self.argv)

    def filled(self, folder: str, names: Sequence[str]) -> list[str]:
        """Return the command for a candidate whose files have these names in a folder."""
        if self.appends:
            return [*self.argv, *[f"{folder}/{name}" for name in names]]
        safe = [f"./{name}" if name.startswith("-") else name for name in names]
        filled: list[str] = []
        for argument in self.argv:
            if argument in HOLES:
                filled += safe
            else:
                for hole in HOLES:
                    argument = argument.replace(hole, safe[0])  # noqa: PLW2901 - one hole at a time
                filled.append(argument)
        return filled


def has_hole(argv: Sequence[str]) -> bool:
    """Tell whether a command line says where the file goes."""
    return any(hole in argument for argument in argv for hole in HOLES)
