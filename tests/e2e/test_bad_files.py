"""Files and tests that are not as they should be: each is told clearly, and nothing is lost."""

import os
import sqlite3
import stat
from pathlib import Path

import pytest

from e2e.programs import NUMBERS, Ran, reduced, refused, shell, text, there, told, wynot
from tiers import slow_but

AS_ANYBODY = () if os.geteuid() else ("setpriv", "--bounding-set=-all", "--inh-caps=-all")
"""Permissions do not stop root; without its capabilities they do."""


def untouched(folder: Path, *arguments: str, before: tuple[str, ...] = ()) -> Ran:
    """Run, and check that it has left everything as it was: no file more, none changed."""
    was = {path: path.lstat() for path in folder.rglob("*")}
    if before:
        ran = wynot(folder, "reduce", *arguments, before=before)
    else:
        ran = told(folder, "reduce", *arguments)
    now = {path: path.lstat() for path in folder.rglob("*")}
    assert was.keys() == now.keys()
    for path, seen in was.items():
        kept = ("st_mode", "st_ino", "st_size")
        assert [getattr(seen, name) for name in kept] == [getattr(now[path], name) for name in kept]
    return ran


# The test.


def test_a_test_that_is_not_there(numbers: Path) -> None:
    refused(untouched(numbers, "./no.sh", "in.txt"), 2, "no test './no.sh'", "TEST FILE")


def test_a_test_in_a_folder_that_is_a_file(numbers: Path) -> None:
    refused(untouched(numbers, "in.txt/no.sh", "in.txt"), 2, "no test 'in.txt/no.sh'")


def test_a_test_that_is_a_folder(numbers: Path) -> None:
    refused(untouched(numbers, ".", "in.txt"), 2, "'.' is a folder", "first the test")


def test_test_and_file_swapped(numbers: Path) -> None:
    refused(untouched(numbers, "in.txt", "test.sh"), 2, "'in.txt' is not executable")


def test_test_and_file_swapped_is_seen_through(numbers: Path) -> None:
    ran = untouched(numbers, "in.txt", "test.sh")
    refused(ran, 2, "wynot reduce test.sh in.txt")
    assert "chmod" not in ran.hint


@pytest.mark.parametrize(
    ("name", "content", "interpreter"),
    [
        ("test.sh", "#!/bin/sh\ntrue\n", "/bin/sh"),
        ("test", "#!/usr/bin/env bash\ntrue\n", "/usr/bin/env bash"),
        ("test.py", "print()\n", "python3"),
        ("test", "true\n", "chmod +x"),
    ],
)
def test_a_test_that_is_not_executable(
    numbers: Path, name: str, content: str, interpreter: str
) -> None:
    text(numbers / name, content, 0o644)
    ran = untouched(numbers, name, "in.txt")
    refused(ran, 2, f"{name!r} is not executable", f"chmod +x {name}")
    assert interpreter in ran.hint


def test_the_way_out_that_is_offered_works(numbers: Path) -> None:
    test = shell(numbers, 'grep -q 33 "$1"', mode=0o644)
    refused(untouched(numbers, "test.sh", "in.txt"), 2, f"-c '/bin/sh {test} \"$@\"'")
    reduced(numbers, "-c", f'/bin/sh {test} "$@"', "in.txt")
    assert (numbers / "in.txt").read_bytes() == b"33\n"


def test_a_test_without_a_first_line(numbers: Path) -> None:
    text(numbers / "test.sh", "grep -q 33 in.txt\n", 0o755)
    refused(untouched(numbers, "test.sh", "in.txt"), 2, "test.sh", "#!/bin/sh")


def test_a_test_that_is_no_program(numbers: Path) -> None:
    (numbers / "test.sh").write_bytes(b"\x7fELF\0\0\0")
    refused(untouched(numbers, "test.sh", "in.txt"), 2, "test.sh", "exec format error")


def test_a_test_whose_interpreter_is_missing(numbers: Path) -> None:
    text(numbers / "test.sh", "#!/no/such/interpreter\n", 0o755)
    refused(untouched(numbers, "test.sh", "in.txt"), 2, "test.sh", "/no/such/interpreter")


def test_check_tells_of_a_missing_interpreter_too(numbers: Path) -> None:
    text(numbers / "test.sh", "#!/no/such/interpreter\n", 0o755)
    refused(told(numbers, "check", "test.sh", "in.txt"), 2, "test.sh", "/no/such/interpreter")


