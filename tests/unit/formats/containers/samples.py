"""Containers made, and read, by others than those that are tested."""

import gzip
import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from wynot.formats.containers.container import Container
from wynot.formats.containers.gzips import GZIP
from wynot.formats.containers.pngs import PNG
from wynot.formats.containers.tars import TAR
from wynot.formats.containers.wasms import WASM
from wynot.formats.containers.zips import ZIP

Inside = list[tuple[str, bytes]]
"""Names and contents, in order."""


def zip_of(inside: Iterable[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in inside:
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return file.getvalue()


def zip_in(content: bytes) -> Inside:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [(info.filename, archive.read(info)) for info in archive.infolist()]


def tar_of(inside: Iterable[tuple[str, bytes]], kind: int = tarfile.PAX_FORMAT) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=kind) as archive:
        for name, content in inside:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return file.getvalue()


def tar_in(content: bytes) -> Inside:
    found = []
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
        for info in archive:
            file = archive.extractfile(info) if info.isreg() else None
            found.append((info.name, file.read() if file else b""))
    return found


def gzip_of(inside: Iterable[tuple[str, bytes]]) -> bytes:
    ((name, content),) = inside
    file = io.BytesIO()
    with gzip.GzipFile(name, "wb", fileobj=file, mtime=1) as archive:
        archive.write(content)
    return file.getvalue()


def gzip_in(content: bytes) -> Inside:
    return [(content[10 : content.index(b"\0", 10)].decode("latin-1"), gzip.decompress(content))]


def png_of(inside: Iterable[tuple[str, bytes]]) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data))
        + name.encode()
        + data
        + struct.pack(">I", zlib.crc32(name.encode() + data))
        for name, data in inside
    )


def png_in(content: bytes) -> Inside:
    found, rest = [], io.BytesIO(content[8:])
    while head := rest.read(8):
        name, data = head[4:], rest.read(int.from_bytes(head[:4], "big"))
        assert int.from_bytes(rest.read(4), "big") == zlib.crc32(name + data)
        found.append((name.decode(), data))
    return found


def leb128(number: int) -> bytes:
    return bytes([number]) if number < 128 else bytes([number % 128 + 128]) + leb128(number // 128)


def wasm_of(inside: Iterable[tuple[str, bytes]]) -> bytes:
    """Custom sections are named ``custom …``, others by their number."""
    written = b"\0asm\1\0\0\0"
    for name, data in inside:
        kind, _, own = name.partition(" ")
        if kind == "custom":
            data = leb128(len(own.encode())) + own.encode() + data  # noqa: PLW2901
        number = 0 if kind == "custom" else int(kind)
        written += bytes([number]) + leb128(len(data)) + data
    return written


def wasm_in(content: bytes) -> Inside:
    assert content[:8] == b"\0asm\1\0\0\0"
    rest = io.BytesIO(content[8:])

    def number() -> int:
        (byte,) = rest.read(1)
        return byte if byte < 128 else byte - 128 + 128 * number()

    found = []
    while kind := rest.read(1):
        size, start = number(), rest.tell()
        name = str(kind[0])
        if not kind[0]:
            name = "custom " + rest.read(number()).decode()
        data = rest.read(size - (rest.tell() - start))
        assert rest.tell() == start + size
        found.append((name, data))
    return found


IHDR = ("IHDR", struct.pack(">2I5B", 1, 1, 8, 0, 0, 0, 0))
IEND = ("IEND", b"")
IDAT = ("IDAT", zlib.compress(b"\0\x7f"))


class Sample(NamedTuple):
    """A kind of container, some members, and how others write and read it."""

    container: Container
    inside: Inside
    many: Callable[[int], Inside]
    make: Callable[[Inside], bytes]
    read: Callable[[bytes], Inside]

    @property
    def content(self) -> bytes:
        return self.make(self.inside)


SAMPLES: Sequence[Sample] = (
    Sample(
        ZIP,
        [("d/", b""), ("d/a.txt", b"a\n" * 99), ("größer", b"\0\1"), ("b", b"")],
        lambda count: [(f"{number}", b"some") for number in range(count)],
        zip_of,
        zip_in,
    ),
    Sample(
        TAR,
        [("a.txt", b"a\n" * 300), ("d/" * 80 + "größer", b"\0\1"), ("empty", b"")],
        lambda count: [(f"{number}", b"some") for number in range(count)],
        tar_of,
        tar_in,
    ),
    Sample(
        GZIP,
        [("a.txt", b"a\n" * 300)],
        lambda count: [("a.txt", b"a\n" * 1_000 * count)],
        gzip_of,
        gzip_in,
    ),
    Sample(
        PNG,
        [IHDR, ("tEXt", b"Title\0x"), IDAT, ("eXIf", bytes(300)), IEND],
        lambda count: [IHDR, *[("IDAT", b"x" * 9)] * 4 * count, IEND],
        png_of,
        png_in,
    ),
    Sample(
        WASM,
        [("1", b"\1\x60\0\0"), ("custom näme", b"x" * 200), ("10", b"\0"), ("custom ", b"")],
        lambda count: [("custom x", b"some")] * count,
        wasm_of,
        wasm_in,
    ),
)
