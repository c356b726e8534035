"""What every container promises: see ``wynot/formats/containers/base.py``."""

import struct
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counting import is_linear
from unit.formats.containers.samples import SAMPLES, Sample
from wynot.formats.containers.container import Packed
from wynot.formats.containers.opened import CONTAINERS, opened

samples = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.container.name)
contents = st.binary(max_size=2000) | st.binary(max_size=9).map(lambda some: some * 100)


def unpack(sample: Sample) -> Packed:
    packed = sample.container.unpack(sample.content)
    assert packed is not None
    return packed


def test_every_container_has_a_sample() -> None:
    assert {sample.container for sample in SAMPLES} == set(CONTAINERS)


@samples
def test_what_is_unpacked_is_what_others_read(sample: Sample) -> None:
    read = sample.read(sample.content)
    assert [member.content for member in unpack(sample).members] == [content for _, content in read]


@samples
def test_packing_gives_the_same_members_again(sample: Sample) -> None:
    packed = sample.container.pack(unpack(sample))
    assert sample.read(packed) == sample.read(sample.content)
    assert packed == sample.content


@samples
@given(data=st.data())
def test_any_members_with_any_contents_pack_into_a_valid_container(
    sample: Sample, data: st.DataObject
) -> None:
    whole = unpack(sample)
    names = [name for name, _ in sample.read(sample.content)]
    chosen, wanted = [], []
    for member, name in zip(whole.members, names, strict=True):
        if not member.required and not data.draw(st.booleans()):
            continue
        content = data.draw(st.just(member.content) | contents) if member.content else b""
        chosen.append(member.holding(content))
        wanted.append((name, content))
    changed = replace(whole, members=tuple(chosen))
    written = sample.container.pack(changed)
    assert sample.read(written) == wanted
    assert sample.container.pack(changed) == written
    if wanted:
        again = sample.container.unpack(written)
        assert again is not None
        assert [(each.name, each.content) for each in again.members] == [
            (each.name, each.content) for each in chosen
        ]
        assert sample.container.pack(again) == written


@samples
@given(data=st.data())
def test_no_bytes_make_it_raise(sample: Sample, data: st.DataObject) -> None:
    content = bytearray(sample.content)
    for place, byte in data.draw(
        st.lists(st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255)), max_size=4)
    ):
        content[place] = byte
    packed = sample.container.unpack(bytes(content))
    if packed is not None:
        assert sample.container.unpack(sample.container.pack(packed)) is not None


@samples
def test_what_is_cut_short_is_none(sample: Sample) -> None:
    content = sample.content
    whole = len(unpack(sample).members)
    for stop in range(len(content)):
        packed = sample.container.unpack(content[:stop])
        if packed is not None:  # a tar or module that ends after one of its members
            assert sample.container.name in {"tar", "wasm"}
            assert len(packed.members) < whole or not any(content[stop:])


@samples
@given(noise=st.binary(max_size=300))
def test_noise_is_none(sample: Sample, noise: bytes) -> None:
    assert sample.container.unpack(noise) is None
    sample.container.unpack(sample.content[:12] + noise)
    sample.container.unpack(sample.content + noise)


@samples
def test_a_container_fits_its_own_kind_only(sample: Sample) -> None:
    assert [each for each in CONTAINERS if each.fits(sample.content)] == [sample.container]


@given(noise=st.binary(max_size=300))
def test_most_files_are_no_containers(noise: bytes) -> None:
    assert opened(noise) is None


@samples
def test_many_members_take_time_in_proportion(sample: Sample) -> None:
    def pack_again(count: int) -> None:
        many = sample.many(count)
        packed = sample.container.unpack(sample.make(many))
        assert packed is not None
        assert sample.read(sample.container.pack(packed)) == many

    assert is_linear(pack_again, 250)


def test_sizes_that_lie_are_found_out() -> None:
    for sample in SAMPLES:
        content = sample.content
        for place in range(len(content) - 4):
            huge = content[:place] + struct.pack("<I", 0x7FFFFFFF) + content[place + 4 :]
            sample.container.unpack(huge)
