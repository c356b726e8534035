"""Pieces that could be taken out of a failing input, and in what order."""

from itertools import pairwise

import pytest

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE
from wynot.core.files import Files
from wynot.inquiries.inputs import nearest as module
from wynot.inquiries.inputs.nearest import (
    InputPiece,
    WithoutPieces,
    emptied,
    nearest,
    pieces_of,
    siblings_of,
    taken_out,
)


def variants(failing: Files) -> list[Files]:
    """Return all variants, in the order in which they are tried."""
    batches = nearest(pieces_of(failing), failing)
    return [taken_out(failing, [piece]) for batch in batches for piece in batch]


def test_the_least_is_taken_out_first_and_what_is_not_the_language_last() -> None:
    failing = Files({"a.c": b"int i;\ni = 10;\n"}, {"a.c": 0o755})
    found = variants(failing)
    sizes = [each.size for each in found]
    # First those that are C, then those that are not; the least taken out first among each.
    falls = [place for place, (one, other) in enumerate(pairwise(sizes), 1) if one < other]
    assert len(falls) == 1
    assert {each.contents["a.c"] for each in found[: falls[0]]} >= {b"i = 10;\n", b"int i;\n"}
    assert b"int i\ni = 10;\n" in {each.contents["a.c"] for each in found[falls[0] :]}
    texts = [each.contents["a.c"] for each in found]
    assert len({*texts}) == len(texts)
    assert {b"int i\ni = 10;\n", b"i = 10;\n", b"int i;\n\n", b"int i;\n"} < {*texts}
    assert failing.contents["a.c"] not in texts


def test_a_file_of_a_folder_can_be_missing() -> None:
    found = variants(Files({"d/a": b"x", "d/b": b""}, {"d/b": 0o755}, {"d/c": "a"}))
    assert Files({"d/a": b"x"}, {}, {"d/c": "a"}) in found
    assert Files({"d/b": b""}, {"d/b": 0o755}, {"d/c": "a"}) in found
    assert Files({"d/a": b"x", "d/b": b""}, {"d/b": 0o755}) in found


def test_there_are_no_more_than_can_be_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_VARIANTS", 20)
    failing = Files({"a.txt": b"".join(b"word%d\n" % number for number in range(500))})
    found = pieces_of(failing)
    assert 10 < len(found) <= 20
    assert len({each.size for each in found}) > 2


def test_only_what_has_one_of_the_places_in_it() -> None:
    failing = Files({"a.json": b'{"a": [1, 2],\n "b": {"c": 3}}\n', "b.json": b"[4]"})
    place = failing.contents["a.json"].index(b"3")
    found = pieces_of(failing, {"a.json": [place]})
    content = failing.contents["a.json"]
    assert {each.path for each in found} == {"a.json"}
    assert all(each.start <= place < each.stop for each in found)
    texts = {content[each.start : each.stop] for each in found}
    assert {b"3", b'"c": 3', b'{"c": 3}', b' "b": {"c": 3}}\n'} <= texts


def test_an_item_can_go_with_the_comma_beside_it() -> None:
    failing = Files({"a.json": b'["x", "y", "z"]'})
    good, *_ = nearest(pieces_of(failing), failing)
    left = {taken_out(failing, [piece]).contents["a.json"] for piece in good}
    assert {b'["x", "y"]', b'["x",  "z"]', b'[ "y", "z"]'} <= left


def test_children_of_one_node_go_together_with_what_parts_them() -> None:
    content = b'{"a": [1, 2, 3, 4], "b": [5]}'
    failing = Files({"a.json": content})
    near = {"a.json": [content.index(b"%d" % each) for each in (2, 4)]}
    [group] = siblings_of(failing, near)
    assert taken_out(failing, group).contents["a.json"] == b'{"a": [1,  3, ], "b": [5]}'
    everything = {"a.json": [*range(len(content))]}
    for group in siblings_of(failing, everything):
        for one, other in pairwise(sorted(group, key=lambda piece: piece.start)):
            assert one.stop <= other.start, "they do not overlap"
    assert siblings_of(Files({"a.json": b""}), {"a.json": []}) == []


def test_of_nothing_there_is_no_variant() -> None:
    assert variants(Files({"a": b""})) == []
    assert emptied(Files({"a": b"x", "d/b": b"y"})) == Files({"a": b""})


def test_each_delta_is_some_pieces_that_are_there() -> None:
    failing = Files({"a": b"one two three", "d/b": b"x"}, {"d/b": 0o755})
    words = [InputPiece(4, "a", 0, 4), InputPiece(6, "a", 7, 13)]
    case = WithoutPieces(failing, [words, [InputPiece.whole_file("d/b", b"x")]])
    assert case.render(Candidate.whole(case.deltas)) == failing
    assert case.render(case.without(0)).contents == {"a": b"two", "d/b": b"x"}
    assert case.render(case.without(1)) == Files({"a": b"one two three"})
    assert case.render(Candidate.whole(NONE)) == Files({"a": b"two"})
    assert not case.objection(case.without(0))
    assert case.digest(case.without(0)) != case.digest(case.without(1))
