"""What a number can tell: how many lines, words, columns or bytes there are, or the largest one."""

import re
from dataclasses import dataclass

from wynot.relations.relation import Span

_INTEGER = re.compile(rb"[-+]?[0-9]{1,18}")

COUNTED, MEASURED, DIGESTED = 0, 1, 2
"""When a relation is put right: a length depends on how counts are written, a checksum on both."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines that are not blank."""

    begins: bytes = b""
    """What they may begin with, if that matters: any of these bytes."""
    rank: int = COUNTED

    def __call__(self, content: bytes, scope: Span, _members: int) -> int:
        """Count them."""
        found = content[slice(*scope)].split(b"\n")
        if self.begins:
            return sum(line[:1] in self.begins for line in found if line)
        return len([1 for line in found if line and not line.isspace()])


@dataclass(frozen=True, slots=True)
class HeadedLines:
    """The lines that begin with a certain word."""

    word: bytes
    rank: int = COUNTED

    def __call__(self, content: bytes, scope: Span, _members: int) -> int:
        """Count them."""
        lines = content[slice(*scope)].split(b"\n")
        return sum(line.split(None, 1)[:1] == [self.word] for line in lines)


@dataclass(frozen=True, slots=True)
class Words:
    """What is between white space."""

    only: bytes = b""
    """The word that counts, if not all do."""
    rank: int = COUNTED

    def __call__(self, content: bytes, scope: Span, _members: int) -> int:
        """Count them."""
        words = content[slice(*scope)].split()
        return words.count(self.only) if self.only else len(words)


@dataclass(frozen=True, slots=True)
class Columns:
    """The words of the first line that has any; or its fields; or its characters."""

    between: bytes | None = None
    """What is between fields; None: white space; empty: nothing."""
    rank: int = COUNTED

    def __call__(self, content: bytes, scope: Span, _members: int) -> int:
        """Count them."""
        for line in content[slice(*scope)].split(b"\n"):
            if line and not line.isspace():
                return self.of_line(line)
        return 0

    def of_line(self, line: bytes) -> int:
        """Count those of one line."""
        if self.between == b"":
            return len(line.rstrip(b"\r"))
        return len(line.split(self.between))


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest of some words of each line, whatever its sign."""

    first: int = 0
    stop: int | None = None
    """Which words of each line."""
    rank: int = COUNTED

    def __call__(self, content: bytes, scope: Span, _members: int) -> int:
        """Find it."""
        found = 0
        for line in content[slice(*scope)].split(b"\n"):
            for word in line.split()[self.first : self.stop]:
                if _INTEGER.fullmatch(word):
                    found = max(found, abs(int(word)))
        return found


@dataclass(frozen=True, slots=True)
class KnownMembers:
    """Parts of the text that are known."""

    rank: int = COUNTED

    def __call__(self, _content: bytes, _scope: Span, members: int) -> int:
        """Count them."""
        return members


@dataclass(frozen=True, slots=True)
class Octets:
    """Bytes."""

    some: bool = False
    """Whether there have to be some: what is empty goes as a whole."""
    rank: int = MEASURED

    def __call__(self, _content: bytes, scope: Span, _members: int) -> int:
        """Count them."""
        return scope.stop - scope.start


@dataclass(frozen=True, slots=True)
class Offset:
    """Where something begins."""

    rank: int = MEASURED

    def __call__(self, _content: bytes, scope: Span, _members: int) -> int:
        """Return its place."""
        return scope.start
