"""Files as a test is given them, and a case of which each whole file is a delta.

First a candidate's digest is asked for, then its files; so both come out of one writing.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from posixpath import dirname
from types import MappingProxyType

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.system.recent import Recent

_WHITE_SPACE = b" \t\n\r\x0b\f"
SNIFFED_BYTES = 1 << 16


def is_text(content: bytes) -> bool:
    """Tell whether a content is worth cutting into lines and tokens.

    A NUL byte is what tells: no text in use has one, and nearly every binary file does. An unknown
    or broken encoding does not matter, since all formats work on bytes.
    """
    return b"\0" not in content[:SNIFFED_BYTES]


@dataclass(frozen=True)  # without slots, for what is worked out once
class Files:
    """Contents by relative path, in a fixed order; never changed, only replaced.

    Paths are POSIX, relative, and never lead out of the folder that they are put into.
    """

    contents: Mapping[str, bytes]
    modes: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Permission bits of files that have other than the usual ones."""
    links: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Symbolic links that belong to the folder, and where they lead; they are not reduced."""

    @property
    def size(self) -> int:
        """How many bytes there are in all."""
        return sum(map(len, self.contents.values()))

    @cached_property
    def weight(self) -> int:
        """How many bytes there are that are not white space."""
        return sum(len(each.translate(None, _WHITE_SPACE)) for each in self.contents.values())

    @property
    def digest(self) -> bytes:
        """A key for the content; for a file that was given alone it is what ``sha256sum`` prints.

        The only file that is left of a folder is not that: another one might have been left.
        """
        if [*map(dirname, self.contents)] == [""]:
            return sha256(*self.contents.values()).digest()
        whole = sha256()
        for path, content in self.contents.items():
            name = path.encode("utf-8", "surrogateescape")
            whole.update(b"%d %s %d\n" % (len(name), name, len(content)))
            whole.update(content)
        return whole.digest()

    def replaced(self, contents: Mapping[str, bytes]) -> "Files":
        """Return these files with other contents; those that are not named are gone."""
        return Files(contents, self.modes, self.links)


KEPT_BYTES = 8 << 20
"""Bytes of written candidates that are kept until their test is started."""
KEPT_BASES = 3
"""How many bases are kept, from which candidates are written: whoever looks ahead has several in
turn."""


class RenderedCase(ABC):
    """Files, of which deltas can be left out."""

    def __init__(self, files: Files, count: int) -> None:
        self.files = files
        self.deltas = Deltas.first(count)
        self._known: Recent[int, tuple[Files, bytes]] = Recent(
            max(1, KEPT_BYTES // (files.size + 1))
        )

    @abstractmethod
    def _write(self, candidate: Candidate) -> Files:
        """Return the files of a candidate."""

    def _digest(self, files: Files) -> bytes:
        """Return what files are known by."""
        return files.digest

    def size(self, deltas: Deltas) -> int:
        """Return how many parts a configuration has."""
        return len(deltas)

    def digest(self, candidate: Candidate) -> bytes:
        """Return the digest of the content: the same in every pass, and in every run."""
        return self._rendered(candidate)[1]

    def render(self, candidate: Candidate) -> Files:
        """Return the files of a candidate."""
        return self._rendered(candidate)[0]

    def _rendered(self, candidate: Candidate) -> tuple[Files, bytes]:
        return self._known.get(candidate.key, lambda: self._written_out(candidate))

    def _written_out(self, candidate: Candidate) -> tuple[Files, bytes]:
        files = self._write(candidate)
        return files, self._digest(files)


class FolderCase(RenderedCase):
    """Files, of which some can go as a whole."""

    def __init__(self, files: Files, paths: Sequence[str]) -> None:
        super().__init__(files, len(paths))
        self._paths = paths

    @property
    def key(self) -> Hashable:
        """What tells this from other ways to cut the same files."""
        return tuple(self._paths)

    @property
    def weights(self) -> Sequence[int]:
        """The bytes of each file; its name counts as one."""
        return [len(self.files.contents[path]) + 1 for path in self._paths]

    def _write(self, candidate: Candidate) -> Files:
        kept = candidate.kept
        gone = {path for number, path in enumerate(self._paths) if number not in kept}
        contents = self.files.contents
        return self.files.replaced(
            {path: content for path, content in contents.items() if path not in gone}
        )
