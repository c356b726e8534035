"""Whether a command is a Python program, and nothing else.

What is not fully understood is not one: then it is started as usual, which is never wrong.
"""

import os
import re
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from wynot.machine.process_start import file_of

_MAX_HEAD_BYTES = 4096
_PYTHON = re.compile(r"python(\d+(\.\d+)*[a-z]*)?")
_PLAIN = frozenset("bBOPqRsux")
"""Options without a value that change nothing about where the hook is found, or what is printed."""
_WITH_VALUE = frozenset("WX")
_ENDING = frozenset("cm")
_PYENV = re.compile(
    rb"#!/usr/bin/env bash\nset -e\n\[ -n \"\$PYENV_DEBUG\" \] && set -x\n.*"
    rb"\nexec \"[^\"\n]*/pyenv\" exec \"\$program\" \"\$@\"\n",
    re.DOTALL,
)
"""A script that pyenv puts in place of a program: it becomes that program."""
_BINARY = b"\x7fELF"


class PythonCommand(NamedTuple):
    """What matters of a Python program for loading modules ahead."""

    mains: tuple[str, ...] = ()
    """Names of modules that are the program itself."""
    path: str = ""
    """The folder where it looks for modules first, if that is known and not the candidate's."""
    is_inside: bool = False
    """Whether it looks for them in the candidate's folder first."""


def python_command(
    argv: Sequence[str], folder: str, environ: Sequence[bytes]
) -> PythonCommand | None:
    """Return what is known of a command that is a Python program; None if it is none."""
    if any(line.startswith((b"PYTHONINSPECT=", b"PYTHONPROFILEIMPORTTIME=")) for line in environ):
        return None
    program = os.fsdecode(file_of(argv[0], environ))
    if not program or not program.startswith("/") or _is_below(program, folder):
        return None  # what it is may change with the candidate
    head = _head(program)
    if head.startswith(_BINARY):
        is_python = _PYTHON.fullmatch(Path(os.path.realpath(program)).name)
        return _interpreted(argv[1:], folder) if is_python else None
    if _PYENV.fullmatch(head):
        name = Path(program).name
        return _interpreted(argv[1:], folder) if _PYTHON.fullmatch(name) else PythonCommand()
    interpreter = _shebang(head, environ)
    return None if interpreter is None else _interpreted([*interpreter, program], folder)


def _shebang(head: bytes, environ: Sequence[bytes]) -> list[str] | None:
    """Return the options of the interpreter that a script names; None if that is not Python."""
    first = head.partition(b"\n")[0]
    if not first.startswith(b"#!") or first == head:
        return None
    argv = os.fsdecode(first[2:]).split()
    if argv[:1] and Path(argv[0]).name == "env":
        argv = argv[1:]
        if not argv or argv[0].startswith("-") or "=" in argv[0]:
            return None
    if not argv or not _PYTHON.fullmatch(Path(argv[0]).name):
        return None
    found = _head(os.fsdecode(file_of(argv[0], environ)))
    return argv[1:] if found.startswith(_BINARY) or _PYENV.fullmatch(found) else None


def _interpreted(argv: Sequence[str], folder: str) -> PythonCommand | None:
    """Return what is known of the arguments after the interpreter."""
    left = [*argv]
    while left:
        word = left.pop(0)
        if not word.startswith("-") or word == "-":
            return PythonCommand(is_inside=True) if word == "-" else _script(word, folder)
        if word.startswith("--"):
            return None
        for place, letter in enumerate(word[1:], start=1):
            rest = word[place + 1 :]
            if letter in _ENDING:
                value = rest or (left[0] if left else "")
                mains = (value, f"{value}.__main__") if letter == "m" else ()
                return PythonCommand(mains, is_inside=True) if value else None
            if letter in _WITH_VALUE:
                value = rest or (left.pop(0) if left else "")
                if letter == "X" and value.startswith("importtime"):
                    return None
                break
            if letter not in _PLAIN:
                return None
    return PythonCommand(is_inside=True)  # the program comes in by standard input


def _script(word: str, folder: str) -> PythonCommand | None:
    path = os.path.join(folder, word)  # noqa: PTH118 - the working folder of the test
    real = os.path.realpath(path)
    if _is_below(real, folder) or _is_below(path, folder):
        return PythonCommand(is_inside=True)
    with suppress(OSError):
        if os.path.isfile(real) and not zipfile.is_zipfile(real):  # noqa: PTH113
            return PythonCommand(path=os.path.dirname(real))  # noqa: PTH120
    return None


def _is_below(path: str, folder: str) -> bool:
    return any(f"{path}/".startswith(f"{each}/") for each in (folder, os.path.realpath(folder)))


def _head(path: str) -> bytes:
    with suppress(OSError):
        if os.path.isfile(path):  # noqa: PTH113 - a FIFO would wait for somebody
            with open(path, "rb") as stream:  # noqa: PTH123
                return stream.read(_MAX_HEAD_BYTES)
    return b""
