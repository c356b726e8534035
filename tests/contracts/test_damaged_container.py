"""What every damaged container promises: see ``wynot/formats/containers/base.py``."""

import struct
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unit.formats.containers.samples import SAMPLES, Sample
from wynot.formats.containers.container import Container, Packed
from wynot.formats.containers.opened import CONTAINERS, DAMAGED, opened

KINDS = {container.name: container for container in DAMAGED}
samples = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.container.name)
contents = st.binary(max_size=2000) | st.binary(max_size=9).map(lambda some: some * 100)


def kind_of(sample: Sample) -> Container:
    return KINDS[sample.container.name]


def unpack(sample: Sample, content: bytes) -> Packed | None:
    """Unpack a content, and see that it packs into the same bytes."""
    packed = kind_of(sample).unpack(content)
    if packed is not None:
        assert kind_of(sample).pack(packed) == content
        for member in packed.members:
            assert not member.damage or member.raw == member.content
    return packed


def test_every_container_has_a_damaged_kind() -> None:
    assert [each.name for each in DAMAGED] == [each.name for each in CONTAINERS]
    assert all(each.exact for each in DAMAGED)


@samples
def test_what_is_whole_can_be_read_as_well(sample: Sample) -> None:
    packed = unpack(sample, sample.content)
    assert packed is not None
    assert not any(member.damage for member in packed.members)
    read = [content for _, content in sample.read(sample.content)]
    assert [member.content for member in packed.members] == read


@st.composite
def damage(draw: st.DrawFn, content: bytes) -> bytes:
    """Return a content with some bytes changed, cut short, or with something around it."""
    changed = bytearray(content)
    places = st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255))
    for place, byte in draw(st.lists(places, max_size=4)):
        changed[place] = byte
    stop = draw(st.just(len(content)) | st.integers(0, len(content)))
    return draw(st.just(b"") | st.binary(max_size=9)) + bytes(changed[:stop])


@samples
@given(data=st.data())
def test_any_damage_packs_into_the_same_bytes(sample: Sample, data: st.DataObject) -> None:
    unpack(sample, data.draw(damage(sample.content)))


@samples
@given(data=st.data())
def test_damaged_members_stay_as_they_are_whatever_goes(
    sample: Sample, data: st.DataObject
) -> None:
    content = data.draw(damage(sample.content))
    packed = unpack(sample, content)
    if packed is None:
        return
    kept = []
    for member in packed.members:
        if member.required or data.draw(st.booleans()):
            other = member.content if member.damage else data.draw(contents)
            kept.append(member.holding(other))
    written = kind_of(sample).pack(replace(packed, members=tuple(kept)))
    for member in kept:
        assert not member.damage or member.content in written
    again = opened(written)
    if again is not None:
        assert again.written(set(), {}) == written


@samples
def test_what_is_cut_short_is_what_is_there(sample: Sample) -> None:
    whole = [content for _, content in sample.read(sample.content)]
    for stop in range(0, len(sample.content), 1 + len(sample.content) // 1500):
        packed = unpack(sample, sample.content[:stop])
        if packed is not None and sample.container.name != "gzip":
            good = [member.content for member in packed.members if not member.damage]
            assert good == whole[: len(good)]


def test_sizes_that_lie_are_found_out() -> None:
    for sample in SAMPLES:
        content = sample.content
        for place in range(len(content) - 4):
            unpack(sample, content[:place] + struct.pack("<I", 0x7FFFFFFF) + content[place + 4 :])


@samples
@given(noise=st.binary(max_size=300))
def test_noise_is_none_or_packs_into_the_same_bytes(sample: Sample, noise: bytes) -> None:
    assert unpack(sample, noise) is None
    unpack(sample, sample.content[:12] + noise)
    unpack(sample, sample.content + noise)


@samples
def test_many_members_are_read_as_ever(sample: Sample) -> None:
    many = sample.many(5_000)
    packed = unpack(sample, sample.make(many))
    assert packed is not None
    assert [member.content for member in packed.members] == [each for _, each in many]
