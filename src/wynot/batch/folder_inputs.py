"""The inputs of a folder: what AFL, libFuzzer and people put there, and nothing else.

Names are hostile: fuzzers write them, and whoever sends a folder of crashes. They are only shown
and read, never made part of a command or of a path that is written.
"""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from wynot.core.errors import NoSuchFile, NotAFile, NothingToReduce, Unreadable
from wynot.core.files import Files
from wynot.disk.load import OURS

ONE_NAME = "input"
"""What an input is called where the test runs; the ending of its own name stays with it."""
MAX_INPUT_BYTES = 256 << 20
"""Bytes of an input: what is larger is no input of a fuzzer."""

_ENDING = re.compile(r"\.[A-Za-z0-9_+-]{1,12}")
_AFL_INPUT = "id:"
_AFL_NOTES = "README.txt"
_AFL_OUTCOMES = ("crashes", "hangs")
_AFL_MARKS = ("fuzzer_stats", "queue", "plot_data")
"""What is beside the folder of crashes in the output of AFL."""


class BatchInput(NamedTuple):
    """A file of the folder."""

    name: str
    """Its path in the folder."""
    path: Path
    size: int

    @property
    def called(self) -> str:
        """The name that it has where the test runs."""
        ending = _ENDING.fullmatch(Path(self.name).suffix)
        return f"{ONE_NAME}{ending[0]}" if ending else ONE_NAME

    def files(self) -> Files:
        """Return what a test is given of it; raise OSError if it cannot be read."""
        # A FIFO that has taken its place must not hold us up.
        handle = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as stream:
            return Files({self.called: stream.read(MAX_INPUT_BYTES)})


class FolderInputs(NamedTuple):
    """What was found in a folder."""

    inputs: tuple[BatchInput, ...]
    """The inputs, in the order of their names."""
    skipped: tuple[tuple[str, str], ...]
    """Names of what is not taken though it might be meant, and why not."""


def folder_inputs(folder: str, out: Path, *, hangs: bool) -> FolderInputs:
    """Return the inputs of a folder and of the folders in it, but for those of the results.

    Of the output of AFL, only what has crashed is taken, or with ``hangs`` what hung. Raises if
    there is no such folder, or nothing in it.
    """
    top = _folder(folder)
    inputs: list[BatchInput] = []
    skipped: list[tuple[str, str]] = []
    for path in _walk(top, out, "hangs" if hangs else "crashes"):
        name = path.relative_to(top).as_posix()
        try:
            status = path.lstat()
        except OSError as error:  # a fuzzer that still runs may have removed it
            skipped.append((name, f"it cannot be read: {error.strerror}"))
            continue
        if stat.S_ISLNK(status.st_mode):
            target = path.resolve()
            is_inside = target.is_relative_to(top) and target.is_file()
            why = "its target is in the folder as well" if is_inside else "it leads elsewhere"
            skipped.append((name, f"a symbolic link: {why}"))
        elif not stat.S_ISREG(status.st_mode):
            skipped.append((name, "it is not a file"))
        elif status.st_size > MAX_INPUT_BYTES:
            skipped.append((name, f"it is larger than {MAX_INPUT_BYTES:,} bytes"))
        elif not os.access(path, os.R_OK):
            skipped.append((name, "it cannot be read: no permission"))
        else:
            inputs.append(BatchInput(name, path, status.st_size))
    if not inputs:
        raise NothingToReduce(_nothing(folder, skipped), hint="give the folder that they are in")
    return FolderInputs(tuple(inputs), tuple(skipped))


def _folder(folder: str) -> Path:
    try:
        mode = os.stat(folder).st_mode  # noqa: PTH116 - the path as it was given
    except (FileNotFoundError, NotADirectoryError):
        raise NoSuchFile(
            f"there is no folder {folder!r}", path=folder, hint="wynot batch FOLDER -- CMD {}"
        ) from None
    except OSError as error:
        raise Unreadable(
            f"{folder!r} cannot be reached: {error.strerror}", hint="check the path"
        ) from error
    if not stat.S_ISDIR(mode):
        raise NotAFile(
            f"{folder!r} is not a folder",
            hint="one file is reduced by: wynot reduce FILE -- CMD {}",
        )
    return Path(folder).resolve()


def _nothing(folder: str, skipped: list[tuple[str, str]]) -> str:
    if not skipped:
        return f"there are no inputs in {folder!r}"
    name, why = skipped[0]
    more = f"; and {len(skipped) - 1} more like it" if len(skipped) > 1 else ""
    return f"there are no inputs in {folder!r} that can be used: {name!r}: {why}{more}"


def _walk(top: Path, out: Path, wanted: str) -> Iterator[Path]:
    """Yield the files of a folder, and of those in it, in the order of their names."""

    def refuse(error: OSError) -> None:
        raise Unreadable(
            f"{error.filename!r} cannot be read: {error.strerror}", hint="check its permissions"
        ) from error

    for at, folders, there in os.walk(top, onerror=refuse):
        here, names = Path(at), there
        if any(mark in (*names, *folders) for mark in _AFL_MARKS) and wanted in folders:
            folders[:], names = [wanted], []  # the queue, and notes about the fuzzer itself
        links = [name for name in folders if (here / name).is_symlink()]
        entered = set(folders) - {*links, OURS}
        folders[:] = sorted(name for name in entered if (here / name).resolve() != out)
        is_afl = here.name in _AFL_OUTCOMES or any(name.startswith(_AFL_INPUT) for name in names)
        for name in sorted([*names, *links]):
            if not (name.startswith(".") or (is_afl and name == _AFL_NOTES)):
                yield here / name
