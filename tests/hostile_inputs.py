"""Inputs made to send wynot astray: a text of every language, a file of every format, mutilated.

Each input has a number, from which all of it follows. ``benchmarks/fuzz.py`` reduces them.
"""

import gzip
import hashlib
import pickle
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import NamedTuple

from trees import SAMPLES as LANGUAGE_SAMPLES
from unit.binaries.java import class_samples
from unit.binaries.sqlite import database_samples
from unit.binaries.wasm import module_samples
from unit.formats.containers import samples as archives

MAX_BYTES = 64 << 10
_DIGITS = b"1" * 5000
_SIGNS = (*b"( ) [ ] { } < > \" ' ` \\ /*".split(), b"\n", b" ")
_WORDS = (b"\0", b"\xff", b"\x80", b"\n\n", b"\t", b"  ", *b"1 a # // <!-- - =".split())


class HostileInput(NamedTuple):
    """A file, and a test that tells by its content whether it fails."""

    name: str
    content: bytes
    fails: Callable[[bytes], bool]
    about: str


def hostile_input(number: int) -> HostileInput:
    """Return the input that belongs to a number, always the same one."""
    random = Random(number)
    name, content = random.choice(_bases())
    if random.random() < 0.1:
        name = random.choice(_bases())[0]
    for _ in range(random.choice((0, 1, 2, 3, 5, 8, 20))):
        content = random.choice(_MUTATIONS)(content, random)[:MAX_BYTES]
    wanted = 1 << random.randrange(6, 18)
    while content and len(content) < min(wanted, MAX_BYTES) and random.random() < 0.8:
        content = _spliced(content + content, random)[:MAX_BYTES]
    about, fails = random.choice(_TESTS)(content, random)
    return HostileInput(name, content, fails, f"{name}, {len(content)} bytes, {about}")


@lru_cache
def _bases() -> list[tuple[str, bytes]]:
    """Return samples by name."""
    texts = [(path.name, path.read_bytes()) for path in LANGUAGE_SAMPLES.values()]
    binaries = [(f"sample.{each.container.name}", each.content) for each in archives.SAMPLES]
    binaries += (
        ("a.wasm", module_samples.module_of(text)) for text in module_samples.SAMPLES.values()
    )
    binaries += (
        ("A.class", class_samples.class_of_texts(text)) for text in class_samples.SAMPLES.values()
    )
    binaries += (
        ("a.sqlite", database_samples.made_by(script))
        for script in database_samples.SCRIPTS.values()
    )
    binaries += (("a.pickle", pickle.dumps(value, 4)) for value in _pickled_values())
    some = texts[::7] + binaries[::7]
    members = [(f"{place}/{name}", content) for place, (name, content) in enumerate(some)]
    for make, ending in ((archives.zip_of, "zip"), (archives.tar_of, "tar")):
        binaries += [(f"a.{ending}", make(members)), (f"b.{ending}", make(texts[:3]))]
    binaries += [(f"{name}.gz", gzip.compress(content, mtime=0)) for name, content in some]
    return texts + binaries


def _pickled_values() -> list[object]:
    shared = ["x", "y"]
    return [
        [shared, shared, 1, 2**100, -1.5, None, True, b"\0\1", "é"],
        {number: (str(number), [number]) for number in range(300)},
        [[[[[[]]]]], {1, 2}, frozenset({3}), len, ValueError, range(5)],
    ]


def _place(content: bytes, random: Random) -> int:
    return random.randrange(len(content) + 1)


def _span(content: bytes, random: Random) -> tuple[int, int]:
    start = _place(content, random)
    return start, min(len(content), start + random.choice((1, 2, 8, 30, 200, 2000)))


def _spliced(content: bytes, random: Random) -> bytes:
    """Put a piece of it, or of another sample, somewhere."""
    source = content if random.random() < 0.5 else random.choice(_bases())[1]
    start, stop = _span(source, random)
    at, until = _span(content, random) if random.random() < 0.5 else (_place(content, random),) * 2
    return content[:at] + source[start:stop] + content[until:]


