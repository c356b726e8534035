"""What an earlier run has left is known again."""

from pathlib import Path

import pytest

from wynot.core.files import Files
from wynot.disk.journal import Journal
from wynot.disk.rows import StepRow
from wynot.reduction.best import NOTHING_PLACED, PLACES_FACT
from wynot.reduction.resume import left_in

ORIGINAL = {"case/a": b"aa", "case/b": b"bb", "case/c": b"cc"}
FIRST = {"case/a": b"a", "case/b": b"bb", "case/c": b"c"}
SECOND = {"case/a": b"a", "case/b": b"b"}


@pytest.mark.parametrize(
    ("places", "there", "is_left"),
    [
        ("", {**ORIGINAL, "case/a": b"a"}, False),
        ("0 2", {**ORIGINAL, "case/a": b"a"}, True),
        ("0 2", {**SECOND, "case/c": b"cc"}, True),
        ("0 2", {**SECOND, "case/c": b"c"}, False),
        ("0 1 2", {**SECOND, "case/c": b"c"}, True),
        ("0 2", {**ORIGINAL, "case/a": b"edited"}, False),
        ("0 2", {**ORIGINAL, "case/d": b"new"}, False),
        ("0 2", {"case/a": b"a", "case/c": b"cc"}, False),
        (f"{NOTHING_PLACED} 1", {"case/a": b"a"}, True),
        ("9 x", {**ORIGINAL, "case/a": b"a"}, False),
    ],
)
def test_files_of_a_write_that_was_cut_short_are_known(
    tmp_path: Path, places: str, there: dict[str, bytes], is_left: bool
) -> None:
    path = tmp_path / "case.journal"
    journal = Journal.create(path, Files(ORIGINAL), {})
    for number, files in enumerate(map(Files, (FIRST, SECOND)), start=1):
        row = StepRow(number, "lines", "", number, 0.5, files.size, files.digest)
        journal.keep_step(row, files)
    journal.note_synced(PLACES_FACT, places)
    journal.close()
    files = Files(there)
    assert (files.digest in left_in(path, files)) is is_left
