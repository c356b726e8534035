"""What is read of damaged containers, and how the damage is written again."""

import gzip
import io
import tarfile
import zipfile
import zlib
from dataclasses import replace

import pytest

from unit.formats.containers.samples import IDAT, IEND, IHDR, png_of, tar_of, wasm_of, zip_of
from wynot.formats.containers.container import CUT_SHORT, FREE, TOO_LARGE, Container, Packed
from wynot.formats.containers.gzips import DAMAGED_GZIP, trailer
from wynot.formats.containers.pngs import DAMAGED_PNG
from wynot.formats.containers.tars import DAMAGED_TAR
from wynot.formats.containers.wasms import DAMAGED_WASM
from wynot.formats.containers.zips import DAMAGED_ZIP, ZIP

ABC = [("a.txt", b"aaa " * 99), ("b.txt", b"bbb " * 99), ("c.txt", b"ccc " * 99)]
TEXT = b"".join(b"%d\n" % number for number in range(4000))


def packed_in(container: Container, content: bytes | bytearray) -> Packed:
    packed = container.unpack(bytes(content))
    assert packed is not None
    assert container.pack(packed) == content
    return packed


def damage_of(packed: Packed) -> list[tuple[str, str]]:
    return [(member.name, member.damage) for member in packed.members]


def only(packed: Packed, *names: str) -> Packed:
    kept = tuple(member for member in packed.members if member.name in names)
    return replace(packed, members=kept)


def spoiled(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 0x55]) + content[place + 1 :]


def bad_crc() -> bytes:
    """Return a zip of three stored files, of which the second is not what its checksum says."""
    content = zip_of(ABC, zipfile.ZIP_STORED)
    return spoiled(content, content.index(b"bbb"))


def test_one_member_of_a_zip_has_a_bad_checksum() -> None:
    packed = packed_in(DAMAGED_ZIP, bad_crc())
    assert damage_of(packed) == [("a.txt", ""), ("b.txt", "bad CRC-32"), ("c.txt", "")]
    assert packed.damage == ""
    alone = DAMAGED_ZIP.pack(only(packed, "b.txt"))
    assert packed.members[1].content in alone
    with zipfile.ZipFile(io.BytesIO(alone)) as archive:
        assert archive.namelist() == archive.testzip().split() == ["b.txt"]  # type: ignore[union-attr]


def test_what_can_be_read_beside_it_can_be_changed() -> None:
    packed = packed_in(DAMAGED_ZIP, bad_crc())
    first, *others = packed.members
    changed = replace(packed, members=(first.holding(b"other"), *others))
    with zipfile.ZipFile(io.BytesIO(DAMAGED_ZIP.pack(changed))) as archive:
        assert archive.read("a.txt") == b"other"
        assert archive.testzip() == "b.txt"


def test_without_the_damaged_member_a_zip_is_whole() -> None:
    packed = packed_in(DAMAGED_ZIP, bad_crc())
    whole = ZIP.unpack(DAMAGED_ZIP.pack(only(packed, "a.txt", "c.txt")))
    assert whole is not None
    assert [member.content for member in whole.members] == [ABC[0][1], ABC[2][1]]


def test_a_zip_without_its_directory() -> None:
    content = zip_of(ABC)
    bare = content[: content.index(b"PK\1\2")]
    packed = packed_in(DAMAGED_ZIP, bare)
    assert [(each.name, each.content) for each in packed.members] == ABC
    assert packed.damage == "the central directory is missing"
    some = only(packed, "b.txt", "c.txt")
    changed = replace(some, members=(some.members[0].holding(b"b"), some.members[1]))
    again = packed_in(DAMAGED_ZIP, DAMAGED_ZIP.pack(changed))
    assert [(each.name, each.content) for each in again.members] == [("b.txt", b"b"), ABC[2]]


def test_a_zip_that_is_cut_short() -> None:
    content = zip_of(ABC)
    packed = packed_in(DAMAGED_ZIP, content[: content.index(b"c.txt") + 8])
    assert damage_of(packed) == [("a.txt", ""), ("b.txt", ""), ("c.txt", CUT_SHORT)]
    entries = content[: content.index(b"PK\5\6")]
    assert packed_in(DAMAGED_ZIP, entries).damage == "the end of the central directory is missing"


def test_a_zip_that_states_wrong_sizes() -> None:
    content = bytearray(zip_of(ABC))
    place = content.index(b"PK\1\2", content.index(b"PK\1\2") + 4)
    content[place + 24] ^= 1
    packed = packed_in(DAMAGED_ZIP, content)
    assert [damage for _, damage in damage_of(packed)] == ["", "wrong size", ""]
    content[content.index(b"b.txt") - 12] ^= 1  # and in its own header
    packed = packed_in(DAMAGED_ZIP, content)
    assert [damage for _, damage in damage_of(packed)] == ["", "wrong size", ""]


