"""The words of the end-to-end tests: run the real command on real files, look at what is left."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple
from unittest.mock import patch

from wynot.cli.main import main

LONGEST = 500.0
"""Seconds after which a command hangs; below pytest's own limit, so that its output is seen."""

CALM = ("--timeout", "300")
"""For tests that count: no test of a candidate is cut off because the machine is busy."""

PLAIN = {"LC_ALL": "C.UTF-8", "TERM": "dumb"}

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

NUMBERS = "".join(f"{number}\n" for number in range(1, 51)).encode()
"""What most tests reduce: 50 short lines."""


class Ran(NamedTuple):
    """How the command ended."""

    code: int
    out: str
    err: str

    @property
    def hint(self) -> str:
        """The line after the message."""
        return "".join(line for line in self.err.splitlines() if line.startswith("hint: "))

    @property
    def events(self) -> list[dict[str, Any]]:
        """What --json has told, but for what was being done meanwhile."""
        told = map(json.loads, self.out.splitlines())
        return [event for event in told if event["event"] != "doing"]

    @property
    def began(self) -> dict[str, Any]:
        """What --json has told at the start; a notice may come before it."""
        return next(event for event in self.events if event["event"] == "began")


def wynot(
    folder: Path,
    *arguments: str | bytes | Path,
    env: Mapping[str, str] | None = None,
    before: Sequence[str] = (),
) -> Ran:
    """Run the command in a folder; ``before`` is a command that runs it in some special way."""
    done = subprocess.run(  # noqa: S603 - the command is what is tested
        [*before, sys.executable, "-m", "wynot", *arguments],
        cwd=folder,
        env={**os.environ, **PLAIN, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LONGEST,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def told(folder: Path, *arguments: str | bytes | Path) -> Ran:
    """Run the command in this process, by the function that is its entry point.

    That saves the start of Python, which takes longer than most of what is tested. Each command is
    also run as users run it, by `wynot`.
    """
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    try:
        with (
            TemporaryFile("w+", encoding="utf-8") as out,
            TemporaryFile("w+", encoding="utf-8") as err,
            Path(os.devnull).open() as nothing,
            patch.dict(os.environ, PLAIN),
            patch.multiple(sys, stdin=nothing, stdout=out, stderr=err),
            chdir(folder),
        ):
            try:
                code = main([os.fsdecode(each) for each in arguments])
            except SystemExit as end:  # as argparse ends
                code = end.code if isinstance(end.code, int) else 1
            shown = []
            for stream in (out, err):
                stream.flush()
                stream.seek(0)
                shown.append(stream.read())
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    return Ran(code, *shown)


def reduced(folder: Path, *arguments: str | bytes | Path) -> Ran:
    """Reduce, quietly; it must succeed."""
    ran = told(folder, "reduce", "-q", *arguments)
    assert ran.code == 0, ran
    assert not ran.err
    return ran


def refused(ran: Ran, code: int, *words: str) -> None:
    """Check that a mistake was told in wynot's way: message, hint, documented exit code."""
    assert ran.code == code, ran
    assert ran.err.startswith("wynot: "), ran.err
    assert "Traceback" not in ran.err
    message = ran.err.lower()
    for word in words:
        assert word.lower() in message, (word, ran.err)
    assert ran.hint, ran.err


def shell(folder: Path, body: str, name: str = "test.sh", mode: int = 0o755) -> Path:
    """Write a shell script."""
    return text(folder / name, f"#!/bin/sh\n{body}\n", mode)


def text(path: Path, content: str, mode: int = 0o644) -> Path:
    """Write a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    path.chmod(mode)
    return path


def there(folder: Path) -> dict[str, bytes]:
    """Return everything in a folder, but not what wynot keeps for itself."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".wynot" not in path.parts
    }
