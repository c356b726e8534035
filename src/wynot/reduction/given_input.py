"""What ``wynot.reduce`` is given: a path, bytes, or bytes by name; a test is given the same."""

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, cast

from wynot.core.errors import InvalidArgument, NothingToReduce
from wynot.core.files import Files
from wynot.core.folder_files import stays_inside
from wynot.disk.load import load, targets
from wynot.disk.results import put_files

ONE_NAME = "input"
"""What bytes are called that have no name."""


class GivenInput(NamedTuple):
    """What is to be reduced, and how a candidate is handed to a function."""

    files: Files
    hand: Callable[..., object]
    """Calls a ``test`` on a candidate."""


def given_input(files: object) -> GivenInput:
    """Return what somebody has passed to be reduced, or raise if it is nothing that can be."""
    if isinstance(files, bytes | bytearray):
        named = Files({ONE_NAME: bytes(files)})
        found = GivenInput(named, lambda candidate, test: test(candidate.contents[ONE_NAME]))
    elif isinstance(files, Mapping):
        _check_names(files)
        found = GivenInput(
            Files(dict(files)), lambda candidate, test: test(dict(candidate.contents))
        )
    elif isinstance(files, str | os.PathLike):
        [target] = named_targets = targets([os.fspath(cast("str", files))])
        found = GivenInput(load(named_targets), partial(_as_path, target.name))
    else:
        raise InvalidArgument(
            f"the files are {files!r}", hint="pass a path, bytes, or a dict of names to bytes"
        )
    if not found.files.size:
        raise NothingToReduce("there are 0 bytes", hint="check what you pass")
    return found


def _check_names(files: Mapping[Any, Any]) -> None:
    """Raise unless each name stays in the folder that it is put into, and has bytes."""
    for name, content in files.items():
        if not isinstance(name, str) or not stays_inside(name):
            raise InvalidArgument(
                f"{name!r} is not a relative path", hint="names are like 'a.c' or 'src/a.c'"
            )
        if not isinstance(content, bytes):
            raise InvalidArgument(f"{name!r} is {content!r}", hint="pass bytes: text.encode()")


def _as_path(name: str, candidate: Files, test: Callable[[Any], object]) -> object:
    """Call a test on the path of a private copy."""
    with TemporaryDirectory(prefix="wynot-") as folder:
        put_files(candidate, Path(folder))
        return test(Path(folder) / name)
