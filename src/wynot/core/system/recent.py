"""What was worked out last: it may be asked for again soon."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeAlias, TypeVar
from weakref import ReferenceType, ref

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

MAX_CACHE_BYTES = 128 << 20
"""Bytes that all caches of the process keep together."""
ENTRY_BYTES = 400
"""What an entry takes beside its key and its value."""


class Recent(Generic[Key, Value]):
    """The values that were last asked for, as many as there is room for.

    It is for small values, and not for several threads.
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


Entry: TypeAlias = "tuple[ReferenceType[Cache[Any, Any]], Hashable]"
"""A cache, and a key in it."""


class CacheMemory:
    """The bytes that some caches may keep together: the least recently used entries go first.

    An entry that is larger than all of that is kept until there is another such one: whoever has
    asked for it has it in memory anyway. The entries of a cache that is gone are counted until they
    are the least recently used.
    """

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.used_bytes = 0
        self.lock = Lock()
        self._sizes: OrderedDict[Entry, int] = OrderedDict()
        self._huge: Entry | None = None

    def use(self, entry: Entry) -> None:
        """Note that an entry was asked for."""
        if entry in self._sizes:
            self._sizes.move_to_end(entry)

    def add(self, entry: Entry, size: int) -> None:
        """Make room for an entry."""
        if size > self.most_bytes:
            if self._huge is not None:
                self._drop(self._huge)
            self._huge = entry
            return
        self._sizes[entry] = size
        self.used_bytes += size
        while self.used_bytes > self.most_bytes:
            oldest, gone = self._sizes.popitem(last=False)
            self.used_bytes -= gone
            self._drop(oldest)

    @staticmethod
    def _drop(entry: Entry) -> None:
        found, key = entry
        cache = found()
        if cache is not None:
            cache.drop(key)


PROCESS_MEMORY = CacheMemory(MAX_CACHE_BYTES)


class Cache(Generic[Key, Value]):
    """The values that were last asked for, as many as fit into the memory of all caches."""

    def __init__(
        self, size_of: Callable[[Key, Value], int], memory: CacheMemory = PROCESS_MEMORY
    ) -> None:
        """Take what tells the bytes of a key and its value."""
        self._size_of = size_of
        self._memory = memory
        self._known: dict[Key, Value] = {}
        self._self = ref(self)

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key; one that is not known is made."""
        memory = self._memory
        with memory.lock:
            if key in self._known:
                memory.use((self._self, key))
                return self._known[key]
        value = make()
        size = ENTRY_BYTES + self._size_of(key, value)
        with memory.lock:
            if key not in self._known:  # another thread may have made it meanwhile
                self._known[key] = value
                memory.add((self._self, key), size)
        return value

    def drop(self, key: Key) -> None:
        """Forget a value."""
        del self._known[key]
