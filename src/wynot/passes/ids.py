"""Numbers of nodes and of tokens, which are not to be mixed up."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NewType, Protocol, TypeVar, cast

NodeId = NewType("NodeId", int)
"""The number of a node in a forest."""
TokenId = NewType("TokenId", int)
"""The number of a token, among those of all texts."""
ROOT_NODE = NodeId(0)


def tokens_between(start: int, end: int) -> Sequence[TokenId]:
    """Return the tokens from one up to before another."""
    return cast("Sequence[TokenId]", range(start, end))


Place_contra = TypeVar("Place_contra", contravariant=True)
Item_co = TypeVar("Item_co", covariant=True)


class Column(Protocol[Place_contra, Item_co]):
    """An array that says what it is of, and of what its numbers are."""

    def __getitem__(self, at: Place_contra, /) -> Item_co: ...
    def __setitem__(self, at: Place_contra, item: int, /) -> None: ...
    def __iter__(self) -> Iterator[Item_co]: ...
    def __len__(self) -> int: ...
    def append(self, item: int, /) -> None:
        """Put a number at the end."""

    def extend(self, items: Iterable[int], /) -> None:
        """Put numbers at the end."""


def column(code: str, *first: int) -> Callable[[], Any]:
    """Return what makes an array that begins with some numbers."""
    return lambda: array(code, first)
