"""Batches that are killed: what is left, and how they go on."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from faults.scripts import WYNOT, killed_at_last, script
from tiers import slow_but

WORDS = {"boom": "ABRT", "zap": "SEGV", "pow": "FPE", "bang": "ILL"}
FILLER = "one two three\n[4, 5]\n{six}\n"


def place(folder: Path) -> Path:
    """Make a folder of crashes of four causes, and a program that logs what it is run on."""
    (folder / "crashes").mkdir(parents=True)
    for number, word in enumerate([*WORDS, *WORDS]):
        (folder / "crashes" / f"id:{number:06}").write_text(f"{FILLER}{number} {word}\n{FILLER}")
    cases = "\n".join(f"*{word}*) kill -{name} $$;;" for word, name in WORDS.items())
    body = f'cksum <"$1" >>"{folder}/log"\ncase $(cat "$1") in\n{cases}\nesac'
    script(folder / "prog.sh", body)
    return folder


def start(folder: Path) -> "subprocess.Popen[str]":
    argv = [WYNOT, "batch", "--json", "-j2", "--timeout", "300", "crashes", "--", "./prog.sh", "{}"]
    return subprocess.Popen(argv, cwd=folder, stdout=subprocess.PIPE, text=True)  # noqa: S603


def finished(folder: Path) -> dict[str, bytes]:
    """Run it to its end; return what is left of each group."""
    process = start(folder)
    process.communicate()
    assert process.returncode == 0
    out = folder / "crashes.reduced"
    groups = json.loads((out / "results.json").read_text())["groups"]
    assert [group["state"] for group in groups] == ["reduced"] * len(WORDS)
    return {group["kind"]: (out / group["reduced"]).read_bytes() for group in groups}


def runs(folder: Path) -> int:
    return len((folder / "log").read_text().splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("event", slow_but([25], [1, 9, 25, 40, 60]))
def test_a_batch_that_is_killed_goes_on_where_it_was(tmp_path: Path, event: int) -> None:
    whole, part = place(tmp_path / "whole"), place(tmp_path / "part")
    expected = finished(whole)
    with killed_at_last(start(part)) as process:
        assert process.stdout is not None
        for _, _line in zip(range(event), process.stdout, strict=False):
            pass
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert finished(part) == expected
    # What was under way is run again, and what was begun ahead on a bet; nothing else.
    assert runs(part) <= runs(whole) + 20


@pytest.mark.slow
def test_a_batch_that_is_interrupted_says_what_it_has(tmp_path: Path) -> None:
    place(tmp_path)
    with killed_at_last(start(tmp_path)) as process:
        assert process.stdout is not None
        events: list[str] = []
        while "group_ended" not in events or events[-1] != "accepted":
            events.append(json.loads(process.stdout.readline())["event"])
        process.send_signal(signal.SIGINT)
        told = [json.loads(line)["event"] for line in process.stdout]
        assert process.wait() == 130
    assert told[-1] == "batch_ended"
    found = json.loads((tmp_path / "crashes.reduced/results.json").read_text())
    assert found["stopped"] == "interrupted"
    states = [group["state"] for group in found["groups"]]
    assert states == ["reduced", "stopped", "open", "open"]
    under_way = found["groups"][1]  # what there is of it is none the worse
    best = (tmp_path / "crashes.reduced" / under_way["reduced"]).read_bytes()
    assert (under_way["why"], len(best)) == ("interrupted", under_way["size"])
    assert under_way["size"] < under_way["before"]
    assert len(finished(tmp_path)) == len(WORDS)