def test_places_that_are_wrong_stay_wrong_by_as_much() -> None:
    content = bytearray(zip_of(ABC))
    place = content.index(b"PK\1\2", content.index(b"PK\1\2") + 4) + 42
    content[place] ^= 1
    packed = packed_in(DAMAGED_ZIP, content)
    assert damage_of(packed) == [("a.txt", ""), ("b.txt", ""), ("c.txt", "")]  # by its name
    alone = DAMAGED_ZIP.pack(only(packed, "b.txt"))
    assert alone[alone.index(b"PK\1\2") + 42 :][:4] in {b"\1\0\0\0", b"\xff\xff\xff\xff"}


def test_an_entry_without_a_member_and_a_member_without_an_entry() -> None:
    content = zip_of(ABC)
    second, third = content.index(b"b.txt") - 30, content.index(b"c.txt") - 30
    packed = packed_in(DAMAGED_ZIP, content[:second] + content[third:])
    assert damage_of(packed) == [*(("a.txt", ""), ("b.txt", "its data are missing"), ("c.txt", ""))]
    first_entry = content.index(b"PK\1\2")
    second_entry = content.index(b"PK\1\2", first_entry + 4)
    packed = packed_in(DAMAGED_ZIP, content[:first_entry] + content[second_entry:])
    assert damage_of(packed) == [("a.txt", ""), ("b.txt", ""), ("c.txt", "")]


def test_what_is_before_and_after_a_zip_can_go() -> None:
    content = zip_of(ABC)
    packed = packed_in(DAMAGED_ZIP, b"#!/bin/sh\n" + content + b"more")
    assert packed.damage == "something else comes before it"
    assert DAMAGED_ZIP.pack(only(packed, "a.txt", "b.txt", "c.txt")) == content
    packed = packed_in(DAMAGED_ZIP, content + b"more")
    assert packed.damage == "something else comes after it"


def test_what_is_before_a_zip_stays_if_places_are_counted_from_there() -> None:
    file = io.BytesIO(b"#!/bin/sh\n")
    file.seek(10)
    with zipfile.ZipFile(file, "a") as archive:
        for name, content in ABC:
            archive.writestr(name, content)
    packed = packed_in(DAMAGED_ZIP, file.getvalue())
    written = DAMAGED_ZIP.pack(only(packed, "b.txt"))
    assert written.startswith(b"#!/bin/sh\nPK")
    with zipfile.ZipFile(io.BytesIO(written)) as archive:
        assert archive.read("b.txt") == ABC[1][1]


def test_encrypted_members_and_other_compressions_stay_as_they_are() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a", b"a" * 99, zipfile.ZIP_LZMA)
        archive.writestr("b", b"b" * 99, zipfile.ZIP_DEFLATED)
    packed = packed_in(DAMAGED_ZIP, file.getvalue())
    assert damage_of(packed) == [("a", "compression method 14 is not supported"), ("b", "")]
    content = bytearray(zip_of(ABC))
    content[content.index(b"PK\1\2") + 8] |= 1
    assert damage_of(packed_in(DAMAGED_ZIP, content))[0] == ("a.txt", "it is encrypted")


def test_bombs_beside_others_stay_as_they_are() -> None:
    packed = packed_in(DAMAGED_ZIP, zip_of([("bomb", bytes(FREE + 1)), ("a", b"a")]))
    assert damage_of(packed) == [("bomb", TOO_LARGE), ("a", "")]
    assert DAMAGED_GZIP.unpack(gzip.compress(bytes(FREE + 1))) is None


@pytest.mark.parametrize("content", [b"PK\3\4", b"PK\3\4" + bytes(90), zip_of(ABC)[:40]])
def test_a_beginning_of_a_zip_is_nothing_to_be_opened(content: bytes) -> None:
    assert DAMAGED_ZIP.unpack(content) is None


def test_one_header_of_a_tar_has_a_bad_checksum() -> None:
    content = tar_of(ABC, tarfile.USTAR_FORMAT)
    packed = packed_in(DAMAGED_TAR, spoiled(content, content.index(b"b.txt") + 3))
    assert [damage for _, damage in damage_of(packed)] == ["", "bad checksum of the header", ""]
    alone = DAMAGED_TAR.pack(only(packed, packed.members[1].name))
    assert alone.startswith(packed.members[1].content)
    assert damage_of(packed_in(DAMAGED_TAR, alone)) == damage_of(packed)[1:2]


def test_a_header_of_a_tar_that_is_not_even_a_number() -> None:
    content = bytearray(tar_of(ABC, tarfile.USTAR_FORMAT))
    start = content.index(b"b.txt")
    content[start + 124 : start + 136] = b"x" * 12
    packed = packed_in(DAMAGED_TAR, content)
    assert [member.content for member in packed.members if not member.damage] == [
        *(ABC[0][1], ABC[2][1])
    ]


