"""A reduction that can be looked at in its midst: from some candidate on, its tests wait."""

from pathlib import Path

from faults.scripts import until

LINES = "".join(f"line {number}\n" for number in range(1, 61))
COMMAND = "wynot reduce -j 1 --timeout 300 --atoms lines ./test.sh in.txt"
SCRIPT = """\
#!/bin/sh
cmp -s in.txt "{folder}/original" || echo x >> "{folder}/asked"
if [ -s in.txt ] && [ "$(wc -l < "{folder}/asked")" -eq {after} ]; then
    [ -e "{folder}/passed" ] || : > "{folder}/hold"
fi
while [ -e "{folder}/hold" ]; do sleep 0.01; done
grep -q 'line 17' in.txt && grep -q 'line 44' in.txt
"""


class HeldRun:
    """Files for a run that waits at its Nth candidate, until it is let go."""

    def __init__(self, folder: Path, after: int = 14) -> None:
        self.folder = folder
        (folder / "in.txt").write_text(LINES)
        (folder / "original").write_text(LINES)
        (folder / "asked").write_text("")
        test = folder / "test.sh"
        test.write_text(SCRIPT.format(folder=folder, after=after))
        test.chmod(0o755)

    def named(self, name: str) -> None:
        """Let the candidate have another name."""
        test = self.folder / "test.sh"
        test.write_text(test.read_text().replace("in.txt", name))

    @property
    def asked(self) -> int:
        """How many candidates were run."""
        return len((self.folder / "asked").read_text().split())

    def wait(self) -> None:
        """Wait until a test waits."""
        until((self.folder / "hold").exists, "a test waits")

    def go(self) -> None:
        """Let the test end, and all that follow."""
        (self.folder / "passed").write_text("")
        (self.folder / "hold").unlink()
