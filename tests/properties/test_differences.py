"""Two inputs and their difference: none of the deltas is one side, all are the other, exactly."""

from itertools import pairwise
from typing import get_args
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.files import Files
from wynot.core.texts import difference
from wynot.core.texts.difference import Effort, changes
from wynot.inquiries.inputs.circumstance import Granularity, InputDifference, digest_of
from wynot.inquiries.inputs.stages import stages

GRANULARITIES: tuple[Granularity, ...] = get_args(Granularity)
PIECES = [
    *(b"int f(void) {\n", b"  return 1;\n", b"}\n", b"\n", b"\r\n", b"x = y + 12;", b"a  b\t"),
    *("größe €\n".encode(), b"caf\xe9\n", b"\0\1\n", b"/* a\n b */", b'"s\\"t"', b" ", b"\n\n"),
]
contents = st.lists(st.sampled_from(PIECES), max_size=8).map(b"".join) | st.binary(max_size=12)
names = st.sampled_from(["a.c", "b.txt", "d/e.py", "f.json", "d"])


@st.composite
def sides(draw: st.DrawFn) -> tuple[Files, Files]:
    made = []
    common = draw(st.dictionaries(names, contents, max_size=2))
    for _ in range(2):
        files = {**common, **draw(st.dictionaries(names, contents, max_size=3))}
        modes = {name: 0o755 for name in files if draw(st.booleans())}
        links = {name: "a.c" for name in draw(st.sets(names, max_size=1)) if name not in files}
        made.append(Files(files, modes, links))
    return made[0], made[1]


def rendered(difference: InputDifference, deltas: Deltas) -> Files:
    return difference.render(Candidate.whole(deltas))


@given(sides=sides(), granularity=st.sampled_from(GRANULARITIES))
def test_none_is_the_passing_side_and_all_is_the_failing_one(
    sides: tuple[Files, Files], granularity: Granularity
) -> None:
    difference = InputDifference(*sides, granularity)
    assert rendered(difference, NONE) == sides[0]
    assert rendered(difference, difference.deltas) == sides[1]
    assert bool(difference.deltas) == (sides[0] != sides[1])


@given(sides=sides(), granularity=st.sampled_from(GRANULARITIES))
def test_levels_are_nested_and_cover_all_deltas(
    sides: tuple[Files, Files], granularity: Granularity
) -> None:
    difference = InputDifference(*sides, granularity)
    firsts = []
    for level in difference.levels:
        units = list(level.units)
        assert all(units)
        assert [delta for unit in units for delta in unit] == list(difference.deltas)
        firsts.append({unit.bounds[0] for unit in units})
    assert firsts
    assert all(coarse < fine for coarse, fine in pairwise(firsts))


@given(passing=contents, failing=contents, data=st.data())
def test_any_subset_is_what_its_atoms_are(
    passing: bytes, failing: bytes, data: st.DataObject
) -> None:
    granularity = data.draw(st.sampled_from(GRANULARITIES[1:]))
    difference = InputDifference(Files({"a.c": passing}), Files({"a.c": failing}), granularity)
    chosen = Deltas.of(data.draw(st.sets(st.sampled_from(list(difference.deltas) or [0]))))
    chosen = chosen.common(difference.deltas)
    expected, cursor = b"", 0
    for edits in difference.edits:
        for region in edits.regions:
            expected += passing[cursor : region.start]
            for delta in range(region.first, region.after):
                start, stop = edits.span(delta)
                assert start < stop
                side = failing if delta >= region.middle else passing
                if (delta in chosen) == (delta >= region.middle):
                    expected += side[start:stop]
            cursor = region.stop
    expected += passing[cursor:]
    assert rendered(difference, chosen).contents == {"a.c": expected}


@given(sides=sides(), data=st.data())
def test_candidates_share_a_digest_exactly_if_they_are_equal(
    sides: tuple[Files, Files], data: st.DataObject
) -> None:
    made = []
    for _ in range(2):
        difference = InputDifference(*sides, data.draw(st.sampled_from(GRANULARITIES)))
        chosen = data.draw(st.sets(st.sampled_from(list(difference.deltas) or [0])))
        candidate = Candidate.whole(Deltas.of(chosen).common(difference.deltas))
        made.append((difference.render(candidate), difference.digest(candidate)))
        assert made[-1][1] == digest_of(made[-1][0])
    assert (made[0][0] == made[1][0]) == (made[0][1] == made[1][1])


@given(sides=sides())
def test_what_differs_in_more_than_one_thing_can_be_parted(sides: tuple[Files, Files]) -> None:
    found = [stage.granularity for stage in stages(*sides, "chars")]
    assert found == [each for each in GRANULARITIES if each in found]
    for each in found:
        assert len(InputDifference(*sides, each).levels[-1].units) > 1


@given(
    passing=st.lists(st.sampled_from([b"a", b"b", b"c"]), max_size=40),
    failing=st.lists(st.sampled_from([b"a", b"b", b"c", b"d"]), max_size=40),
    pairs=st.sampled_from([0, 10, 10_000]),
    short=st.sampled_from([0, difference.SHORT_PAIRS]),
)
def test_changes_make_one_sequence_of_the_other(
    passing: list[bytes], failing: list[bytes], pairs: int, short: int
) -> None:
    made: list[bytes] = []
    cursor = 0
    with patch.object(difference, "SHORT_PAIRS", short):
        found = changes(passing, failing, Effort(pairs))
    for start, stop, begin, end in found:
        made += passing[cursor:start] + failing[begin:end]
        cursor = stop
    assert made + passing[cursor:] == failing
    assert all(one.stop < other.start or one.end < other.begin for one, other in pairwise(found))