def test_a_tar_that_is_cut_short() -> None:
    content = tar_of(ABC, tarfile.USTAR_FORMAT)
    packed = packed_in(DAMAGED_TAR, content[: content.index(b"ccc") + 9])
    assert damage_of(packed) == [("a.txt", ""), ("b.txt", ""), ("c.txt", CUT_SHORT)]
    assert DAMAGED_TAR.unpack(content[:600]) is None


def other(content: bytes, instead: bytes) -> bytes:
    packed = packed_in(DAMAGED_GZIP, content)
    (member,) = packed.members
    return DAMAGED_GZIP.pack(replace(packed, members=(member.holding(instead),)))


@pytest.mark.parametrize(
    ("end", "damage"),
    [
        (slice(0, -8), "the checksum is missing"),
        (slice(0, -3), "the checksum is missing"),
        (slice(0, -100), CUT_SHORT),
    ],
)
def test_a_gzip_that_is_cut_short(end: slice, damage: str) -> None:
    content = gzip.compress(TEXT, mtime=0)[end]
    packed = packed_in(DAMAGED_GZIP, content)
    assert packed.damage == damage
    (member,) = packed.members
    assert TEXT.startswith(member.content)
    assert len(member.content) > len(TEXT) // 2
    again = packed_in(DAMAGED_GZIP, other(content, b"one\n"))
    assert (again.members[0].content, again.damage) == (b"one\n", damage)


@pytest.mark.parametrize(("place", "damage"), [(-8, "bad CRC-32"), (-1, "wrong length")])
def test_a_gzip_with_a_bad_end(place: int, damage: str) -> None:
    content = bytearray(gzip.compress(TEXT, mtime=0))
    content[place] ^= 0x55
    packed = packed_in(DAMAGED_GZIP, content)
    assert (packed.members[0].content, packed.damage) == (TEXT, damage)
    written = other(bytes(content), b"one\n")
    right = bytearray(trailer(b"one\n"))
    right[place] ^= 0x55
    assert written.endswith(right)


def test_a_gzip_that_is_wrong_in_the_middle() -> None:
    content = bytearray(gzip.compress(TEXT, mtime=0))
    half = len(content) // 2
    content[half : half + 200] = b"\xff" * 200
    packed = packed_in(DAMAGED_GZIP, content)
    assert packed.damage not in {"", CUT_SHORT}
    assert TEXT.startswith(packed.members[0].content[:1000])
    written = other(bytes(content), b"one\n")
    with pytest.raises(zlib.error, match="invalid block type"):
        gzip.decompress(written)


def test_several_gzips_in_a_row() -> None:
    content = gzip.compress(b"1", mtime=0) + gzip.compress(b"2", mtime=0)
    packed = packed_in(DAMAGED_GZIP, content + bytes(9))
    assert [member.content for member in packed.members] == [b"1", b"2", bytes(9)]
    assert [member.required for member in packed.members] == [True, False, False]
    assert packed.damage == ""
    first, second, _ = packed.members
    written = DAMAGED_GZIP.pack(Packed((first.holding(b"one"), second)))
    assert gzip.decompress(written) == b"one2"
    assert packed_in(DAMAGED_GZIP, content + b"\x1f\x8b\x08\xff").damage == "something else follows"


def test_a_chunk_of_a_png_has_a_bad_checksum() -> None:
    content = png_of([IHDR, ("tEXt", b"Title\0x"), IDAT, IEND])
    packed = packed_in(DAMAGED_PNG, spoiled(content, content.index(b"Title")))
    assert damage_of(packed)[1] == ("tEXt", "bad CRC-32")
    text = packed.members[1].content
    assert DAMAGED_PNG.pack(only(packed, "IHDR", "tEXt", "IEND")).count(text) == 1
    ihdr, _, image, iend = packed.members
    changed = replace(packed, members=(ihdr, image.holding(b"other"), iend))
    assert DAMAGED_PNG.pack(changed) == png_of([IHDR, ("IDAT", b"other"), IEND])


@pytest.mark.parametrize("cut", [1, 9, 14])
def test_a_png_that_is_cut_short(cut: int) -> None:
    packed = packed_in(DAMAGED_PNG, png_of([IHDR, IDAT, IEND])[:-cut])
    assert packed.members[-1].damage == CUT_SHORT


def test_sections_that_are_wrong() -> None:
    content = wasm_of([("1", b"x"), ("custom name", b"n"), ("3", b"f")])
    packed = packed_in(DAMAGED_WASM, spoiled(content, content.index(b"name") - 1))
    assert [damage for _, damage in damage_of(packed)] == [
        *("", "the name is longer than the section", "")
    ]
    packed = packed_in(DAMAGED_WASM, content[:-1])
    assert damage_of(packed)[-1] == ("section 3", CUT_SHORT)
    assert DAMAGED_WASM.pack(only(packed, "section 3")) == content[:8] + content[-3:-1]
