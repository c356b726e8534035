"""Text of strangers stays text wherever a command shows it: terminal, logs, pages, files for CI."""

import json
import os
import pty
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from markdown_it import MarkdownIt

from e2e.programs import CALM, PLAIN, Ran, reduced, shell, told
from foreign_texts import (
    hidden,
    require_json_lines,
    require_only_ours,
    require_xml,
    strings_in,
    workflow_commands,
)
from unit.inquiries.changes.repositories import PROGRAM, git, make

NAME = (
    "a\x1b]0;t\x07\x1b[5m\x9b31m\u202e\u2028`<img src=x onerror=alert(1)>`@all &#1;"
    "##[error]x\r::error::y\n::add-mask::z $(touch pwned)\udcff'\".txt"
)
"""A name of a file."""
WORDS = (
    "\x1b]0;t\x07\x1b[5m\x9b31m\u202e```` ##[add-mask]a ]]> </script><!--<img src=x onerror=b()> "
    "@all [c](javascript:d) \\"
)
"""A line that a program prints."""
CRASH = f"""\
import sys
if b"boom" in open(sys.argv[1], "rb").read():
    print("::add-mask::boom\\n##[group]boom")
    sys.stderr.buffer.write({WORDS!a}.encode() + b"\\n\\xff\\x1b[2J\\n")
    raise LookupError({WORDS!a})
"""
CONTENT = f"1\n2\n{WORDS}\nboom\n3\n".encode()

_OWN_SEQUENCE = re.compile(
    r"\x1b\[(\?(25|1049|2026)[hl]|\d*A|H|K|J|((3\d|[0-4])(;(3\d|[0-4]))*)?m)|\r"
)
"""What the live view and its styles are made of; blinking is none of it."""


@pytest.fixture(autouse=True)
def _in_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the log read by GitHub Actions."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")


def harmless(folder: Path, *arguments: str, code: int = 0) -> Ran:
    """Run a command whose output must be text, and no command."""
    ran = told(folder, *arguments)
    assert ran.code == code, ran
    assert not hidden(ran.out + ran.err), ran
    assert not workflow_commands(ran.out + ran.err), ran
    assert not (folder / "pwned").exists()
    return ran


@pytest.fixture
def crashing(tmp_path: Path) -> Path:
    """Return a folder with a file to reduce, and what crashes on it."""
    (tmp_path / "crash.py").write_text(CRASH)
    (tmp_path / NAME).write_bytes(CONTENT)
    return tmp_path


RUN = (NAME, "--", sys.executable, "crash.py", "{}")


def test_a_reduction_is_told_as_text(crashing: Path) -> None:
    ran = harmless(crashing, "reduce", "-j1", *CALM, "--report", "page.html", *RUN)
    assert "LookupError" in ran.out
    require_only_ours((crashing / "page.html").read_text())
    for command in ("history", "watch"):
        harmless(crashing, command, NAME)
    assert NAME in strings_in(require_json_lines(told(crashing, "reduce", "--json", *RUN).out))
    for row in require_json_lines(harmless(crashing, "history", "--json", NAME).out):
        assert isinstance(row, dict)
    harmless(crashing, "reduce", "--max-tests", "1", "--fresh", *RUN, code=3)
    harmless(crashing, "reduce", f"{NAME}.not", "--", "true", "{}", code=2)


@pytest.mark.slow
def test_a_check_and_an_explanation_are_told_as_text(crashing: Path) -> None:
    assert "LookupError" in harmless(crashing, "check", *RUN).out
    reduced(crashing, *CALM, *RUN)
    harmless(crashing, "explain", "--explain-tests", "20", NAME)
    ran = told(crashing, "explain", "--explain-tests", "20", "--json", NAME)
    require_json_lines(ran.out)
    harmless(crashing, "report", NAME, "-o", "page.html")
    read = require_only_ours((crashing / "page.html").read_text())
    assert "Why it fails" in read.text