def test_a_test_that_is_a_fifo(numbers: Path) -> None:
    os.mkfifo(numbers / "pipe")
    ran = told(numbers, "reduce", "pipe", "in.txt")
    refused(ran, 2, "'pipe'")


def test_a_test_that_may_not_even_be_read(numbers: Path) -> None:
    (numbers / "test.sh").chmod(0)
    refused(untouched(numbers, "test.sh", "in.txt", before=AS_ANYBODY), 2, "not executable")


def test_a_test_in_a_folder_that_may_not_be_entered(numbers: Path) -> None:
    (numbers / "locked").mkdir(mode=0)
    ran = untouched(numbers, "locked/test.sh", "in.txt", before=AS_ANYBODY)
    refused(ran, 4, "locked/test.sh", "permission denied")


def test_a_program_that_is_not_there(numbers: Path) -> None:
    refused(untouched(numbers, "in.txt", "--", "no-such", "{}"), 2, "no program 'no-such'", "./")


# What the test says.


def test_not_interesting_shows_what_the_test_has_printed(numbers: Path) -> None:
    shell(numbers, "echo to stdout; echo to stderr >&2; exit 7")
    ran = untouched(numbers, "test.sh", "in.txt")
    refused(ran, 1, "does not show on the original", "exit status 7", "wynot check")
    assert "  | to stdout\n  | to stderr\n" in ran.err


def test_not_interesting_shows_the_end_of_a_long_output_without_control_characters(
    numbers: Path,
) -> None:
    shell(numbers, r"seq 10000; printf '\033[2Jend\377\n'; exit 1")
    ran = untouched(numbers, "test.sh", "in.txt")
    refused(ran, 1, "| 10000\n", "end")
    assert len(ran.err.splitlines()) < 30
    assert "\x1b" not in ran.err


def test_a_test_that_is_killed(numbers: Path) -> None:
    shell(numbers, "kill -SEGV $$")
    refused(untouched(numbers, "test.sh", "in.txt"), 1, "killed by SIGSEGV", "unresolved")


def test_interesting_even_when_empty(numbers: Path) -> None:
    shell(numbers, "true")
    refused(untouched(numbers, "test.sh", "in.txt"), 1, "even for an empty file", "wynot check")


def test_a_test_that_works_in_its_own_folder_only(numbers: Path) -> None:
    text(numbers / "neighbour", "33\n")
    shell(numbers, "grep -q -f neighbour in.txt")
    ran = untouched(numbers, "test.sh", "in.txt")
    refused(ran, 1, "not in a private folder", "neighbour: No such file", "--with")
    reduced(numbers, "--with", "neighbour", "test.sh", "in.txt")
    assert (numbers / "in.txt").read_bytes() == b"33\n"
    assert (numbers / "neighbour").read_bytes() == b"33\n"


def test_an_empty_file_can_be_beside_every_candidate(numbers: Path) -> None:
    text(numbers / "__init__.py", "")
    shell(numbers, "[ -e __init__.py ] && grep -q 33 in.txt")
    reduced(numbers, "--with", "__init__.py", "test.sh", "in.txt")


def test_with_a_file_that_is_not_there(numbers: Path) -> None:
    refused(untouched(numbers, "--with", "no", "test.sh", "in.txt"), 2, "no file 'no'")


# The file.


def test_a_file_that_is_not_there(numbers: Path) -> None:
    refused(untouched(numbers, "./test.sh", "no.txt"), 2, "no file 'no.txt'", "check its name")


def test_the_current_folder_was_removed(numbers: Path) -> None:
    (numbers / "gone").mkdir()
    leaving = ("sh", "-c", 'cd gone && rmdir ../gone && exec "$@"', "sh")
    ran = wynot(numbers, "reduce", "-c", "true", str(numbers / "in.txt"), before=leaving)
    refused(ran, 2, "the current folder has been removed", "cd to another")


def test_a_file_of_no_name(numbers: Path) -> None:
    refused(untouched(numbers, "./test.sh", ""), 2, "no file ''")


def test_a_link_that_leads_nowhere(numbers: Path) -> None:
    (numbers / "link").symlink_to("nowhere")
    refused(untouched(numbers, "./test.sh", "link"), 2, "'link'", "leads nowhere")


def test_a_link_that_leads_to_itself(numbers: Path) -> None:
    (numbers / "link").symlink_to("link")
    refused(untouched(numbers, "./test.sh", "link"), 4, "'link'", "symbolic links")


