"""Files: what a test on disk is given, each under its own name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from posixpath import dirname
from types import MappingProxyType

_WHITE_SPACE = b" \t\n\r\x0b\f"


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
