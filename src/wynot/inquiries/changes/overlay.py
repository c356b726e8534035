"""An overlay: how a tree differs from the passing one, file by file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from os import fsencode
from typing import NamedTuple

from wynot.inquiries.changes.git import quoted


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