def test_a_folder_for_a_bug_report_has_text_only(crashing: Path) -> None:
    reduced(crashing, *CALM, *RUN[:2], sys.executable, str(crashing / "crash.py"), "{}")
    harmless(crashing, "repro", NAME, "-o", "folder")
    issue = (crashing / "folder/ISSUE.md").read_text()
    assert not hidden(issue, "\t")
    tokens = MarkdownIt("commonmark").parse(issue)
    blocks = {"heading_open", "heading_close", "paragraph_open", "paragraph_close"}
    assert {each.type for each in tokens} == {*blocks, "inline", "fence"}
    for token in tokens:
        for child in token.children or ():
            assert child.type in {"text", "code_inline", "softbreak"}
            assert child.type == "code_inline" or not {*"@<["} & {*child.content}
    assert "boom\n" in [each.content for each in tokens if each.type == "fence"]
    script = crashing / "folder/reproduce.sh"
    assert not hidden(script.read_text(), "\t")
    run = subprocess.run(  # noqa: S603 - what was made
        ["/bin/sh", script], capture_output=True, text=True, errors="replace", cwd="/", check=False
    )
    assert (run.returncode, run.stdout.splitlines()[-1]) == (
        *(0, "the failure shows (exit status 1)"),
    )


@pytest.mark.parametrize("command", ["history", "report", "repro", "watch", "explain"])
def test_a_forged_journal_is_told_as_text(tmp_path: Path, command: str) -> None:
    (tmp_path / "in.txt").write_text("".join(f"{number}\n" for number in range(9)))
    shell(tmp_path, "grep -q 7 in.txt")
    reduced(tmp_path, "test.sh", "in.txt")
    with closing(sqlite3.connect(tmp_path / ".wynot/in.txt.journal")) as journal, journal:
        lone = f"{WORDS}\ud800"
        places = dict.fromkeys(("where", "original", "was", "now"), lone)
        events = journal.execute("SELECT seq, kind, key, body FROM events").fetchall()
        for number, kind, key, body in events:
            is_json = kind in {"step", "ended"} or kind.startswith("pass")
            row: Any = json.loads(body) if is_json else None
            match kind, key:
                case "step", _:
                    row[1:3] = WORDS, WORDS
                case (("pass_began" | "pass_ended"), _):
                    row["name"] = WORDS
                case "ended", _:
                    row |= {**places, "minimal": [lone]}
                case "fact", ("likeness" | "minimal"):
                    row = [lone, lone]
                case _:
                    continue
            journal.execute("UPDATE events SET body = ? WHERE seq = ?", (json.dumps(row), number))
    ran = told(tmp_path, command, "in.txt")
    assert not hidden(ran.out + ran.err), ran
    assert not workflow_commands(ran.out + ran.err)
    assert "Traceback" not in ran.err
    for made in (tmp_path / "in.txt.html", tmp_path / "in.txt.repro/ISSUE.md"):
        assert not made.exists() or not hidden(made.read_text(), "\t")
    assert command != "report" or (tmp_path / "in.txt.html").exists(), ran


