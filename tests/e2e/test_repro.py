"""``wynot repro``: whoever gets the folder sees the failure, and needs no wynot."""

import subprocess
from pathlib import Path

import pytest

from e2e.programs import reduced, refused, shell, text, told

CRASH = "import sys, os, signal\nif b'boom' in open(sys.argv[1], 'rb').read():\n    "


def reproduced(folder: Path) -> tuple[int, str]:
    """Return what comes of the script of a folder, which was moved elsewhere."""
    away = folder.with_name("sent away")
    folder.rename(away)
    done = subprocess.run(  # noqa: S603 - what was made
        ["/bin/sh", away / "reproduce.sh"],
        capture_output=True,
        text=True,
        cwd="/",
        check=False,
        timeout=300,
    )
    return done.returncode, done.stdout


@pytest.fixture
def input_file(tmp_path: Path) -> Path:
    return text(tmp_path / "my in.txt", "".join(f"{number}\nboom\n" for number in range(9)))


def test_a_script_goes_along(tmp_path: Path, input_file: Path) -> None:
    text(tmp_path / "words.txt", "boom\n")
    test = text(tmp_path / "my test", '#!/bin/sh\ngrep -q -f words.txt "$1"\n')
    test.chmod(0o755)
    reduced(tmp_path, "--with", "words.txt", "./my test", input_file.name)
    assert told(tmp_path, "repro", input_file.name, "-o", "folder").code == 0
    test.unlink()
    (tmp_path / "words.txt").unlink()
    issue = (tmp_path / "folder/ISSUE.md").read_text()
    assert "```txt\nboom\n```" in issue
    assert "exits with 0 if the failure shows" in issue
    assert len(issue.splitlines()) <= 60
    assert reproduced(tmp_path / "folder") == (0, "the failure shows (exit status 0)\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("raise LookupError('my fault')", "the failure shows (exit status 1)\n"),
        ("os.kill(os.getpid(), signal.SIGUSR1)", "the failure shows (exit status 138)\n"),
    ],
)
def test_a_command_is_compared_by_how_it_ends(
    tmp_path: Path, input_file: Path, body: str, words: str
) -> None:
    program = text(tmp_path / "prog.py", CRASH + body + "\n")
    reduced(tmp_path, input_file.name, "--", "python3", str(program), "{}")
    assert told(tmp_path, "repro", input_file.name, "-o", "folder").code == 0
    code, out = reproduced(tmp_path / "folder")
    assert (code, out.splitlines()[-1] + "\n") == (0, words)
    program.write_text("")
    done = subprocess.run(  # noqa: S603 - what was made
        ["/bin/sh", tmp_path / "sent away/reproduce.sh"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "does not show (exit status 0, not 1" in done.stdout


def test_a_line_of_shell_is_quoted(tmp_path: Path, input_file: Path) -> None:
    reduced(tmp_path, "-c", "grep -q 'bo*m' \"$1\"", input_file.name)
    assert told(tmp_path, "repro", input_file.name, "-o", "folder").code == 0
    assert reproduced(tmp_path / "folder") == (0, "the failure shows (exit status 0)\n")


def test_what_cannot_be_done_is_said(tmp_path: Path, input_file: Path) -> None:
    name = input_file.name
    refused(told(tmp_path, "repro", name), 2, "there is no journal")
    test = shell(tmp_path, 'grep -q boom "$1"')
    reduced(tmp_path, "test.sh", name)
    (tmp_path / f"{name}.repro").mkdir()
    refused(told(tmp_path, "repro", name), 2, "is there already")
    Path(test).unlink()
    refused(told(tmp_path, "repro", name, "-o", "other"), 4, "test.sh' cannot be read")
    assert not (tmp_path / "other").exists()


def test_copies_from_outside_are_named_and_stay_private(tmp_path: Path, input_file: Path) -> None:
    text(tmp_path / "words.txt", "boom\n", 0o600)
    test = text(tmp_path / "test.sh", '#!/bin/sh\ngrep -q -f words.txt "$1"\n', 0o700)
    reduced(tmp_path, "--with", "words.txt", test.name, input_file.name)
    ran = told(tmp_path, "repro", input_file.name, "-o", "folder")
    assert ran.code == 0
    assert "case/words.txt is a copy of words.txt\n" in ran.out
    assert "test.sh is a copy of test.sh\n" in ran.out
    modes = {path: (tmp_path / "folder" / path).stat().st_mode & 0o7777 for path in _FILES}
    assert modes == _FILES


_FILES = {"case/words.txt": 0o600, "test.sh": 0o700, "reproduce.sh": 0o755, "ISSUE.md": 0o644}
"""The files of a folder, and their permissions."""
