"""Code in which numbers are missing, and how these are put in."""

from collections.abc import Iterable, Mapping

from wynot.formats.containers.modules.fitting import (
    REFERENCED,
    BlockType,
    CalledType,
    Code,
    CodePiece,
    Mention,
)
from wynot.formats.containers.modules.module_spaces import FunctionType
from wynot.formats.containers.modules.wasm_operations import TYPE_BYTES, leb128, signed_leb128

_NOTHING = b"\x40"


def flattened(code: list[Code]) -> tuple[CodePiece, ...]:
    """Return the pieces of a code in order, however deep they are; bytes are joined."""
    pieces: list[CodePiece] = []
    waiting: list[Code] = [code]
    joined: list[bytes] = []
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, list):
            waiting += reversed(piece)
        elif isinstance(piece, bytes):
            joined.append(piece)
        else:
            pieces += (b"".join(joined), piece)
            joined = []
    return (*pieces, b"".join(joined))


class FunctionTypes:
    """The types of functions, numbered as they are met."""

    def __init__(self) -> None:
        self.numbers: dict[FunctionType, int] = {}

    def number(self, takes: str, gives: str) -> int:
        """Return the number of a type."""
        return self.numbers.setdefault((takes, gives), len(self.numbers))

    def written(self) -> list[bytes]:
        """Return them as they are in a module."""
        return [b"\x60" + type_list(takes) + type_list(gives) for takes, gives in self.numbers]


def type_list(letters: str) -> bytes:
    """Return the types of several values, with their number."""
    return leb128(len(letters)) + bytes(map(TYPE_BYTES.__getitem__, letters))


def linked(
    pieces: Iterable[CodePiece], numbers: Mapping[tuple[str, str], int], types: FunctionTypes
) -> bytes:
    """Return a code with all its numbers."""
    return b"".join(
        piece if isinstance(piece, bytes) else _number(piece, numbers, types) for piece in pieces
    )


def _number(
    piece: Mention | BlockType | CalledType,
    numbers: Mapping[tuple[str, str], int],
    types: FunctionTypes,
) -> bytes:
    if isinstance(piece, Mention):
        space, name = piece
        return leb128(numbers["f" if space == REFERENCED else space, name])
    takes, gives = piece
    if isinstance(piece, CalledType):
        return leb128(types.number(takes, gives))
    if not takes and len(gives) <= 1:
        return bytes((TYPE_BYTES[gives],)) if gives else _NOTHING
    return signed_leb128(types.number(takes, gives))