def test_a_damaged_journal_is_told_as_text(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("".join(f"{number}\n" for number in range(9)))
    shell(tmp_path, "grep -q 7 in.txt")
    reduced(tmp_path, "test.sh", "in.txt")
    with closing(sqlite3.connect(tmp_path / ".wynot/in.txt.journal")) as journal, journal:
        journal.execute("PRAGMA writable_schema = ON")
        row = ("index", WORDS, "events", 2, "CREATE RUBBISH")
        journal.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", row)
    ran = told(tmp_path, "history", "in.txt")
    assert ran.err
    assert not hidden(ran.out + ran.err), ran
    assert not workflow_commands(ran.out + ran.err)


def test_results_of_a_batch_are_text(tmp_path: Path) -> None:
    folder = tmp_path / f"in {NAME}"
    folder.mkdir()
    (tmp_path / "crash.py").write_text(CRASH)
    for number in range(2):
        (folder / f"{number}{NAME}").write_bytes(b"%d\n" % number + CONTENT)
    ran = harmless(
        *(tmp_path, "batch", "-j1", *CALM, "-o", "out", folder.name, "--"),
        *(sys.executable, "crash.py", "{}"),
    )
    assert "1 cause of 2 failing inputs" in ran.out
    require_only_ours((tmp_path / "out/index.html").read_text())
    root = require_xml((tmp_path / "out/junit.xml").read_bytes())
    assert [*root.iter("failure")]
    log = json.loads((tmp_path / "out/results.sarif").read_text())
    assert not [each for each in strings_in(log) if hidden(each, "\t")]
    [result] = log["runs"][0]["results"]
    uri = urlsplit(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
    assert uri._replace(path="") == ("", "", "", "", "")
    assert (tmp_path / "out" / os.fsdecode(unquote_to_bytes(uri.path))).exists()
    names = {*strings_in(json.loads((tmp_path / "out/results.json").read_text()))}
    assert {f"{number}{NAME}" for number in range(2)} <= names
    again = told(tmp_path, "batch", "--json", "-o", "out", folder.name, "--", "true", "{}")
    require_json_lines(again.out)


def test_commits_of_strangers_are_told_as_text(tmp_path: Path) -> None:
    folder = tmp_path / "repository"
    check = (PROGRAM, b"#!/bin/sh\n! grep -qs BUG *.txt\n")
    good, _ = make(
        folder,
        [
            {NAME: b"1\n2\n3\n", "check.sh": check},
            {NAME: b"1\n" + CONTENT + b"BUG\n3\n", "check.sh": check},
        ],
    )
    subject = f"{WORDS}\n\n::error::in the body"
    author = "A\x1b]0;t\x07##[error]nn <a@example.org>"
    git(folder, "commit", "-q", "--amend", "-m", subject, "--author", author)
    ran = harmless(
        *(folder, "changes", "-j1", *CALM, "--report", "../page.html", "--good", good),
        *("--", "./check.sh"),
    )
    assert "is the first bad commit" in ran.out
    require_only_ours((tmp_path / "page.html").read_text())
    harmless(folder, "changes", "-q", "--good", good, "--", "./check.sh")
    ran = told(folder, "changes", "--json", "--good", good, "--", "./check.sh")
    assert WORDS in strings_in(require_json_lines(ran.out))


def test_two_inputs_are_compared_as_text(tmp_path: Path) -> None:
    (tmp_path / "crash.py").write_text(CRASH)
    (tmp_path / f"good{NAME}").write_bytes(CONTENT.replace(b"boom", b"##[group]"))
    (tmp_path / NAME).write_bytes(CONTENT.replace(b"boom", b"##[group]boom"))
    sides = (f"good{NAME}", NAME, "--", sys.executable, "crash.py", "{}")
    harmless(tmp_path, "isolate", "-j1", *CALM, "--report", "page.html", *sides)
    require_only_ours((tmp_path / "page.html").read_text())
    require_json_lines(told(tmp_path, "isolate", "--json", *sides).out)


def on_terminal(folder: Path, *arguments: str) -> str:
    """Return all that a command writes to a terminal."""
    seen, terminal = pty.openpty()
    with subprocess.Popen(  # noqa: S603 - the command is what is tested
        [sys.executable, "-m", "wynot", *arguments],
        cwd=folder,
        env={**os.environ, **PLAIN, "TERM": "xterm", "COLUMNS": "80", "LINES": "24"},
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
    ):
        os.close(terminal)
        written = b""
        try:
            while piece := os.read(seen, 65536):
                written += piece
        except OSError:  # as Linux says that there is no more
            pass
    os.close(seen)
    return written.decode()


@pytest.mark.slow
def test_a_terminal_is_told_nothing_but_text(crashing: Path) -> None:
    commands = (
        ("reduce", "-j1", *CALM, *RUN),
        ("history", NAME),
        ("history", "--show", "0", NAME),
        ("history", "--diff", "0", "1", NAME),
        ("watch", NAME),
        ("reduce", f"{NAME}.not", "--", "true", "{}"),
    )
    shown = "".join(on_terminal(crashing, *command) for command in commands)
    assert r"\x1b]0;t\x07" in shown
    assert "x\r" not in shown.replace("x\r\n", "")
    assert not hidden(_OWN_SEQUENCE.sub("", shown), "\t")
