"""Servers of ``--serve`` are ended with the run, whatever ends that."""

import signal
from pathlib import Path

import pytest

from faults.scripts import (
    Place,
    finish,
    kill_with_agents,
    killed_at_last,
    processes,
    script,
    soon,
    text,
    unique_nap,
    until,
)

SERVER = """
echo ready
trap '' TERM INT HUP
asked=0
while read -r id rest; do
    asked=$((asked + 1))
    (setsid sleep {0} &) >/dev/null 2>&1
    test -e '{1}' || {{ : >'{1}'; sleep {0}; }}
    if grep -q needle case.txt; then echo "$id 1"; else echo "$id 0"; fi
done
sleep {0}
"""
"""It does not end with its input, nor by a signal, and leaves processes behind."""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "there", text("needle", lines=5))


def serve(tmp_path: Path, *, waits: bool) -> tuple[Path, str]:
    seen = tmp_path / "seen"
    if not waits:
        seen.touch()
    nap = unique_nap()
    return script(tmp_path / "server", SERVER.format(nap, seen)), nap


@pytest.mark.slow
def test_a_server_that_a_killed_run_has_left_is_ended_by_the_next(
    tmp_path: Path, place: Place
) -> None:
    server, mark = serve(tmp_path, waits=True)
    with killed_at_last(place.start("-j1", "--serve", str(server), place.name)) as process:
        until(lambda: len(processes(mark)) == 2, "the first question")
        kill_with_agents(process)
    assert place.run("-j1", "--serve", str(server), place.name).code == 0
    assert not processes(mark)
    assert place.file.read_bytes() == b"needle\n"


def test_an_interrupted_run_ends_its_servers(tmp_path: Path, place: Place) -> None:
    server, mark = serve(tmp_path, waits=True)
    with killed_at_last(place.start("-j2", "--serve", str(server), place.name)) as process:
        until(lambda: len(processes(mark)) >= 2, "the first question")
        process.send_signal(signal.SIGINT)
        finish(process)
    assert soon(lambda: not processes(mark))


def test_a_run_ends_its_servers(tmp_path: Path, place: Place) -> None:
    server, mark = serve(tmp_path, waits=False)
    assert place.run("-j3", "--serve", str(server), place.name).code == 0
    assert not processes(mark)
    assert place.file.read_bytes() == b"needle\n"
