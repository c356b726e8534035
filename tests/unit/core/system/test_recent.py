"""Caches that keep no more bytes together than they may."""

import gc
from functools import partial
from threading import Thread
from weakref import ref

from wynot.core.system.recent import ENTRY_BYTES, Cache, CacheMemory


class Thing:
    """A value that can be watched."""


def cache_in(memory: CacheMemory) -> Cache[str, bytes]:
    return Cache(lambda _, value: len(value) - ENTRY_BYTES, memory)


def is_kept(cache: Cache[str, bytes], key: str) -> bool:
    """Tell whether a value is there, without putting one there."""

    def refuse() -> bytes:
        raise LookupError

    try:
        return bool(cache.get(key, refuse))
    except LookupError:
        return False


def test_caches_share_one_bound_and_drop_what_was_not_used_longest() -> None:
    memory = CacheMemory(100)
    one, two = cache_in(memory), cache_in(memory)
    one.get("a", lambda: bytes(40))
    two.get("a", lambda: bytes(41))
    one.get("a", lambda: bytes(1))  # it is there, and used again
    one.get("b", lambda: bytes(30))
    assert memory.used_bytes == 70
    assert is_kept(one, "a")
    assert not is_kept(two, "a")


def test_small_values_count_with_what_an_entry_takes() -> None:
    memory = CacheMemory(100 * ENTRY_BYTES)
    cache: Cache[int, None] = Cache(lambda _key, _value: 0, memory)
    for number in range(1_000):
        cache.get(number, lambda: None)
    assert memory.used_bytes == 100 * ENTRY_BYTES


def test_last_value_above_the_bound_is_kept_and_drops_no_others() -> None:
    memory = CacheMemory(100)
    cache = cache_in(memory)
    cache.get("small", lambda: bytes(60))
    cache.get("first", lambda: bytes(101))
    cache.get("other", lambda: bytes(30))
    assert [is_kept(cache, key) for key in ("small", "first", "other")] == [True] * 3
    cache.get("second", lambda: bytes(200))
    assert [is_kept(cache, key) for key in ("small", "first", "second")] == [True, False, True]


def test_values_go_with_their_cache_and_their_bytes_when_there_is_need() -> None:
    memory = CacheMemory(100)
    cache: Cache[str, Thing] = Cache(lambda _key, _value: 60 - ENTRY_BYTES, memory)
    value = ref(cache.get("a", Thing))
    assert value() is not None
    del cache
    gc.collect()
    assert value() is None
    other = cache_in(memory)
    other.get("a", lambda: bytes(90))
    assert memory.used_bytes == 90
    assert is_kept(other, "a")


def test_threads_agree_on_values_and_bytes() -> None:
    memory = CacheMemory(5_000)
    cache = cache_in(memory)

    def work() -> None:
        for number in range(2_000):
            key = str(number % 97)
            assert cache.get(key, partial(bytes, int(key) + 1)) == bytes(int(key) + 1)

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = [str(number) for number in range(97) if is_kept(cache, str(number))]
    assert memory.used_bytes == sum(int(key) + 1 for key in kept) <= memory.most_bytes
