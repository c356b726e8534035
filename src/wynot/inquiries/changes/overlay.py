"""How a tree differs from another, file by file; and a folder without history as a tree."""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from os import fsencode
from pathlib import Path
from typing import NamedTuple

from wynot.core.errors import InvalidOption, NoSuchFile, NotAFile, Unreadable
from wynot.inquiries.changes.git import FILE_MODE, LINK_MODE, PROGRAM_MODE, quoted


class TreeEntry(NamedTuple):
    """A file or symbolic link at one path."""

    mode: int
    """As git has it; no submodule."""
    blob: str
    """The id of its content."""
    content: bytes | None = None
    """The content, unless the blob is one that the repository has."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """What differs from the passing tree: files by path, None for one that is not there.

    Paths are POSIX, relative, and in order.
    """

    base: str
    """The commit of the passing tree."""
    entries: Mapping[str, TreeEntry | None]

    @property
    def digest(self) -> bytes:
        """A key for the whole tree: the same exactly for the same files."""
        whole = sha256(self.base.encode())
        for path, entry in self.entries.items():
            name = fsencode(path)
            mode, blob = (entry.mode, entry.blob) if entry else (0, "")
            whole.update(b"%d %s %o %s\n" % (len(name), name, mode, blob.encode()))
        return whole.digest()

    def stream(self, name: str) -> Iterator[bytes]:
        """Yield what makes git's fast-import commit this tree as ``refs/wynot/name``."""
        yield head(name)
        yield b"from %s\n" % self.base.encode()
        for path, entry in self.entries.items():
            if entry is None:
                yield b"D %s\n" % quoted(fsencode(path))
        for path, entry in self.entries.items():
            if entry is None:
                continue
            if entry.content is None:
                yield b"M %o %s %s\n" % (entry.mode, entry.blob.encode(), quoted(fsencode(path)))
            else:
                yield put(path, entry.mode, entry.content)


def head(name: str) -> bytes:
    """Return the beginning of a commit, for fast-import."""
    return b"commit refs/wynot/%s\ncommitter wynot <> 0 +0000\ndata 0\n" % name.encode()


def put(path: str, mode: int, content: bytes) -> bytes:
    """Return a file of a commit, for fast-import."""
    name = quoted(fsencode(path))
    return b"M %o inline %s\ndata %d\n%s\n" % (mode, name, len(content), content)


LEFT_OUT = {".git", ".wynot"}
"""What has nothing to do with a failure: the history, and what wynot itself keeps."""


class Folder:
    """A folder that is gone through once."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise NoSuchFile(
                f"there is no folder {str(path)!r}", path=str(path), hint="check the path"
            )
        if not path.is_dir():
            raise InvalidOption(f"{str(path)!r} is not a folder", hint="give two folders")
        self._path = path
        self.empty: list[str] = []
        """The folders with nothing in them, once it was gone through."""

    def stream(self, name: str) -> Iterator[bytes]:
        """Yield what makes git's fast-import commit the folder as ``refs/wynot/name``."""
        yield head(name)
        pending = [""]
        while pending:
            folder = pending.pop()
            entries = self._entries(folder)
            if not entries and folder:
                self.empty.append(folder)
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_dir(follow_symlinks=False):
                    pending.append(path)
                else:
                    yield put(path, *_read(entry))

    def _entries(self, folder: str) -> "list[os.DirEntry[str]]":
        try:
            with os.scandir(self._path / folder) as entries:
                found = [entry for entry in entries if entry.name not in LEFT_OUT]
        except OSError as error:
            raise _unreadable(str(self._path / folder), error) from error
        return sorted(found, key=lambda entry: entry.name)


def _read(entry: "os.DirEntry[str]") -> tuple[int, bytes]:
    """Return mode and content of a file or a link."""
    try:
        mode = entry.stat(follow_symlinks=False).st_mode
        if stat.S_ISLNK(mode):
            return LINK_MODE, os.fsencode(os.readlink(entry.path))  # noqa: PTH115 - bytes may be in it
        if not stat.S_ISREG(mode):
            raise NotAFile(
                f"{entry.path!r} is neither a file nor a folder",
                hint="give folders without pipes, sockets and devices",
            )
        content = Path(entry.path).read_bytes()
    except OSError as error:
        raise _unreadable(entry.path, error) from error
    return (PROGRAM_MODE if mode & stat.S_IXUSR else FILE_MODE), content


def _unreadable(path: str, error: OSError) -> Unreadable:
    return Unreadable(f"{path!r} cannot be read: {error.strerror}", hint="check its permissions")
