"""Where the system has none of what only Linux has, wynot does without.

Python itself is bereft of it before wynot is imported: as on macOS, it then has no descriptors for
processes, no way to ask for an end without taking it, and no limits of other processes.
"""

import subprocess
import sys
from pathlib import Path

import pytest

BEREFT = """
import os, resource, signal, sys, time
sys.platform = "darwin"
LACKING = {
    os: ["O_PATH", "P_PID", "pidfd_open", "sched_getparam", "sched_setscheduler", "waitid"],
    resource: ["prlimit"],
    signal: ["pidfd_send_signal"],
    time: ["CLOCK_REALTIME_COARSE"],
}
for module, names in LACKING.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
from wynot.cli.main import main
sys.exit(main())
"""
SCRIPT = "a=1\nb=2\nsleep 0.2\necho boom >&2\nexit 3\n"


@pytest.mark.parametrize("options", [[], ["--memory", "1G"]])
def test_a_script_is_reduced(tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "s.sh").write_text(SCRIPT)
    line = ["reduce", "s.sh", *options, "--stderr", "^boom", "--", "sh", "{}"]
    ran = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", BEREFT, *line],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (tmp_path / "s.sh").read_text() == "echo boom>&2\n"
    assert "this system has no Landlock" in " ".join(ran.stdout.split())
