"""Members of containers, left out and cut."""

import gzip
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counting import steps
from planned import walked
from unit.formats.containers.samples import (
    IEND,
    IHDR,
    png_in,
    png_of,
    tar_in,
    tar_of,
    zip_in,
    zip_of,
)
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files
from wynot.formats.cuts import lines, octets
from wynot.passes.catalog import PlanOptions
from wynot.passes.containers import DeleteMembers, Inside, containers_in, unpacked
from wynot.passes.reduction_pass import CutCase, DeleteFiles, DeleteParts, Pass

IMAGE = png_of([IHDR, ("tEXt", b"Title\0x"), IEND])
ZIPPED = zip_of([("d/a.txt", b"1\n2\n"), ("d/b.txt", b"3\n"), ("i.png", IMAGE), ("e", b"")])
TARRED = gzip.compress(tar_of([("a.c", b"4\n"), ("b.c", b"5\n")]), mtime=0)
FILES = Files({"x.zip": ZIPPED, "plain": b"6\n7\n", "y.tar.gz": TARRED}, modes={"plain": 0o755})
LINES = DeleteParts("lines", lines, proves="lines")


def called(step: Pass) -> str:
    return f"{type(step).__name__} {step.name}"


def without(case: CutCase, *gone: int) -> Files:
    dropped = Deltas.of(gone)
    return case.render(Candidate(case.deltas, Edit.drop(dropped), ""))


def view_of(files: Files) -> Files:
    return unpacked(files, containers_in(files)).files


def test_a_view_shows_what_containers_hold() -> None:
    assert view_of(FILES).contents == {
        "x.zip!d/a.txt": b"1\n2\n",
        "x.zip!d/b.txt": b"3\n",
        "x.zip!i.png!IHDR": IHDR[1],
        "x.zip!i.png!tEXt": b"Title\0x",
        "plain": b"6\n7\n",
        "y.tar.gz!y.tar!a.c": b"4\n",
        "y.tar.gz!y.tar!b.c": b"5\n",
    }


def test_each_member_has_a_name_of_its_own() -> None:
    image = png_of([IHDR, *[("tEXt", b"x")] * 3, IEND])
    files = Files({"i.png": image, "i.png!IHDR": b"a file"})
    assert list(view_of(files).contents) == [
        *("i.png#2!IHDR", "i.png!tEXt", "i.png#2!tEXt", "i.png#3!tEXt", "i.png!IHDR"),
    ]


def test_members_of_all_containers_are_parts() -> None:
    case, groups, *_ = DeleteMembers().cut(FILES, ())
    assert case.weights == [5, 3, len(IMAGE) + 1, 8, 1, 3, 3]
    assert groups == (
        *(Deltas.of([0, 1]), Deltas.of([2, 4])),
        *(Deltas.of([3]), Deltas.of([5, 6])),
    )
    assert case.size(case.deltas) == 7
    left = without(case, 0, 4, 3, 6)
    assert left.modes == FILES.modes
    (name, content), (image, chunks) = zip_in(left.contents["x.zip"])
    assert (name, content, image, png_in(chunks)) == ("d/b.txt", b"3\n", "i.png", [IHDR, IEND])
    assert tar_in(gzip.decompress(left.contents["y.tar.gz"])) == [("a.c", b"4\n")]
    assert left.contents["plain"] is FILES.contents["plain"]


def test_all_members_can_go_and_the_containers_stay() -> None:
    case, *_ = DeleteMembers().cut(FILES, ())
    left = case.render(Candidate.whole(NONE)).contents
    assert zip_in(left["x.zip"]) == []
    assert tar_in(gzip.decompress(left["y.tar.gz"])) == []


def test_members_that_are_to_be_kept_are_no_parts_nor_is_what_they_are_in() -> None:
    case, *_ = DeleteMembers().cut(FILES, [re.compile(b"3"), re.compile(b"Title")])
    assert case.weights == [5, 1, 3, 3]
    one, groups, *_ = DeleteMembers().cut(Files({"x.zip": zip_of([("a", b"1"), ("b", b"2")])}), ())
    assert (len(one.deltas), groups) == (2, ())


def test_files_that_hold_nothing_have_no_members() -> None:
    assert not DeleteMembers().cut(Files({"a": b"text", "b.zip": b"PK\3\4"}), ())[0].deltas


