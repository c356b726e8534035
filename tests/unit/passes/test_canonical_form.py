"""Binary files laid out anew, before they are opened."""

from planned import walked
from unit.formats.containers.databases.database_samples import SCRIPTS, made_by
from unit.formats.containers.samples import zip_in, zip_of
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE
from wynot.core.files import Files
from wynot.formats.containers.opened import canonical
from wynot.passes.canonical_form import LayOutAnew, laid_out
from wynot.passes.catalog import PlanOptions
from wynot.passes.containers import Inside, containers_in, unpacked

DATABASE = made_by(SCRIPTS["plain"])
ANEW = canonical(DATABASE)
assert ANEW is not None
FILES = Files({"a.db": DATABASE, "b.db": ANEW, "c.txt": b"text", "d": b"\0"})


def test_what_can_be_laid_out_anew_is_a_part() -> None:
    case = LayOutAnew().cut(FILES, ()).case
    assert len(case.deltas) == 1
    assert case.render(Candidate.whole(NONE)) == laid_out(FILES)
    assert laid_out(FILES).contents == {**FILES.contents, "a.db": ANEW}


def test_it_is_done_inside_of_containers_as_well() -> None:
    zipped = Files({"x.zip": zip_of([("a.db", DATABASE), ("b", b"1")])})
    case = Inside(LayOutAnew()).cut(zipped, ()).case
    left = case.render(Candidate.whole(NONE))
    assert zip_in(left.contents["x.zip"]) == [("a.db", ANEW), ("b", b"1")]
    assert list(unpacked(left, containers_in(left)).files.contents) == [
        *("x.zip!a.db!page_size.sql", "x.zip!a.db!table t.sql", "x.zip!b"),
    ]


def test_the_plan_lays_out_first_and_opens_what_is() -> None:
    def leaves(_step: object, files: Files) -> tuple[Files, int]:
        return laid_out(files), 1

    steps = walked(Files({"a.db": DATABASE}), PlanOptions(), leaves)
    assert [step.name for step in steps[:2]] == ["canonical form", "members"]
    assert "nodes" in {step.name for step in steps}


def test_nothing_is_laid_out_anew_where_bytes_or_no_rewrites_are_wanted() -> None:
    for options in (PlanOptions(atoms="bytes"), PlanOptions(rewrite=False)):
        steps = walked(Files({"a.db": DATABASE}), options, lambda _step, files: (files, 1))
        assert "canonical form" not in [step.name for step in steps]
