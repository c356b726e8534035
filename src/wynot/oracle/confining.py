"""Whether tests are confined: so that what they write stays in their private folders."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from wynot.commands.shared_options import FailureOptions
from wynot.core.errors import CannotConfine, InvalidOption, NoSuchFile
from wynot.machine import landlock
from wynot.oracle.command import is_there
from wynot.oracle.runs_candidate import (
    SHELLS,
    by_command,
    by_script,
    by_shell,
    is_script,
    shell_text,
    written_files,
)

_REFUSED = re.compile(r"permission ?denied|EACCES", re.IGNORECASE)
_PATHS = re.compile(r"""["'](/[^"']+)["']|(?:^|[\s(:])(/[^\s:"',()]+)""")
"""Paths in quotes, or up to a blank or punctuation."""

UNCONFINED = (
    "the candidates are run as programs, and this system has no Landlock (Linux 5.13 or newer) to "
    "keep what they write in their private folders"
)


class Confinement(NamedTuple):
    """Where tests can write."""

    writable: tuple[str, ...] | None = None
    """Folders besides their own; None: they are not confined."""
    is_usual: bool = False
    """Whether that was not asked for, but is usual for such a test."""
    missing: str = ""
    """Why they are not confined though that would be usual."""
    written: tuple[str, ...] = ()
    """Files that the text of the test shows it to write, by absolute paths."""

    def denied(self, outputs: Iterable[bytes]) -> list[str]:
        """Return the files that confinement keeps a test from writing to.

        The text of the test names them, or a program that was run has printed that it may not.
        """
        if self.writable is None:
            return []
        found = dict.fromkeys(self.written)
        for output in outputs:
            found.update(dict.fromkeys(_refused_paths(output)))
        return [path for path in found if self._is_denied(Path(path))]

    def _is_denied(self, path: Path) -> bool:
        """Tell whether the user may write to a file, but a test may not."""
        folder = path.parent
        if path.parts[1:2] in (("dev",), ("proc",)) or not folder.is_dir():
            return False
        real = folder.resolve() / path.name
        if any(real.is_relative_to(Path(each).resolve()) for each in self.writable or ()):
            return False
        return os.access(path if path.exists() else folder, os.W_OK)


FREE = Confinement()


def confinement(failure: FailureOptions, files: Sequence[str] = ()) -> Confinement:
    """Return where the tests can write, as the options say or as is usual for them.

    Of files that are reduced it is found out whether they are run.
    """
    if failure.confine is False:
        if failure.writable:
            raise InvalidOption(
                "both --writable and --no-confine are given", hint="choose one of the two"
            )
        return FREE
    is_asked_for = failure.confine or bool(failure.writable)
    if not is_asked_for and not runs_candidate(failure, files):
        return FREE
    if not landlock.version():
        if not is_asked_for:
            return Confinement(missing=UNCONFINED)
        raise CannotConfine(
            "tests cannot be confined: this system has no Landlock",
            hint="it takes Linux 5.13 or newer, with Landlock among its security modules; "
            "--no-confine goes without, or run wynot in a container",
        )
    folders = tuple(map(_folder, failure.writable))
    return Confinement(folders, not is_asked_for, written=tuple(written_files(_text_of(failure))))


def _text_of(failure: FailureOptions) -> str:
    """Return what the test tells a shell to do, if it does."""
    match failure.command:
        case [program, option, line, *_] if Path(program).name in SHELLS and option.endswith("c"):
            return line
    return failure.shell or (shell_text(Path(failure.test)) if failure.test else "")


def _refused_paths(output: bytes) -> Iterator[str]:
    """Yield the absolute paths in messages of programs that may not write to them.

    The first one in a message may be that of the program.
    """
    for line in output.decode("utf-8", "replace").splitlines():
        if _REFUSED.search(line) and (found := _PATHS.findall(line)):
            yield "".join(found[-1])


def runs_candidate(failure: FailureOptions, files: Sequence[str]) -> bool:
    """Tell whether the test runs the candidate itself, as far as that can be seen."""
    paths = [Path(file) for file in files]
    if not paths:
        return False
    names = [path.name for path in paths]
    if failure.command:
        by_name = [0 if _is_of(word, files) else word for word in failure.command]
        return by_command(by_name, names)
    if any(map(is_script, paths)):
        return True
    if failure.shell or failure.serve:
        return by_shell(failure.shell or failure.serve, names)
    return by_script(Path(failure.test), paths)


def _is_of(word: str, files: Sequence[str]) -> bool:
    """Tell whether a word of a command is one of the files, or in one that is a folder.

    It may be written in another way: the candidate takes its place all the same.
    """
    if word in files or not is_there(word, may_be_folder=False):
        return word in files
    path = Path(word).resolve()
    return any(path.is_relative_to(Path(file).resolve()) for file in files)


def _folder(text: str) -> str:
    path = Path(text).expanduser()
    if not path.exists():
        raise NoSuchFile(
            f"there is no folder {text!r} that tests could write to",
            hint="make it, or check --writable",
        )
    return str(path.absolute())
