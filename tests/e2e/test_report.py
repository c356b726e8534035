"""``wynot report``: the page of a reduction."""

from pathlib import Path

import pytest

from e2e.programs import reduced, refused, shell, text, told


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    text(tmp_path / "in.txt", "".join(f"{number}\n" for number in range(30)))
    shell(tmp_path, "grep -q 17 in.txt")
    reduced(tmp_path, "test.sh", "in.txt")
    return tmp_path


def test_a_page_is_made_and_made_again(finished: Path) -> None:
    ran = told(finished, "report", "in.txt")
    assert (ran.code, ran.out) == (0, "the page is in in.txt.html\n")
    page = (finished / "in.txt.html").read_text()
    assert "<title>in.txt: 80 → 3 bytes</title>" in page
    assert "wynot reduce --quiet test.sh in.txt" in page
    assert told(finished, "report", "in.txt").code == 0
    assert (finished / "in.txt").read_text() == "17\n"


def test_a_file_of_the_user_is_not_replaced(finished: Path) -> None:
    (finished / "in.txt.html").write_text("mine")
    refused(told(finished, "report", "in.txt"), 2, "'in.txt.html' is there already", "-o")
    assert (finished / "in.txt.html").read_text() == "mine"
    assert told(finished, "report", "in.txt", "-o", "other.html").code == 0
    assert (finished / "other.html").stat().st_size > 1000


def test_without_a_journal_there_is_no_page(tmp_path: Path) -> None:
    refused(told(tmp_path, "report", "in.txt"), 2, "there is no journal for 'in.txt'")


def test_a_run_that_was_stopped_has_a_page_too(tmp_path: Path) -> None:
    text(tmp_path / "in.txt", "".join(f"{number}\n" for number in range(30)))
    shell(tmp_path, "grep -q 17 in.txt")
    assert told(tmp_path, "reduce", "--max-tests", "3", "test.sh", "in.txt").code == 3
    assert told(tmp_path, "report", "in.txt").code == 0
    assert "has not come to its end" in (tmp_path / "in.txt.html").read_text()
