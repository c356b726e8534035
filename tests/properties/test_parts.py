"""A case of files gives what cutting by hand gives, however it is come to."""

from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files
from wynot.core.texts.parts import NO_PARTS, Parts, PartsCase


@st.composite
def cut_files(draw: st.DrawFn) -> tuple[Files, dict[str, Parts]]:
    contents, parts = {}, {}
    for number in range(draw(st.integers(1, 3))):
        content = draw(st.binary(max_size=12))
        bounds = sorted(draw(st.sets(st.integers(0, len(content)), max_size=8)))
        contents[f"f{number}"] = content
        if draw(st.booleans()):
            parts[f"f{number}"] = Parts.tiling(bounds) if len(bounds) > 1 else NO_PARTS
        else:
            spans = list(zip(bounds[::2], bounds[1::2], strict=False))
            parts[f"f{number}"] = Parts.apart(spans)
    return Files(contents), parts


def by_hand(files: Files, parts: Mapping[str, Parts], kept: Deltas) -> dict[str, bytes]:
    written, number = {}, 0
    for path, content in files.contents.items():
        gone: set[int] = set()
        for start, stop in parts[path].spans:
            if number not in kept:
                gone |= set(range(start, stop))
            number += 1
        written[path] = bytes(byte for at, byte in enumerate(content) if at not in gone)
    return written


@given(cut=cut_files(), data=st.data())
def test_candidates_are_what_cutting_by_hand_gives(
    cut: tuple[Files, dict[str, Parts]], data: st.DataObject
) -> None:
    files, parts = cut
    case = PartsCase(files, parts)
    members = (
        st.sets(st.sampled_from(range(len(case.deltas)))) if case.deltas else st.just(set[Any]())
    )
    base = Deltas.of(data.draw(members))
    for _ in range(3):  # more than once, since the base is kept written out
        some = Deltas.of(data.draw(members) & set(base))
        for edit in (Edit.drop(some), Edit.keep(some), Edit.drop(base.part(0, len(base) // 2))):
            candidate = Candidate(base, edit, "")
            rendered = case.render(candidate)
            assert rendered.contents == by_hand(files, parts, candidate.kept)
            assert case.digest(candidate) == rendered.digest


@given(cut=cut_files())
def test_weights_are_the_bytes_of_the_parts(cut: tuple[Files, dict[str, Parts]]) -> None:
    files, parts = cut
    case = PartsCase(files, parts)
    nothing = case.render(Candidate.whole(Deltas(())))
    assert sum(case.weights) == files.size - nothing.size