def test_a_link_stays_a_link_and_what_it_leads_to_is_reduced(numbers: Path) -> None:
    (numbers / "real").mkdir()
    (numbers / "in.txt").rename(numbers / "real" / "data")
    (numbers / "in.txt").symlink_to("real/data")
    reduced(numbers, "test.sh", "in.txt")
    assert (numbers / "in.txt").is_symlink()
    assert there(numbers / "real") == {"data": b"33\n", "data.orig": NUMBERS}


def test_a_fifo(numbers: Path) -> None:
    os.mkfifo(numbers / "pipe")
    refused(untouched(numbers, "./test.sh", "pipe"), 2, "'pipe' is neither a file nor a folder")


def test_a_fifo_in_a_folder_is_left_alone(tmp_path: Path) -> None:
    text(tmp_path / "tree" / "wanted", "noise\nneedle\n")
    os.mkfifo(tmp_path / "tree" / "pipe")
    ran = told(tmp_path, "reduce", "-q", "-c", "grep -q needle tree/wanted", "tree")
    assert ran.code in {0, 2, 4}, ran
    assert "Traceback" not in ran.err
    assert stat.S_ISFIFO((tmp_path / "tree" / "pipe").lstat().st_mode)


def test_a_device(numbers: Path) -> None:
    refused(untouched(numbers, "./test.sh", "/dev/null"), 2, "'/dev/null' is neither")


def test_a_file_that_cannot_be_read_though_it_is_one(numbers: Path) -> None:
    refused(untouched(numbers, "./test.sh", "/proc/self/mem"), 4, "cannot be read", "mem")


def test_a_file_that_may_not_be_read(numbers: Path) -> None:
    (numbers / "in.txt").chmod(0)
    ran = untouched(numbers, "./test.sh", "in.txt", before=AS_ANYBODY)
    refused(ran, 4, "in.txt' cannot be read: Permission denied", "permissions")


def test_a_file_in_a_folder_that_may_not_be_entered(numbers: Path) -> None:
    (numbers / "locked").mkdir(mode=0)
    ran = untouched(numbers, "./test.sh", "locked/in.txt", before=AS_ANYBODY)
    refused(ran, 4, "'locked/in.txt'", "permission denied")


@pytest.mark.parametrize("inner", [".", "sub"])
def test_a_folder_that_may_not_be_listed(numbers: Path, inner: str) -> None:
    text(numbers / "tree" / "in.txt", "33\n")
    (numbers / "tree" / inner).mkdir(exist_ok=True)
    (numbers / "tree" / inner).chmod(0)
    shell(numbers, "grep -q 33 tree/in.txt")
    try:
        ran = wynot(numbers, "reduce", "./test.sh", "tree", before=AS_ANYBODY)
    finally:
        (numbers / "tree" / inner).chmod(0o755)
    refused(ran, 4, "tree", "permission denied")


def test_a_folder_that_may_not_be_written_to(numbers: Path) -> None:
    numbers.chmod(0o555)
    ran = untouched(numbers, "./test.sh", "in.txt", before=AS_ANYBODY)
    refused(ran, 4, "cannot be written: Permission denied", "-o OUT")
    ran = wynot(numbers, "reduce", "-q", "-o", "out/x", "test.sh", "in.txt", before=AS_ANYBODY)
    numbers.chmod(0o755)
    refused(ran, 4, "cannot be written: Permission denied")


def test_a_read_only_file_in_a_folder_of_ones_own_is_reduced_and_stays_read_only(
    numbers: Path,
) -> None:
    (numbers / "in.txt").chmod(0o444)
    ran = wynot(numbers, "reduce", "-q", "test.sh", "in.txt", before=AS_ANYBODY)
    assert ran.code == 0
    assert (numbers / "in.txt").read_bytes() == b"33\n"
    assert stat.S_IMODE((numbers / "in.txt").stat().st_mode) == 0o444


def test_two_files_of_the_same_name(numbers: Path) -> None:
    text(numbers / "a" / "in.txt", "33\n")
    ran = untouched(numbers, "./test.sh", "in.txt", "a/in.txt")
    refused(ran, 2, "two of the files are called 'in.txt'", "folder")


def test_a_folder_without_files(numbers: Path) -> None:
    (numbers / "empty").mkdir()
    refused(untouched(numbers, "./test.sh", "empty"), 2, "empty: 0 bytes", "nothing")


