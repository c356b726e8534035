"""How an argument of a command line names a file: by itself, or after the option that it is for."""

import re
from pathlib import Path
from typing import NamedTuple

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
