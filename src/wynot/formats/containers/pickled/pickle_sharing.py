"""What a pickle remembers: values that have names, and constants that it would say twice.

A text says a constant wherever it is, so that no place hangs on another one. A pickle remembers it
if that makes it shorter.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from wynot.formats.containers.pickled.pickle_codes import numbered_code
from wynot.formats.containers.pickled.pickle_forms import PickledName

WITH_MEMOIZE = 4
"""The protocol since which what is remembered needs no number, and there are short texts."""


class PickledMention(NamedTuple):
    """What has a name is put on the stack here."""

    name: str


class PickledConstant(NamedTuple):
    """A text or bytes."""

    code: bytes


class PickledGlobal(NamedTuple):
    """A class or a function, which is looked for by its names."""

    names: tuple[PickledConstant, ...]
    code: bytes
    """What looks for it, when its names are there."""


PickledPiece: TypeAlias = bytes | PickledName | PickledMention | PickledConstant | PickledGlobal


def remembering(pieces: Sequence[PickledPiece], used: set[str], protocol: int) -> bytes:
    """Return the bytes of the pieces; of the names, only ``used`` ones are remembered."""
    sharing = _Sharing(pieces, protocol)
    return b"".join(code for piece in pieces for code in sharing.codes(piece, used))


class _Sharing:
    """What is remembered so far, and how often constants are there."""

    def __init__(self, pieces: Sequence[PickledPiece], protocol: int) -> None:
        self._globals = Counter(piece for piece in pieces if isinstance(piece, PickledGlobal))
        self._constants = Counter(piece for piece in pieces if isinstance(piece, PickledConstant))
        self._constants.update(name for each in self._globals for name in each.names)
        self._has_memoize = protocol >= WITH_MEMOIZE
        self._numbers: dict[str | PickledConstant | PickledGlobal, int] = {}

    def codes(self, piece: PickledPiece, used: set[str]) -> Iterator[bytes]:
        """Yield the instructions of a piece."""
        if isinstance(piece, bytes):
            yield piece
        elif isinstance(piece, PickledName):
            if piece.name in used:
                yield self._put(piece.name)
        elif isinstance(piece, PickledMention):
            yield self._get(self._numbers[piece.name])
        elif piece in self._numbers:
            yield self._get(self._numbers[piece])
        else:
            if isinstance(piece, PickledGlobal):
                for name in piece.names:
                    yield from self.codes(name, used)
            yield piece.code
            if self._pays(piece):
                yield self._put(piece)

    def _pays(self, piece: PickledConstant | PickledGlobal) -> bool:
        """Tell whether it is shorter to remember something than to say it again."""
        if isinstance(piece, PickledGlobal):
            return self._globals[piece] > 1
        number, again = len(self._numbers), self._constants[piece] - 1
        put = 1 if self._has_memoize else len(self._get(number))
        return put + again * len(self._get(number)) < again * len(piece.code)

    def _put(self, what: str | PickledConstant | PickledGlobal) -> bytes:
        number = self._numbers[what] = len(self._numbers)
        return b"\x94" if self._has_memoize else numbered_code(b"q", b"r", number)

    def _get(self, number: int) -> bytes:
        return numbered_code(b"h", b"j", number)