def test_a_pass_cuts_what_containers_hold() -> None:
    step = Inside(LINES)
    assert (step.name, step.proves) == ("lines", "lines")
    case, *_ = step.cut(FILES, [re.compile(b"2")])
    view = DeleteParts("lines", lines).cut(view_of(FILES), [re.compile(b"2")]).case
    assert (case.deltas, case.weights) == (view.deltas, view.weights)
    assert case.size(case.deltas) == view.size(case.deltas)
    assert case.key != view.key
    first, *_, sixth, last_but_one, _ = case.deltas
    left = without(case, first, sixth, last_but_one)
    assert zip_in(left.contents["x.zip"])[0] == ("d/a.txt", b"2\n")
    assert left.contents["plain"] == b"6\n"
    assert tar_in(gzip.decompress(left.contents["y.tar.gz"])) == [("a.c", b""), ("b.c", b"5\n")]


def test_what_another_pass_leaves_out_whole_is_left_out() -> None:
    step = Inside(DeleteFiles())
    files = Files({"x.zip": ZIPPED, "d/plain": b"1"})
    case, *_ = step.cut(files, ())
    left = case.render(Candidate.whole(NONE)).contents
    assert [name for name, _ in zip_in(left["x.zip"])] == ["i.png", "e"]
    assert list(left) == ["x.zip"]


def test_two_ways_to_cut_are_told_apart_by_their_key() -> None:
    whole, kept = (DeleteMembers().cut(FILES, keep).case for keep in ((), [re.compile(b"3")]))
    assert whole.key == DeleteMembers().cut(FILES, ()).case.key
    assert whole.key != kept.key
    assert whole.key != Inside(LINES).cut(FILES, ()).case.key


def test_bytes_of_members_prove_nothing_of_the_bytes_of_the_file() -> None:
    assert Inside(DeleteParts("bytes", octets, proves="bytes")).proves == ""


@pytest.mark.parametrize(
    "step", [DeleteMembers(), Inside(LINES), Inside(DeleteParts("bytes", octets))], ids=called
)
@given(data=st.data())
def test_every_candidate_has_the_digest_of_its_files_and_can_be_opened(
    step: Pass, data: st.DataObject
) -> None:
    case, *_ = step.cut(FILES, ())
    kept = Deltas.of(data.draw(st.sets(st.sampled_from(list(case.deltas)))))
    gone = case.deltas.toggle(kept)
    one, other = Candidate.whole(kept), Candidate(case.deltas, Edit.drop(gone), "")
    files = step.cut(FILES, ()).case.render(other)
    assert case.render(one) == files
    assert case.digest(one) == case.digest(other) == files.digest
    assert containers_in(files).keys() >= {"x.zip", "y.tar.gz"}


@pytest.mark.parametrize("step", [DeleteMembers(), Inside(LINES)], ids=called)
def test_with_nothing_left_out_the_files_are_as_they_were(step: Pass) -> None:
    case, *_ = step.cut(FILES, ())
    assert case.render(Candidate.whole(case.deltas)) == FILES


@pytest.mark.parametrize("step", [DeleteMembers(), Inside(LINES)], ids=called)
def test_leaving_out_any_part_makes_the_case_smaller_when_unpacked(step: Pass) -> None:
    case, *_ = step.cut(FILES, ())
    for number in case.deltas:
        left = without(case, number)  # compressed it can have a byte more
        assert view_of(left).size < view_of(FILES).size or left.size < FILES.size


def names(files: Files, then: Files) -> list[str]:
    """Return the passes of the plan inside of files, which are others after the first of them."""
    steps = walked(files, PlanOptions(atoms="lines"), lambda _step, _before: (then, 0))
    return [repr(step) for step in steps if step.name != "members"]


def test_a_plan_sees_what_containers_hold() -> None:
    files = Files({"x.zip": zip_of([("a", b"f {\n  g\n}\n")])})
    found = names(files, files)
    assert all(step.startswith("Inside(") for step in found)
    assert sum("blocks" in step for step in found) == 2
    assert all("Inside(" not in step for step in names(Files({"a": b"1\n"}), Files({"a": b"1\n"})))


def test_each_container_of_many_files_is_opened_once() -> None:
    def cost(files: Files) -> int:
        return steps(lambda: containers_in(files))

    members = [(f"{number}.txt", b"x" * number) for number in range(30)]
    zips = {f"{each}.zip": zip_of([(f"{each}", b"once"), *members]) for each in range(6)}
    files = Files({**zips, **{f"{each}.txt": b"text" for each in range(6)}})
    opening, looking = cost(files), cost(Files(dict(files.contents)))
    assert looking * 10 < opening
