"""PNG images as programs write them."""

import pytest

from unit.formats.containers.samples import IDAT, IEND, IHDR, png_in, png_of
from wynot.formats.containers.container import Packed
from wynot.formats.containers.pngs import PNG

HALVES = [("IDAT", IDAT[1][:4]), ("IDAT", IDAT[1][4:])]


def packed_in(content: bytes) -> Packed:
    packed = PNG.unpack(content)
    assert packed is not None
    return packed


def test_the_image_is_one_member_however_it_is_cut() -> None:
    content = png_of([IHDR, *HALVES, ("IDAT", b""), IEND])
    packed = packed_in(content)
    assert [member.name for member in packed.members] == ["IHDR", "IDAT", "IEND"]
    assert [member.required for member in packed.members] == [True, False, True]
    assert packed.members[1].content == IDAT[1]
    assert PNG.pack(packed) == content


def test_another_image_is_one_chunk() -> None:
    packed = packed_in(png_of([IHDR, *HALVES, IEND]))
    first, image, last = packed.members
    written = PNG.pack(Packed((first, image.holding(b"other than it was"), last), packed.head))
    assert png_in(written) == [IHDR, ("IDAT", b"other than it was"), IEND]


def test_images_apart_stay_apart() -> None:
    apart = [IHDR, IDAT, ("tEXt", b"1"), ("tEXt", b"2"), IDAT, IEND]
    content = png_of(apart)
    packed = packed_in(content)
    assert [member.name for member in packed.members] == [name for name, _ in apart]
    assert PNG.pack(packed) == content


def test_what_follows_the_end_stays() -> None:
    content = png_of([IHDR, IEND]) + b"more"
    assert packed_in(content).tail == b"more"
    assert PNG.pack(packed_in(content)) == content


@pytest.mark.parametrize(
    "content",
    [
        png_of([IHDR, IDAT]),
        png_of([IDAT, IEND]),
        png_of([IHDR, ("t*Xt", b""), IEND]),
        png_of([IHDR, IEND])[:-1] + b"\0",
    ],
    ids=["no end", "no beginning", "no name", "wrong checksum"],
)
def test_what_is_left_alone(content: bytes) -> None:
    assert PNG.unpack(content) is None