def _repeated(content: bytes, random: Random) -> bytes:
    start, stop = _span(content, random)
    times = random.choice((2, 3, 10, 100, 1000, 10_000))
    return (
        content[:start]
        + content[start:stop] * min(times, 1 + MAX_BYTES // max(1, stop - start))
        + content[stop:]
    )


def _deleted(content: bytes, random: Random) -> bytes:
    start, stop = _span(content, random)
    return content[:start] + content[stop:]


def _inserted(content: bytes, random: Random) -> bytes:
    """Put brackets, quotes or long numbers somewhere, alone or many of them."""
    at, sign = _place(content, random), random.choice((*_SIGNS, *_WORDS, _DIGITS))
    times = random.choice((1, 1, 1, 2, 10, 100, 1000, 5000)) if sign != _DIGITS else 1
    return content[:at] + sign * times + content[at:]


def _nested(content: bytes, random: Random) -> bytes:
    """Put a piece of it into many brackets."""
    start, stop = _span(content, random)
    opens, closes = random.choice(
        ((b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"<a>", b"</a>"), (b"if (a) {\n", b"}\n"),
         (b'[{"a":', b"}]"), (b"f(", b")"), (b"- ", b""), (b"\\(", b"\\)"), (b"${", b"}"))
    )  # fmt: skip
    depth = random.choice((1, 3, 20, 200, 1000, 4000))
    return content[:start] + opens * depth + content[start:stop] + closes * depth + content[stop:]


def _swapped(content: bytes, random: Random) -> bytes:
    changed = bytearray(content)
    for _ in range(random.choice((1, 2, 10, 100)) if content else 0):
        changed[random.randrange(len(changed))] = random.choice(
            (random.randrange(256), 0, 0xFF, 0x7F)
        )
    return bytes(changed)


def _exchanged(content: bytes, random: Random) -> bytes:
    places = sorted(_place(content, random) for _ in range(4))
    a, b, c, d = places
    return content[:a] + content[c:d] + content[b:c] + content[a:b] + content[d:]


def _truncated(content: bytes, random: Random) -> bytes:
    at = _place(content, random)
    return content[at:] if random.random() < 0.3 else content[:at]


def _joined(content: bytes, random: Random) -> bytes:
    return content + random.choice((b"", b"\n")) + random.choice(_bases())[1]


def _on_one_line(content: bytes, random: Random) -> bytes:
    return content.replace(
        *random.choice(((b"\n", b" "), (b" ", b"\n"), (b" ", b""), (b"\n", b"\r\n")))
    )


_MUTATIONS = (_spliced, _spliced, _repeated, _repeated, _deleted, _inserted, _inserted, _nested,
              _swapped, _exchanged, _truncated, _joined, _on_one_line)  # fmt: skip

_Test = tuple[str, Callable[[bytes], bool]]


def _has_markers(content: bytes, random: Random) -> _Test:
    spans = (_span(content, random) for _ in range(random.choice((1, 1, 2, 5))))
    markers = [content[start : min(stop, start + 30)] for start, stop in spans]
    return f"has {markers}", lambda tried: all(marker in tried for marker in markers)


def _is_long(content: bytes, random: Random) -> _Test:
    least = int(len(content) * random.random())
    return f"has {least} bytes", lambda tried: len(tried) >= least


def _by_chance(_content: bytes, random: Random) -> _Test:
    share = random.choice((1, 4, 16, 64, 128))
    salt = random.randbytes(4)
    return f"{share} of 256", lambda tried: hashlib.sha256(salt + tried).digest()[0] < share


def _counted(content: bytes, random: Random) -> _Test:
    sign = random.choice((b"\n", b"(", b"{", b" ", b"\0", b";", b"a", b"1"))
    least = random.randrange(content.count(sign) + 1)
    return f"{least} times {sign!r}", lambda tried: tried.count(sign) >= least


def _always(_content: bytes, _random: Random) -> _Test:
    return "always", lambda _tried: True


def _never(_content: bytes, _random: Random) -> _Test:
    return "never", lambda _tried: False


_TESTS = (_has_markers, _has_markers, _is_long, _by_chance, _by_chance, _counted, _always, _never)
