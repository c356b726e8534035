"""``wynot report``: the page of a reduction."""

import shlex
import sys
from pathlib import Path

import pytest

from e2e.programs import CALM, reduced, refused, shell, text, told


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


def test_a_page_is_written_at_the_end_of_a_reduction(tmp_path: Path) -> None:
    text(tmp_path / "in.txt", "".join(f"{number}\n" for number in range(30)))
    shell(tmp_path, "grep -q 17 in.txt")
    (tmp_path / "mine.html").write_text("mine")
    refused(told(tmp_path, "reduce", "--report", "mine.html", "test.sh", "in.txt"), 2, "mine.html")
    assert (tmp_path / "in.txt").stat().st_size == 80  # nothing was begun
    limited = ("reduce", "--max-tests", "3", "--report", "page.html", "test.sh", "in.txt")
    assert told(tmp_path, *limited).code == 3
    assert "has not come to its end" in (tmp_path / "page.html").read_text()
    ran = told(tmp_path, "reduce", "--explain", "--report", "page.html", "test.sh", "in.txt")
    assert ran.code == 0
    assert ran.out.endswith("page      page.html\n")
    page = (tmp_path / "page.html").read_text()
    assert "<title>in.txt: 80 → 3 bytes</title>" in page
    assert "Why it fails" in page


def test_json_lines_are_not_disturbed_by_a_page(tmp_path: Path) -> None:
    text(tmp_path / "in.txt", "".join(f"{number}\n" for number in range(30)))
    shell(tmp_path, "grep -q 17 in.txt")
    ran = told(tmp_path, "reduce", "--json", "--report", "page.html", "test.sh", "in.txt")
    assert ran.code == 0
    assert ran.events
    assert (tmp_path / "page.html").exists()


def test_standard_input_has_no_page(tmp_path: Path) -> None:
    shell(tmp_path, "grep -q 17 $1")
    ran = told(tmp_path, "reduce", "--report", "page.html", "test.sh", "-")
    refused(ran, 2, "standard input is none", "save it into a file")


def test_an_inquiry_has_a_page_with_the_command_to_ask_again(tmp_path: Path) -> None:
    text(tmp_path / "good.txt", "1\n2\n")
    text(tmp_path / "bad.txt", "1\n7\n2\n")
    test = ("-c", "grep -q 7 bad.txt")
    ran = told(tmp_path, "isolate", "--report", "page.html", *test, "good.txt", "bad.txt")
    assert ran.code == 0
    assert ran.out.endswith("page      page.html\n")
    page = (tmp_path / "page.html").read_text()
    assert "one side passes, the other fails" in page
    assert "<mark>7" in page
    again = (
        "wynot isolate --shell &#x27;grep -q 7 bad.txt&#x27; --report page.html good.txt bad.txt"
    )
    assert again in page
    (tmp_path / "page.html").write_text("mine")
    ran = told(tmp_path, "isolate", "--report", "page.html", *test, "good.txt", "bad.txt")
    refused(ran, 2, "'page.html' is there already")


@pytest.mark.slow
def test_a_run_that_is_under_way_has_a_page(tmp_path: Path) -> None:
    """The test itself asks for it: so it is certain that the run is not over."""
    text(tmp_path / "in.txt", "".join(f"{number}\n" for number in range(30)))
    here = shlex.quote(str(tmp_path))
    report = f"{shlex.quote(sys.executable)} -m wynot report {here}/in.txt -o {here}/page.html"
    once = f"test -e {here}/page.html || {report} >>{here}/said 2>&1 || true"
    shell(tmp_path, f"grep -q 17 in.txt || exit 1\n{once}")
    ran = told(tmp_path, "reduce", *CALM, "--no-confine", "-j", "1", "test.sh", "in.txt")
    assert ran.code == 0
    assert "has not come to its end" in (tmp_path / "page.html").read_text()
    assert (tmp_path / "in.txt").read_text() == "17\n"
