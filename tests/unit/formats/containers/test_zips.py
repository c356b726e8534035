"""Zip archives as programs write them."""

import io
import struct
import zipfile
import zlib

import pytest

from unit.formats.containers.samples import zip_in, zip_of
from wynot.formats.containers.container import FREE, Member, Packed
from wynot.formats.containers.zips import ZIP


class Pipe(io.BytesIO):
    """A file that cannot be gone back in, so that sizes follow the contents."""

    def seekable(self) -> bool:
        return False

    def tell(self) -> int:
        raise io.UnsupportedOperation


def packed_in(content: bytes) -> Packed:
    packed = ZIP.unpack(content)
    assert packed is not None
    return packed


def test_what_is_known_of_a_file_stays() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        info = zipfile.ZipInfo("run.sh", (2001, 2, 3, 4, 5, 6))
        info.external_attr = 0o100755 << 16
        info.comment = b"of this file"
        info.extra = struct.pack("<2H", 0xCAFE, 0)
        archive.writestr(info, b"x" * 99, zipfile.ZIP_DEFLATED)
        archive.writestr("stored", b"y" * 99, zipfile.ZIP_STORED)
        archive.comment = b"of the archive"
    packed = packed_in(file.getvalue())
    run, stored = packed.members
    again = ZIP.pack(Packed((run.holding(b"z" * 999), stored.holding(b"w")), tail=packed.tail))
    with zipfile.ZipFile(io.BytesIO(again)) as archive:
        info, other = archive.infolist()
        assert archive.comment == b"of the archive"
        assert (info.date_time, info.external_attr >> 16) == ((2001, 2, 3, 4, 5, 6), 0o100755)
        assert (info.comment, info.extra) == (b"of this file", b"\xfe\xca\0\0")
        assert (info.compress_type, info.file_size) == (zipfile.ZIP_DEFLATED, 999)
        assert (other.compress_type, archive.read(other)) == (zipfile.ZIP_STORED, b"w")


def test_sizes_may_follow_the_contents() -> None:
    file = Pipe()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", b"a" * 99)
        archive.writestr("b", b"b" * 99)
    packed = packed_in(file.getvalue())
    assert zip_in(ZIP.pack(packed)) == [("a", b"a" * 99), ("b", b"b" * 99)]


def test_members_stay_as_they_were_compressed() -> None:
    content = zip_of([("a", b"abc" * 999), ("b", b"b")])
    a, b = packed_in(content).members
    assert a.holding(b"abc" * 999) is a
    assert a.stored is not None
    assert a.stored in ZIP.pack(Packed((a, b.holding(b"c"))))


def test_two_members_may_have_the_same_name() -> None:
    (a,) = packed_in(zip_of([("a", b"1")])).members
    twice = ZIP.pack(Packed((a, a.holding(b"2"))))
    assert [member.content for member in packed_in(twice).members] == [b"1", b"2"]
    assert packed_in(ZIP.pack(Packed(()))).members == ()


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_to_compress_are_left_alone(method: int) -> None:
    assert ZIP.unpack(zip_of([("a", b"a")], method)) is None


def directory(content: bytes | bytearray) -> int:
    return content.index(b"PK\1\2")


@pytest.mark.parametrize(
    ("place", "byte"),
    [
        (8, 1),  # encrypted
        (10, 9),  # compressed in another way
        (16, 77),  # another checksum
        (20, 0xFF),  # another size when compressed
        (24, 0xFF),  # another size
        (34, 1),  # on another disk
        (42, 1),  # elsewhere
    ],
)
def test_a_directory_that_is_not_right(place: int, byte: int) -> None:
    content = bytearray(zip_of([("a", b"abc")]))
    content[directory(content) + place] = byte
    assert ZIP.unpack(bytes(content)) is None


def test_bombs_are_not_unpacked() -> None:
    assert ZIP.unpack(zip_of([("a", bytes(FREE))])) is not None
    assert ZIP.unpack(zip_of([("a", bytes(FREE)), ("b", b"b")])) is None
    modest = bytearray(zip_of([("a", bytes(FREE + 1))]))
    struct.pack_into("<I", modest, directory(modest) + 24, 1)  # it says that it is small
    assert ZIP.unpack(bytes(modest)) is None


def test_the_checksum_is_that_of_the_content() -> None:
    header = packed_in(zip_of([("a", b"")])).members[0].header
    written = ZIP.pack(Packed((Member("a", header, b"abc"),)))
    assert struct.unpack_from("<I", written, 14) == (zlib.crc32(b"abc"),)
