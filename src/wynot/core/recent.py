"""What was worked out last: it may be asked for again soon."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """The values that were last asked for, as many as there is room for.

    It is not for several threads.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._known: dict[Key, Value] = {}

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key; one that is not known is made."""
        value = self._known.pop(key) if key in self._known else make()
        if len(self._known) >= self._room:
            del self._known[next(iter(self._known))]
        self._known[key] = value  # as the last one
        return value
