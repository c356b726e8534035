"""The walk of a candidate, as the page on the architecture has it, is the one that it takes."""

import os
import re
import sys
import threading
from pathlib import Path
from types import FrameType

import wynot
from e2e.programs import text
from structure.pages import ROOT
from wynot.cli.main import main

PAGE = (ROOT / "docs/design/architecture.md").read_text()
TABLE = PAGE.partition("### One candidate")[2].partition("\n## ")[0].partition("| | |\n")[2]
STOPS = re.findall(r"`((?:\w+/)+\w+\.py)` `([\w.]+)`", TABLE)
SOMETIMES = {"disk/output.py", "disk/write.py"}
"""What is done now and then, not for each."""
MAX_FILES = 32


def test_it_is_short_and_never_turns_back() -> None:
    files = [file for file, _ in STOPS]
    assert len(files) == len(set(files))
    assert len(files) <= MAX_FILES


def test_it_is_the_one_that_a_candidate_takes(tmp_path: Path) -> None:
    source = Path(wynot.__file__).parent
    calls: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(f"{source}{os.sep}"):
            calls.append((str(Path(code.co_filename).relative_to(source)), code.co_qualname))

    text(tmp_path / "prog.c", "int a;\nint b(void) { return 1; }\nint crash;\nint c;\n")
    test = text(tmp_path / "test.sh", "#!/bin/sh\ngrep -q crash prog.c\n")
    test.chmod(0o755)
    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        main(["reduce", "--quiet", "-j", "1", str(test), str(tmp_path / "prog.c")])
    finally:
        sys.setprofile(before)
        threading.setprofile(before)
    wanted = [stop for stop in STOPS if stop[0] not in SOMETIMES]
    accepted = calls.index(("reduction/best.py", "Best.accept"))
    # From the end of an accepted candidate's walk back to its birth: each stop is before the next.
    at = next(n for n in range(accepted, len(calls)) if calls[n] == wanted[-1])
    for stop in reversed(wanted[:-1]):
        at = max((n for n in range(at) if calls[n] == stop), default=-1)
        assert at >= 0, stop
    # It was one candidate: nothing else was committed on the way.
    assert calls[at:accepted].count(("engine/scheduler.py", "Scheduler._commit")) == 1
