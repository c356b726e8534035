"""Tar archives of all sorts."""

import io
import tarfile

import pytest

from unit.formats.containers.samples import tar_in, tar_of
from wynot.formats.containers.container import Packed
from wynot.formats.containers.tars import BLOCK_BYTES, TAR

FORMATS = [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT]
LONG = "folder/" * 19 + "x" * 60


def packed_in(content: bytes) -> Packed:
    packed = TAR.unpack(content)
    assert packed is not None
    return packed


@pytest.mark.parametrize("kind", FORMATS)
def test_long_names_in_every_format(kind: int) -> None:
    content = tar_of([("a", b"1"), (LONG, b"2" * 600), ("b", b"")], kind)
    packed = packed_in(content)
    assert [member.name for member in packed.members] == ["a", LONG, "b"]
    assert TAR.pack(packed) == content
    shorter = Packed((packed.members[1].holding(b"3" * 9),), tail=packed.tail)
    assert tar_in(TAR.pack(shorter)) == [(LONG, b"3" * 9)]


@pytest.mark.parametrize("kind", FORMATS)
def test_links_folders_and_modes_stay(kind: int) -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=kind) as archive:
        for name, category, link in [
            ("d", tarfile.DIRTYPE, ""),
            ("soft", tarfile.SYMTYPE, "d/a"),
            ("hard", tarfile.LNKTYPE, "d/a"),
            ("pipe", tarfile.FIFOTYPE, ""),
        ]:
            info = tarfile.TarInfo(name)
            info.type, info.linkname, info.mode, info.mtime = category, link, 0o751, 77
            archive.addfile(info)
    content = file.getvalue()
    packed = packed_in(content)
    assert [(member.name, member.content) for member in packed.members] == [
        (name, b"") for name in ("d/", "soft", "hard", "pipe")
    ]
    assert TAR.pack(packed) == content
    some = TAR.pack(Packed(packed.members[1:3]))
    with tarfile.open(fileobj=io.BytesIO(some), mode="r:") as archive:
        soft, hard = archive.getmembers()
        assert (soft.issym(), soft.linkname, soft.mode, soft.mtime) == (True, "d/a", 0o751, 77)
        assert hard.islnk()


def test_a_long_link_is_not_a_name() -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.GNU_FORMAT) as archive:
        info = tarfile.TarInfo("soft")
        info.type, info.linkname = tarfile.SYMTYPE, LONG
        archive.addfile(info)
    assert [member.name for member in packed_in(file.getvalue()).members] == ["soft"]


def test_pax_records_for_all_are_a_member_of_their_own() -> None:
    file = io.BytesIO()
    with tarfile.open(
        fileobj=file, mode="w", format=tarfile.PAX_FORMAT, pax_headers={"comment": "of all"}
    ) as archive:
        archive.addfile(tarfile.TarInfo("a"))
    packed = packed_in(file.getvalue())
    records, a = packed.members
    assert (records.content, a.name) == (b"", "a")
    assert TAR.pack(packed) == file.getvalue()
    assert tar_in(TAR.pack(Packed((a,), tail=packed.tail))) == [("a", b"")]


def test_the_end_may_be_missing_or_followed_by_anything() -> None:
    bare = tar_of([("a", b"1")])[: 2 * BLOCK_BYTES]
    assert packed_in(bare).tail == b""
    assert packed_in(bare + bytes(BLOCK_BYTES) + b"more").tail == bytes(BLOCK_BYTES) + b"more"
    assert TAR.unpack(bare + b"more") is None
    assert tar_in(TAR.pack(Packed((), tail=bytes(2 * BLOCK_BYTES)))) == []


def changed(content: bytes, place: int, some: bytes, start: int = 0) -> bytes:
    """Return an archive with other bytes in a header whose checksum is right."""
    header = bytearray(content[start : start + BLOCK_BYTES])
    header[place : place + len(some)] = some
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return content[:start] + bytes(header) + content[start + BLOCK_BYTES :]


def test_sizes_in_base_256() -> None:
    content = changed(tar_of([("a", b"123")]), 124, b"\x80" + bytes(10) + b"\3")
    packed = packed_in(content)
    assert packed.members[0].content == b"123"
    assert TAR.pack(packed) == content
    assert tar_in(TAR.pack(Packed((packed.members[0].holding(b"12"),)))) == [("a", b"12")]


@pytest.mark.parametrize(
    ("place", "some"),
    [
        (124, b"-0000000001\0"),
        (124, b"00000_00001\0"),
        (124, b"\xff" * 12),
        (124, b"77777777777\0"),
        (156, b"S"),
        (156, b"M"),
        (156, b"x"),  # records of a member that is not there
        (156, b"L"),
    ],
)
def test_headers_that_are_not_right_or_not_known(place: int, some: bytes) -> None:
    assert TAR.unpack(changed(tar_of([("a", b"1")]), place, some)) is None


def test_a_wrong_checksum() -> None:
    content = bytearray(tar_of([("a", b"1")]))
    content[0] ^= 1
    assert TAR.unpack(bytes(content)) is None


def test_sizes_in_pax_records_are_left_alone() -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("a")
        info.pax_headers = {"comment": "x", "size": "0"}
        archive.addfile(info)
    assert TAR.unpack(file.getvalue()) is None


def test_records_for_all_between_those_of_a_member_are_left_alone() -> None:
    long = tar_of([(LONG, b"")], tarfile.GNU_FORMAT)
    assert TAR.unpack(changed(long, 156, b"g", 2 * BLOCK_BYTES)) is None
