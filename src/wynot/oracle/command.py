"""What is run for a test, and how an argument of it names a file."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

_ASSIGNED = re.compile(r"(-{0,2}\w[\w.+:-]*=)(.+)", re.DOTALL)
"""``--config=FILE``, ``if=FILE``."""
_OF_FOLDERS = re.compile(r"dir|path|include|root|folder", re.IGNORECASE)
"""What the name of an option that takes a folder is likely to have in it."""
_WRITTEN = re.compile(
    r"-o|of=|-{1,2}([\w-]*[-_])?(out|output|outfile|log|logfile|dest|dump|save|write|report)(-?file)?=?",
    re.IGNORECASE,
)
"""Options of what a program writes: that belongs into the private folder, and never over a file of
the same name here."""
_JOINED = re.compile(r"(-(?:I|L|F|isystem|iquote|idirafter|include))(.+)", re.DOTALL)
"""``-IFOLDER``: what compilers take without anything in between."""
_APART = frozenset({"-I", "-L", "-F", "-C", "-isystem", "-iquote", "-idirafter"})
"""Options whose value is a folder if it can be one."""


class Naming(NamedTuple):
    """The parts of an argument; the second may be a path."""

    before: str
    """The option and its ``=``, or nothing."""
    path: str
    may_be_folder: bool
    """Whether a folder of that name is meant, though there is no slash in it."""


def naming(argument: str, previous: str = "") -> Naming:
    """Return how an argument names a file, if it does; ``previous`` is the one before it.

    The name of a folder is often also something else, a target or a subcommand: it counts only
    where a folder is to be expected.
    """
    if found := _ASSIGNED.fullmatch(argument):
        before, path = found.groups()
        return Naming(before, path, may_be_folder=_OF_FOLDERS.search(before) is not None)
    if (found := _JOINED.fullmatch(argument)) and is_there(found[2], may_be_folder=True):
        return Naming(found[1], found[2], may_be_folder=True)
    return Naming("", argument, may_be_folder=previous in _APART)


def is_written(argument: str, previous: str = "") -> bool:
    """Tell whether an argument says where a program is to write something."""
    found = _ASSIGNED.fullmatch(argument)
    return _WRITTEN.fullmatch(found[1] if found else previous) is not None


def is_there(path: str, *, may_be_folder: bool) -> bool:
    """Tell whether something is there that a path most likely means."""
    try:
        found = Path(path)
        return found.exists() if "/" in path or may_be_folder else found.is_file()
    except (OSError, ValueError):  # too long for a name, or with a NUL
        return False


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