def test_a_file_of_0_bytes(numbers: Path) -> None:
    (numbers / "in.txt").write_bytes(b"")
    refused(untouched(numbers, "./test.sh", "in.txt"), 2, "in.txt: 0 bytes", "nothing")


@pytest.mark.parametrize(
    ("content", "pattern", "left"),
    [
        (b"caf\xe9\n\xff\xfe33\n\x80\n", "33", b"33\n"),
        (b"caf\xe9\nna\xefve\n", "$(printf '\\357')", b"\xef\n"),
        (b"\0\0\0003\0003\0" * 3 + b"x", "3.3", b"3\0003"),
        (b"one\r\ntwo 33\r\nthree\r\n", "33", b"33\r\n"),
        (b"one\ntwo\n33", "33", b"33"),
        (b"33", "33", b"33"),
        (b"\n\n\n33\n\n\n", "33", b"33\n"),
        ("größe ☃ 33\n".encode(), "☃", "☃\n".encode()),
        (b"\xef\xbb\xbf33\n", "33", b"33\n"),
    ],
    ids=["latin1", "one byte", "NUL", "CRLF", "no end", "minimal", "blank", "UTF-8", "BOM"],
)
def test_any_content_is_reduced(tmp_path: Path, content: bytes, pattern: str, left: bytes) -> None:
    (tmp_path / "in.txt").write_bytes(content)
    locale = "C.UTF-8" if "☃" in pattern else "C"
    shell(tmp_path, f'LC_ALL={locale} exec grep -aq "{pattern}" in.txt')
    ran = reduced(tmp_path, "test.sh", "in.txt")
    assert (tmp_path / "in.txt").read_bytes() == left
    assert (tmp_path / "in.txt.orig").read_bytes() == content
    assert ("nothing could be left out" in ran.out) == (content == left)


@pytest.mark.slow
def test_a_large_file(tmp_path: Path) -> None:
    """8 MB; the time goes into reading and cutting it, not into tests."""
    line = b"an ordinary line of a long log, with some words in it\n"
    with (tmp_path / "in.txt").open("wb") as stream:
        stream.write(line * 90_000)
        stream.write(b"needle\n")
        stream.write(line * 60_000)
    shell(tmp_path, "exec grep -q needle in.txt")
    reduced(tmp_path, "test.sh", "in.txt")
    assert (tmp_path / "in.txt").read_bytes() == b"needle\n"
    assert (tmp_path / "in.txt.orig").stat().st_size == 150_000 * len(line) + 7


# The output.


def test_the_result_does_not_replace_a_fifo_or_a_device(numbers: Path) -> None:
    os.mkfifo(numbers / "pipe")
    ran = told(numbers, "reduce", "-q", "-o", "pipe", "test.sh", "in.txt")
    assert stat.S_ISFIFO((numbers / "pipe").lstat().st_mode)
    refused(ran, 2, "pipe")


def test_out_can_be_the_file_itself_and_the_original_is_kept(numbers: Path) -> None:
    ran = told(numbers, "reduce", "-q", "-o", "in.txt", "test.sh", "in.txt")
    assert NUMBERS in there(numbers).values()
    assert ran.code in {0, 2}


@pytest.mark.parametrize("out", ["test.sh", "precious.txt"])
def test_out_never_destroys_what_wynot_has_not_written(numbers: Path, out: str) -> None:
    text(numbers / "precious.txt", "precious\n")
    before = (numbers / out).read_bytes()
    told(numbers, "reduce", "-q", "-o", out, "test.sh", "in.txt")
    assert before in [content for name, content in there(numbers).items() if name.startswith(out)]


# The journal.


@pytest.fixture
def stopped(numbers: Path) -> Path:
    """Return a folder in which a run was stopped by its budget."""
    assert told(numbers, "reduce", "-q", "--max-tests", "3", "test.sh", "in.txt").code == 3
    return numbers


def journal(folder: Path) -> Path:
    return folder / ".wynot" / "in.txt.journal"


def check_that_it_starts_over(folder: Path, *options: str) -> None:
    bad = journal(folder).read_bytes()
    reduced(folder, *options, "test.sh", "in.txt")
    assert (folder / "in.txt").read_bytes() == b"33\n"
    assert (folder / "in.txt.orig").read_bytes() == NUMBERS
    assert bad in [path.read_bytes() for path in (folder / ".wynot").iterdir()]


