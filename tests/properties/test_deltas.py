"""Deltas behave as the sets of indices they stand for."""

from hypothesis import assume, given
from hypothesis import strategies as st

from domain import is_subsequence
from wynot.core.candidate import Candidate
from wynot.core.case import Contents, Cutter, parting
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit

sets = st.sets(st.integers(0, 60))


@given(sets)
def test_a_set_comes_back_as_it_went_in(indices: set[int]) -> None:
    deltas = Deltas.of(indices)
    assert list(deltas) == sorted(indices)
    assert len(deltas) == len(indices)
    assert deltas == Deltas.of(sorted(indices, reverse=True))
    assert [index in deltas for index in range(62)] == [index in indices for index in range(62)]
    assert list(deltas.bounds) == sorted(set(deltas.bounds))


@given(sets, sets)
def test_toggle_is_the_symmetric_difference(one: set[int], other: set[int]) -> None:
    toggled = Deltas.of(one).toggle(Deltas.of(other))
    assert toggled == Deltas.of(one ^ other)
    assert toggled.key == Deltas.of(one).key ^ Deltas.of(other).key


@given(sets, sets)
def test_common_is_the_intersection(one: set[int], other: set[int]) -> None:
    common = Deltas.of(one).common(Deltas.of(other))
    assert common == Deltas.of(one & other)
    assert common.key == Deltas.of(one & other).key
    assert common == Deltas.of(other).common(Deltas.of(one))


@given(sets, sets)
def test_keys_are_equal_for_equal_sets_only(one: set[int], other: set[int]) -> None:
    assert (Deltas.of(one).key == Deltas.of(other).key) == (one == other)
    assert (Deltas.of(one) == Deltas.of(other)) == (one == other)


@given(sets, sets)
def test_holds_is_superset(one: set[int], other: set[int]) -> None:
    assert Deltas.of(one).holds(Deltas.of(other)) == (one >= other)
    assert Deltas.of(one | other).holds(Deltas.of(other))


@given(sets, st.integers(0, 61), st.integers(0, 61))
def test_positions_and_ranks_count_members(indices: set[int], start: int, stop: int) -> None:
    deltas, members = Deltas.of(indices), sorted(indices)
    assert [deltas.index(place) for place in range(len(members))] == members
    assert deltas.rank(start) == sum(member < start for member in members)
    low, high = min(start, len(members)), min(stop, len(members))
    assert list(deltas.part(low, high)) == members[low:high]


@given(st.lists(st.integers(0, 2), min_size=1, max_size=12), st.data())
def test_digests_are_equal_exactly_if_the_content_is(items: list[int], data: st.DataObject) -> None:
    contents, cutter = Contents(items), Cutter(list(items))
    indices = st.sets(st.integers(0, len(items) - 1))
    seen: dict[object, tuple[int, ...]] = {}
    for _ in range(8):
        kept = Deltas.of(data.draw(indices))
        candidate = Candidate(kept, Edit.keep(kept), "")
        content = tuple(cutter.cut(candidate))
        digest = contents.digest(candidate)
        assert seen.setdefault(digest, content) == content
        assert list(seen.values()).count(content) == 1


@given(sets, st.data())
def test_a_candidate_is_cut_as_it_is_described(indices: set[int], data: st.DataObject) -> None:
    items = [f"item {number}" for number in range(62)]
    base = Deltas.of(indices)
    assume(indices)
    part = Deltas.of(data.draw(st.sets(st.sampled_from(sorted(indices)))))
    rest = Deltas.of(data.draw(st.sets(st.integers(0, 61))) - indices)
    cutter = Cutter(items)
    for edit in (Edit.drop(part), Edit.keep(part), Edit.add(rest), Edit.drop(NONE)):
        candidate = Candidate(base, edit, "")
        cut = cutter.cut(candidate)
        assert list(cut) == [items[index] for index in candidate.kept]
        assert candidate.key == candidate.kept.key
        assert is_subsequence(cut, items)
        cut.clear()  # what a test does with its list is its own business


@given(sets, st.data())
def test_two_configurations_of_one_size_part_where_their_lists_do(
    indices: set[int], data: st.DataObject
) -> None:
    members = sorted(indices)
    other = sorted(
        data.draw(st.sets(st.integers(0, 60), min_size=len(members), max_size=len(members)))
    )
    assume(other != members)
    pair = parting(Deltas.of(members).bounds, Deltas.of(other).bounds)
    assert pair == next(both for both in zip(members, other, strict=True) if both[0] != both[1])
