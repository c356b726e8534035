"""``--debug FILE``: what wynot copes with is logged there, and nowhere else."""

import os
import re
from pathlib import Path

import pytest

from e2e.programs import CALM, refused, shell, text, told
from wynot.core.system.debug_log import HEADER, debug_log, log_ignored

FAILS_ONCE = "mkdir {} 2>&- && kill -9 $PPID\ngrep -q 33 in.txt"
"""Kills the agent that runs it, the first time."""


@pytest.fixture
def killing(numbers: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    shell(numbers, FAILS_ONCE.format(tmp_path_factory.mktemp("killed") / "once"))
    return numbers


def reduce(folder: Path, *options: str) -> None:
    ran = told(folder, "reduce", "-q", "--no-confine", *CALM, *options, "test.sh", "in.txt")
    assert ran.code == 0, ran
    assert not ran.err


def test_lost_agent_is_logged_with_its_status(killing: Path) -> None:
    reduce(killing, "-j", "1", "--debug", "log")
    log = killing / "log"
    assert log.stat().st_mode & 0o777 == 0o600
    content = log.read_text()
    assert content.startswith(HEADER.decode())
    assert re.search(r"^the agent \d+ has ended with -9$", content, re.MULTILINE)
    assert "the agent of worker 0 is lost\nTraceback" in content


def test_next_run_adds_to_the_log(numbers: Path) -> None:
    reduce(numbers, "--debug", "log")
    before = (numbers / "log").read_text()
    reduce(numbers, "--fresh", "--debug", "log")
    after = (numbers / "log").read_text()
    assert after.startswith(before)
    assert after != before


def test_what_is_logged_is_all_visible(tmp_path: Path) -> None:
    with debug_log(str(tmp_path / "log")):
        # No lone surrogate: pytest keeps what is logged, and xdist cannot send such a one.
        log_ignored("a\x1b]0;t\x07", ValueError("\x9b31m\n\u202e"))
    lines = (tmp_path / "log").read_text().splitlines()
    assert r"a\x1b]0;t\x07" in lines[-3]
    assert lines[-2:] == [r"ValueError: \x9b31m", r"\u202e"]


@pytest.mark.parametrize("kind", ["link", "device", "other", "folder", "pipe"])
def test_nothing_but_a_debug_log_is_written_to(numbers: Path, kind: str) -> None:
    other = text(numbers / "other", "mine\n")
    (numbers / "link").symlink_to(other)
    os.mkfifo(numbers / "pipe")
    named = {"device": os.devnull, "folder": "."}.get(kind, kind)
    ran = told(numbers, "reduce", "--debug", named, "test.sh", "in.txt")
    refused(ran, 2, "--debug")
    assert other.read_text() == "mine\n"
    assert not Path(os.devnull).is_file()