@pytest.mark.parametrize("content", [bytes(range(256)) * 40, b"", b"x"], ids=["noise", "0", "1"])
@pytest.mark.parametrize("options", [[], ["--fresh"]], ids=" ".join)
def test_a_journal_of_random_bytes(stopped: Path, content: bytes, options: list[str]) -> None:
    journal(stopped).write_bytes(content)
    for ran in (
        told(stopped, "reduce", "--resume", "test.sh", "in.txt"),
        told(stopped, "history", "in.txt"),
    ):
        refused(ran, 4, "in.txt.journal' cannot be used", "--fresh", "keeps the old one")
    check_that_it_starts_over(stopped, *options)


def test_a_journal_that_is_damaged_inside(stopped: Path) -> None:
    connection = sqlite3.connect(journal(stopped))
    [page] = connection.execute(
        "SELECT rootpage FROM sqlite_master WHERE name = 'blobs'"
    ).fetchone()
    [size] = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    damaged = bytearray(journal(stopped).read_bytes())
    damaged[size * (page - 1) : size * page] = b"\x5a" * size
    journal(stopped).write_bytes(damaged)
    seen = told(stopped, "history", "in.txt")
    assert seen.code == 0, seen
    assert "in.txt.journal' cannot be used" in seen.err
    assert "(the original)" in seen.out
    ran = told(stopped, "reduce", "test.sh", "in.txt")
    assert ran.code == 0, ran
    assert "the journal is damaged" in ran.out
    assert (stopped / "in.txt").read_bytes() == b"33\n"
    assert (stopped / "in.txt.orig").read_bytes() == NUMBERS
    assert bytes(damaged) in [path.read_bytes() for path in (stopped / ".wynot").iterdir()]


@pytest.mark.parametrize("options", [[], ["--fresh"]], ids=" ".join)
def test_a_journal_of_another_version(stopped: Path, options: list[str]) -> None:
    connection = sqlite3.connect(journal(stopped))
    with connection:
        changed = "UPDATE events SET body = json_set(body, '$.version', '99') WHERE seq = 1"
        connection.execute(changed)
    connection.close()
    for ran in (
        told(stopped, "reduce", "--resume", "test.sh", "in.txt"),
        told(stopped, "history", "in.txt"),
    ):
        refused(ran, 4, "version 99, not 3", "--fresh", "keeps the old one")
    check_that_it_starts_over(stopped, *options)


def test_fresh_keeps_the_first_original_and_no_other(stopped: Path) -> None:
    reduced(stopped, "--fresh", "test.sh", "in.txt")
    assert there(stopped).keys() == {"in.txt", "in.txt.orig", "test.sh"}


def test_a_bad_test_does_not_lose_the_history_of_an_earlier_run(numbers: Path) -> None:
    reduced(numbers, "test.sh", "in.txt")
    history = told(numbers, "history", "in.txt").out
    shell(numbers, "false", "bad.sh")
    refused(told(numbers, "reduce", "bad.sh", "in.txt"), 1, "does not show")
    assert told(numbers, "history", "in.txt").out == history


def test_history_of_a_file_that_was_never_reduced(numbers: Path) -> None:
    refused(told(numbers, "history", "in.txt"), 2, "no journal for 'in.txt'", "give the file")
    assert there(numbers).keys() == {"in.txt", "test.sh"}
    assert not (numbers / ".wynot").exists()


@pytest.mark.parametrize("length", slow_but([255], [243, 250, 255]))
def test_a_name_as_long_as_there_can_be(numbers: Path, length: int) -> None:
    """Whatever is made of it, to keep the original, the journal and the sides, is shortened."""
    name = "x" * (length - 4) + ".txt"
    (numbers / "in.txt").rename(numbers / name)
    shell(numbers, 'grep -q 33 "$1"')
    reduced(numbers, "test.sh", name)
    assert b"33" in (numbers / name).read_bytes()
    backups = [path for path in numbers.iterdir() if path.name.endswith(".orig")]
    assert [path.read_bytes() for path in backups] == [NUMBERS]
    shown = told(numbers, "history", name)
    assert shown.code == 0, shown
    (numbers / name).write_bytes(NUMBERS)
    assert told(numbers, "reduce", "-q", "--fresh", "test.sh", name).code == 0
    (numbers / name).write_bytes(NUMBERS)
    sides = told(numbers, "isolate", "-q", name, "--stdout", "33", "--", "cat", name)
    assert sides.code == 0, sides
    made = {path.name[-12:] for path in numbers.iterdir()} - {name[-12:], "test.sh"}
    assert {"failing.txt", "passing.txt"} <= {each.partition(".")[2] for each in made}
