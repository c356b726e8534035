"""Containers inside of containers."""

import gzip

from unit.formats.containers.samples import (
    IEND,
    IHDR,
    png_in,
    png_of,
    tar_in,
    tar_of,
    wasm_of,
    zip_in,
    zip_of,
)
from wynot.formats.containers.container import FREE
from wynot.formats.containers.opened import Opened, opened, why_closed

IMAGE = png_of([IHDR, ("tEXt", b"Title\0x"), IEND])


def opened_in(content: bytes) -> Opened:
    found = opened(content)
    assert found is not None
    return found


def test_a_tar_in_a_gzip() -> None:
    content = gzip.compress(tar_of([("a", b"1"), ("i.png", IMAGE)]))
    found = opened_in(content)
    assert [place for place, _, _ in found.walk()] == [
        *((0,), (0, 0), (0, 1), (0, 1, 0), (0, 1, 1), (0, 1, 2))
    ]
    assert found.written(set(), {}) is content
    assert found.written(set(), {(0, 0): b"1"}) is content
    written = found.written({(0, 1, 1)}, {(0, 0): b"22"})
    (_, a), (_, image) = tar_in(gzip.decompress(written))
    assert (a, png_in(image)) == (b"22", [IHDR, IEND])


def test_with_a_member_goes_what_is_inside() -> None:
    found = opened_in(zip_of([("i.png", IMAGE), ("a", b"1")]))
    assert zip_in(found.written({(0,), (0, 1)}, {(0, 0): b"other"})) == [("a", b"1")]
    assert found.inner.keys() == {0}


def test_required_members_stay() -> None:
    found = opened_in(IMAGE)
    assert png_in(found.written({(0,), (1,), (2,)}, {})) == [IHDR, IEND]


def test_too_deep_is_not_opened() -> None:
    content = wasm_of([("10", b"x")])
    for _ in range(6):
        content = zip_of([("inner", content)])
    assert [len(place) for place, _, _ in opened_in(content).walk()] == [1, 2, 3, 4]


def test_together_they_may_not_be_too_large() -> None:
    large = gzip.compress(bytes(1000))
    content = zip_of([(f"{number}", large) for number in range(4)])
    for room, opened_too in ((0, None), (len(large), None), (4 * len(large) + 2000, 2)):
        found = opened(content, room)
        assert (found and len(found.inner)) == opened_too


def test_members_that_are_damaged_containers_are_opened_as_far_as_that_can_be() -> None:
    found = opened_in(zip_of([("i.png", IMAGE[:-1]), ("j.png", IMAGE[:12])]))
    assert found.inner.keys() == {0}
    assert [member.damage for _, member, _ in found.inner[0].walk()] == [
        *("", "", "the data end too soon")
    ]


def test_damaged_members_are_not_opened() -> None:
    content = bytearray(zip_of([("i.png", IMAGE), ("a", b"1")]))
    content[content.index(b"i.png") + 20] ^= 1
    assert not opened_in(bytes(content)).inner


def test_why_a_content_is_not_opened() -> None:
    assert not why_closed(b"text")
    assert why_closed(gzip.compress(b"content")[:11]) == (
        "it begins like a gzip file, but nothing of it can be read"
    )
    assert why_closed(gzip.compress(bytes(FREE + 1))) == (
        "it begins like a gzip file, but it unpacks into too much"
    )


def test_bombs_take_room_though_they_stay_closed() -> None:
    def opened_beside(bombs: int) -> list[int]:
        bomb, small = gzip.compress(bytes(FREE + 1), 9, mtime=0), gzip.compress(b"1", mtime=0)
        members = [(f"{number}.gz", bomb) for number in range(bombs)]
        found = opened(zip_of([*members, ("last.gz", small)]), 4 * FREE)
        assert found is not None
        return list(found.inner)

    assert opened_beside(1) == [1]
    assert opened_beside(4) == []
