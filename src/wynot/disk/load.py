"""Reading the case: files and folders, as the user named them, and whether they have changed."""

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import file_digest, sha256
from pathlib import Path
from typing import NamedTuple

from wynot.core.errors import InvalidOption, NoSuchFile, NotAFile, NothingToReduce, Unreadable
from wynot.core.files import Files
from wynot.core.system.beneath import PERMISSION_BITS
from wynot.core.system.folder_files import USUAL_MODE

OURS = ".wynot"
"""The folder that journals are in: never part of a case."""


class Target(NamedTuple):
    """A file or folder that the user named, and where it is in a private folder."""

    path: Path
    """Where it really is: links are followed, so that they are not replaced by a file."""
    name: str
    """Its relative path in a private folder."""
    is_folder: bool


def targets(paths: Sequence[str]) -> list[Target]:
    """Return what was named, each under its base name; under longer ones if two have the same."""
    found = []
    for path in paths:
        kind = _kind(path)
        name = Path(os.path.abspath(path)).name  # noqa: PTH100 - a link keeps its own name
        found.append(Target(Path(path).resolve(), name, stat.S_ISDIR(kind)))
    names = [target.name for target in found]
    for name in names:
        if names.count(name) > 1:
            raise InvalidOption(
                f"two of the files are called {name!r}",
                hint="put them into folders of one folder, and give that",
            )
    return found


def _kind(path: str) -> int:
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - the path as it was given, for the messages
    except FileNotFoundError:
        broken = os.path.islink(path)  # noqa: PTH114
        raise NoSuchFile(
            f"{path!r} is a link that leads nowhere" if broken else f"there is no file {path!r}",
            path=path,
            hint="check its name, and which folder you are in"
            if path != "-"
            else "only wynot reduce reads standard input; save it into a file",
        ) from None
    except (NotADirectoryError, PermissionError, OSError) as error:
        raise Unreadable(
            f"{path!r} cannot be reached: {error.strerror}", hint="check the path"
        ) from error
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise NotAFile(
            f"{path!r} is neither a file nor a folder",
            hint="save what it holds into a file, and reduce that",
        )
    return mode


def load(found: Sequence[Target]) -> Files:
    """Return the contents of all targets; raise if there is nothing in them."""
    files = contents_of(found)
    if not files.size:
        shown = ", ".join(str(target.path.name) for target in found)
        raise NothingToReduce(f"{shown}: 0 bytes", hint="there is nothing that could be left out")
    return files


def contents_of(found: Sequence[Target], without: Collection[str] = ()) -> Files:
    """Return the contents of all targets, without folders of some names."""
    contents: dict[str, bytes] = {}
    modes: dict[str, int] = {}
    links: dict[str, str] = {}
    for target in found:
        for path, name, seen in walk(target, without):
            if stat.S_ISLNK(seen.st_mode):
                links[name] = os.readlink(path)  # noqa: PTH115 - as a string, as it is written
                continue
            contents[name] = read(Path(path))
            mode = seen.st_mode & PERMISSION_BITS
            if mode != USUAL_MODE:
                modes[name] = mode
    return Files(contents, modes, links)


def walk(
    target: Target, without: Collection[str] = ()
) -> Iterator[tuple[str, str, os.stat_result]]:
    """Yield the path, the name and the status of each file and each link of a target.

    Paths are strings and each file is looked at once: this is done every second for a folder that
    is being reduced.
    """
    try:
        if not target.is_folder:
            yield str(target.path), target.name, target.path.stat()
            return
        line = [(str(target.path), target.name)]
        while line:
            folder, prefix = line.pop()
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
            inner = []
            for entry in entries:
                name, seen = f"{prefix}/{entry.name}", entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(seen.st_mode):
                    if entry.name != OURS and entry.name not in without:
                        inner.append((entry.path, name))
                elif entry.name.startswith(".") and entry.name.endswith(OURS):
                    continue  # of a write that was cut short
                elif stat.S_ISREG(seen.st_mode) or stat.S_ISLNK(seen.st_mode):
                    yield entry.path, name, seen
            line += reversed(inner)
    except OSError as error:
        _refuse(error)


def read(path: Path) -> bytes:
    """Return the bytes of a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        error.filename = error.filename or str(path)  # a read that fails does not tell
        _refuse(error)
        raise


def _refuse(error: OSError) -> None:
    raise Unreadable(
        f"{error.filename!r} cannot be read: {error.strerror}",
        hint="check its permissions, or work on a copy",
    ) from error


MAX_FILES = 20_000
"""So many files of a folder are looked at."""
PASSING = frozenset({".git", ".hg", "__pycache__", "node_modules", ".venv", ".tox", ".wynot"})
"""Folders of which the content is not the user's, or comes and goes."""


def of_named(argv: Iterable[str]) -> dict[str, str]:
    """Return digests of the files that are named among the words of a command."""
    found = {}
    for word in argv:
        if "\0" not in word and os.path.isfile(word) and os.access(word, os.R_OK):  # noqa: PTH113
            with open(word, "rb") as file:  # noqa: PTH123
                found[word] = file_digest(file, "sha256").hexdigest()
    return found


def of_folder(folder: Path, apart: Iterable[str] = ()) -> str:
    """Return a digest of the names, sizes and times of all files in a folder, up to some number.

    Those that are ``apart`` are our own, and change as we go.
    """
    own = {os.path.realpath(path) for path in apart}
    whole, count = sha256(os.fsencode(folder)), 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - PASSING)
        for name in sorted(names):
            path = os.path.join(place, name)  # noqa: PTH118 - there are many
            if own and os.path.realpath(path) in own:
                continue
            try:
                seen = os.lstat(path)
            except FileNotFoundError:  # it has gone meanwhile
                continue
            whole.update(os.fsencode(path) + b"\0%d %d\n" % (seen.st_size, seen.st_mtime_ns))
            count += 1
        if count > MAX_FILES:
            break
    return whole.hexdigest()
