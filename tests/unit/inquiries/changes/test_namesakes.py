"""Hunks that go with a change, by their names."""

from pathlib import Path

import pytest

from unit.inquiries.changes.repositories import make
from wynot.core.deltas import Deltas
from wynot.inquiries.changes.change_sources import of_revisions
from wynot.inquiries.changes.circumstance import Changes
from wynot.inquiries.changes.guilty_change import moved_lines, namesakes

FILL = "".join(f"# {each}\n" for each in range(6))
BEFORE = {
    "a.py": f"import old_tools\n{FILL}def start():\n    pass\n{FILL}def run():\n    pass\n",
    "b.py": f"{FILL}def unused_helper():\n    pass\n{FILL}count = 1\n",
    "notes.md": f"{FILL}nothing\n",
}
AFTER = {
    "a.py": f"import new_tools\n{FILL}def begin():\n    pass\n{FILL}def run():\n    begin()\n",
    "b.py": f"{FILL}def other_helper():\n    pass\n{FILL}count = 2\n",
    "notes.md": f"{FILL}def begin(): is new\n",
}


@pytest.fixture
def changes(tmp_path: Path, private: Path) -> Changes:
    trees = [{name: text.encode() for name, text in each.items()} for each in (BEFORE, AFTER)]
    make(tmp_path / "r", trees)
    return of_revisions(tmp_path / "r", "main~1", "main", private).changes


def hunk(changes: Changes, text: bytes) -> Deltas:
    """Return the hunk that brings in a line."""
    [delta] = [each for each in changes.deltas if changes.described[each].text == text]
    return changes.whole(Deltas.of([delta]), "hunks")


def places(changes: Changes, deltas: Deltas) -> set[tuple[str, int]]:
    return {(changes.described[each].path, changes.hunk_of(each)) for each in deltas}


def test_a_call_goes_with_what_it_calls_in_its_own_file(changes: Changes) -> None:
    call, definition = hunk(changes, b"    begin()\n"), hunk(changes, b"def begin():\n")
    found = namesakes(changes, call, changes.deltas)
    assert found == Deltas.covering((*call.runs, *definition.runs))


def test_taken_back_what_is_defined_goes_with_its_call(changes: Changes) -> None:
    call, definition = hunk(changes, b"    begin()\n"), hunk(changes, b"def begin():\n")
    found = namesakes(changes, definition, changes.deltas, back=True)
    assert found.holds(call)
    assert {path for path, _ in places(changes, found)} == {"a.py"}


def test_what_has_no_name_in_common_stays_alone(changes: Changes) -> None:
    count = hunk(changes, b"count = 2\n")
    assert namesakes(changes, count, changes.deltas) == count


def test_a_line_that_was_moved_since_is_found_where_it_is_now(
    tmp_path: Path, private: Path
) -> None:
    texts = (f"{FILL}end\n", f"{FILL}  new\nend\n", f"{FILL}    new\nend\n", f"new\n{FILL}end\n")
    make(tmp_path / "m", [{"a": each.encode()} for each in texts])
    changes = of_revisions(tmp_path / "m", "main~3", "main", private).changes
    first = changes.step(0)
    found = moved_lines(changes, first, changes.deltas.toggle(first))
    assert [changes.described[each][1:4] for each in found] == [(2, "a", 1)]
