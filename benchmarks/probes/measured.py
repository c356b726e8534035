"""One run of ``wynot reduce`` on a probe, and what came of it."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.probes.probe import Probe

CASE = "case"
OWN = """
import resource, sys
from wynot.cli.main import main
main(sys.argv[2:])
used = resource.getrusage(resource.RUSAGE_SELF)
open(sys.argv[1], "w").write(str(used.ru_utime + used.ru_stime))
"""


class Measured(NamedTuple):
    """The figures of one run."""

    before: int
    after: int
    tests: int
    seconds: float
    own: float
    """User and system time of wynot alone, without its tests."""
    contents: dict[str, bytes]


def measured(probe: Probe, limit: float) -> Measured:
    """Reduce a probe in a folder of its own, with one worker and for so many seconds at most."""
    with TemporaryDirectory(prefix="probe-") as name:
        folder = Path(name)
        place = folder / CASE if len(probe.files) > 1 else folder
        for path, content in probe.files.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_bytes(content)
        given = [CASE] if len(probe.files) > 1 else list(probe.files)
        options = ["--fresh", "--json", "-j", "1", "--max-time", f"{limit:g}", *probe.options]
        command = [sys.executable, "-c", OWN, "used", "reduce", *options, *asked(probe, given)]
        if isinstance(probe.test, str):
            write_script(folder / "t.sh", probe.test)
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        ended = last_event(done.stdout)
        if "size" not in ended:
            sys.exit(f"{probe.name}: {done.stdout[-500:]}{done.stderr[-1500:]}")
        left = {
            str(path.relative_to(place)): path.read_bytes()
            for given_name in given
            for path in [folder / given_name, *sorted((folder / given_name).rglob("*"))]
            if path.is_file()
        }
        return Measured(
            before=sum(map(len, probe.files.values())),
            after=sum(map(len, left.values())),
            tests=ended["tests"],
            seconds=ended["seconds"],
            own=float((folder / "used").read_text()),
            contents=left,
        )


def asked(probe: Probe, given: list[str]) -> list[str]:
    """Return the arguments of the command that say what is reduced, and how it is tested."""
    return ["./t.sh", *given] if isinstance(probe.test, str) else [*given, "--", *probe.test]


def write_script(path: Path, text: str) -> None:
    """Write the test: as it is, or as a Python program."""
    path.write_text(text if text.startswith("#!") else f"#!{sys.executable}\n{text}")
    path.chmod(0o755)


def last_event(printed: str) -> dict[str, Any]:
    """Return the last line of JSON, or nothing."""
    lines = printed.splitlines()
    event: dict[str, Any] = json.loads(lines[-1]) if lines else {}
    return event
