"""Bytes that cannot go become plain."""

import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reduce_inline import Reduced, reduce_inline
from unit.formats.containers.samples import zip_in, zip_of
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE
from wynot.core.files import Files
from wynot.passes.binary_passes import MOST_PLAIN_PARTS, ZeroBytes, part_size, plain
from wynot.passes.sources import LEAST_PLAIN_TESTS

NOISE = Random(1).randbytes(3000).replace(b"\0", b"\1")


def in_file(content: bytes) -> Files:
    return Files({"a": content})


def reduced(content: bytes, *parts: bytes, least: int, **more: Any) -> Reduced:
    """Reduce a file that begins with a NUL, needs some parts and must not get too short."""

    def fails(files: Files) -> bool:
        left = files.contents["a"]
        return left[:1] == b"\0" and len(left) >= least and all(part in left for part in parts)

    return reduce_inline(in_file(content), fails, **more)


def test_what_can_be_read_becomes_digits_and_all_else_zero() -> None:
    assert plain(b"\x7fELF\2\0name=value\n\xff0") == bytes(6) + b"0" * 10 + bytes(2) + b"0"


@given(st.binary(max_size=60))
def test_what_is_plain_stays_as_it_is(content: bytes) -> None:
    assert plain(plain(content)) == plain(content)
    assert len(plain(content)) == len(content)


def test_each_byte_that_is_not_plain_is_a_part() -> None:
    content = b"\0ab\0\xff0wxyz"
    case = ZeroBytes().cut(Files({"a": content, "b": b"text"}), ()).case
    assert len(case.deltas) == 3 + 4
    assert case.render(Candidate.whole(NONE)).contents == {
        "a": b"\0\0\0\0\0" + b"00000",
        "b": b"text",
    }


def test_large_files_are_cut_into_larger_parts() -> None:
    files = in_file(b"\0" + bytes([7]) * (3 * MOST_PLAIN_PARTS))
    assert part_size(files) == 4
    assert len(ZeroBytes().cut(files, ()).case.deltas) <= MOST_PLAIN_PARTS


def test_what_is_to_be_kept_is_not_touched() -> None:
    keep = [re.compile(b"\x80\x81")]
    case = ZeroBytes().cut(in_file(b"\0\x80\x81\x82\x83\x83"), keep).case
    assert case.render(Candidate.whole(NONE)).contents["a"] == b"\0\x80\x81" + bytes(3)


@pytest.mark.parametrize("width", [1, 5])
def test_only_what_matters_is_left_as_it_was(width: int) -> None:
    found = reduced(b"\0" + NOISE + b"\xcb\xca", b"\xcb\xca", least=60, width=width)
    assert found.content.strip(b"\x000") == b"\xcb\xca"
    assert len(found.content) == 60
    assert found.proved == ("bytes",)
    assert found.tests == reduced(b"\0" + NOISE + b"\xcb\xca", b"\xcb\xca", least=60).tests


def test_bytes_that_are_zero_may_be_able_to_go() -> None:
    def fails(files: Files) -> bool:
        head, *rest = files.contents["a"] or b"\1"
        return head == 0 and len(rest) > 1 and len(rest) >= rest[0] + 1

    found = reduce_inline(in_file(b"\0\x40" + NOISE), fails)
    assert found.content == bytes(3)


def test_where_no_byte_can_change_it_ends_soon() -> None:
    content = b"\0" + NOISE
    without, found = (
        reduce_inline(in_file(content), lambda files: files == in_file(content), options)
        for options in (ReduceOptions(files=(), fast=True), None)
    )
    assert found.content == content
    assert found.tests - without.tests <= max(without.tests, LEAST_PLAIN_TESTS)
    assert found.tests - without.tests < len(content) / 4


@pytest.mark.parametrize(
    "options", [{"atoms": "bytes"}, {"fast": True}, {"search": "ddmin"}, {"search": "hdd"}]
)
def test_bytes_are_only_left_out_if_that_was_asked_for(options: dict[str, Any]) -> None:
    found = reduced(b"\0" + NOISE[:50], least=20, options=ReduceOptions(files=(), **options))
    assert {name for name, _ in found.passes} == {"bytes"}
    assert len(found.content) == 20


def test_lengths_and_checksums_stay_right() -> None:
    """The candidates of this pass have their numbers updated, too."""

    def record(body: bytes) -> bytes:
        return b"\0" + len(body).to_bytes(4, "big") + body

    records = [NOISE[at : at + 40] for at in range(0, 800, 40)]
    records[7] = b"\xfe\xfd" + records[7][2:]

    def read(content: bytes) -> list[bytes]:
        bodies = []
        while content:
            size = int.from_bytes(content[1:5], "big")
            if content[0] or len(content) < 5 + size:
                return []
            bodies.append(content[5 : 5 + size])
            content = content[5 + size :]
        return bodies

    def fails(files: Files) -> bool:
        return any(b"\xfe\xfd" in each and len(each) > 7 for each in read(files.contents["a"]))

    content = b"".join(map(record, records))
    found = reduce_inline(in_file(content), fails)
    assert found.content.replace(b"\0", b"") == b"\x08\xfe\xfd"


def test_members_of_containers_become_plain() -> None:
    zipped = Files({"x.zip": zip_of([("a.bin", b"\0" + NOISE[:200])])})

    def fails(files: Files) -> bool:
        members = dict(zip_in(files.contents["x.zip"]))
        return len(members.get("a.bin", b"")) > 30

    found = reduce_inline(zipped, fails)
    ((_, content),) = zip_in(found.content)
    assert len(content) == 31
    assert not content.strip(b"\x000")
