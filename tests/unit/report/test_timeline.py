import re

from wynot.disk.run_timeline import PassSpan, RunSpan
from wynot.report.timeline import MAX_CELLS, timeline


def boxes(picture: str, kind: str) -> list[str]:
    found = re.search(rf'<path class="{kind}" d="([^"]*)"', picture)
    return found[1].split("M")[1:] if found else []


def test_a_worker_is_a_row_and_a_test_a_box_of_its_kind() -> None:
    tests = [
        RunSpan(5, 5, 1, "uninteresting"),
        RunSpan(10, 5, 1, "interesting"),
        RunSpan(10, 10, 4, "given up"),
    ]
    picture = timeline(tests, [PassSpan("<lines>", 1, 0, 10, 3, 5)])
    assert [len(boxes(picture, kind)) for kind in ("no", "yes", "vain", "odd")] == [1, 1, 1, 0]
    assert boxes(picture, "no")[0].startswith("70.0,0.0h387.0")
    assert boxes(picture, "yes")[0].startswith("457.0,0.0h387.0")
    assert boxes(picture, "vain")[0].startswith("70.0,14.0h774.0")
    assert "&lt;lines&gt;" in picture
    assert "\\x1b]0;a\\x07" in timeline(tests, [PassSpan("\x1b]0;a\x07", 1, 0, 10, 3, 5)])
    assert 'aria-label="3 tests on 2 workers, 10.0 s"' in picture


def test_a_run_of_very_many_tests_is_a_picture_of_limited_size() -> None:
    kinds = ["interesting", "uninteresting", "given up", "strange"]
    tests = [
        RunSpan(number / 100, 0.01, number % 64, kinds[number % 4]) for number in range(60_000)
    ]
    picture = timeline(tests, [])
    assert sum(len(boxes(picture, kind)) for kind in ("no", "yes", "vain", "odd")) <= MAX_CELLS
    assert len(picture) < 50 * MAX_CELLS


def test_nothing_known_is_no_picture() -> None:
    assert timeline([], []) == ""
