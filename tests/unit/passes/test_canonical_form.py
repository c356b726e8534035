"""Binary files laid out anew, before they are opened."""

from planned import walked
from reduce_inline import reduce_inline
from unit.binaries.sqlite.database_samples import SCRIPTS, made_by
from unit.binaries.wasm.module_samples import module_of
from unit.formats.containers.samples import zip_in, zip_of
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE
from wynot.core.files import Files
from wynot.formats.containers.opened import canonical
from wynot.passes.catalog import PlanOptions
from wynot.passes.containers import (
    LAY_OUT_INSIDE,
    Inside,
    LayOutAnew,
    can_be_laid_out,
    containers_in,
    laid_out,
    unpacked,
)

DATABASE = made_by(SCRIPTS["plain"])
ANEW = canonical(DATABASE)
assert ANEW is not None
MODULE = module_of("(func (result i32) (i32.const 1))")
ODD_MODULE = MODULE.replace(b"\x41\1\x0b", b"\x41\x81\0\x0b").replace(b"\x0a\6\1\4", b"\x0a\7\1\5")
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


def test_a_module_that_could_be_opened_by_its_sections_is_laid_out_first() -> None:
    files = Files({"a.wasm": ODD_MODULE, "x.zip": zip_of([("b.wasm", ODD_MODULE), ("c", b"1")])})
    assert can_be_laid_out(files)
    case = LAY_OUT_INSIDE.cut(files, ()).case
    assert len(case.deltas) == 2
    left = case.render(Candidate.whole(NONE))
    assert left.contents["a.wasm"] == MODULE
    assert zip_in(left.contents["x.zip"]) == [("b.wasm", MODULE), ("c", b"1")]
    assert left.contents == laid_out(files).contents
    assert not can_be_laid_out(left)
    assert list(unpacked(left, containers_in(left)).files.contents) == [
        *("a.wasm!func 0.wat", "x.zip!b.wasm!func 0.wat", "x.zip!c"),
    ]


def test_a_module_whose_layout_matters_is_reduced_by_its_sections() -> None:
    custom = b"\0\6\4nameX"
    files = Files({"a.wasm": ODD_MODULE + custom})
    found = reduce_inline(files, lambda left: b"\x41\x81\0\x0b" in left.contents["a.wasm"])
    assert len(found.content) < len(ODD_MODULE)


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
