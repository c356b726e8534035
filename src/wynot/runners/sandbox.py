"""A sandbox: a worker's private place, where candidates are put and commands run on them.

After a run nothing of it is left: no process, no temporary file; its files go with the next
candidate.
"""

from pathlib import Path
from typing import Protocol

from wynot.core.ending import Ending
from wynot.core.files import Files
from wynot.runners.kill_switch import KillSwitch
from wynot.wire.run_request import RunRequest


class Sandbox(Protocol):
    """A folder for a candidate, a folder for temporary files, and one process tree at a time.

    One thread works in a sandbox; any thread may give up what is done there, by its switch.
    """

    @property
    def worker(self) -> int:
        """The number of the worker that it belongs to."""

    @property
    def switch(self) -> KillSwitch:
        """What gives up the job that is done here."""

    @property
    def private(self) -> Path:
        """A folder of wynot's own, for what stays from one candidate to the next."""

    @property
    def scratch(self) -> Path:
        """The folder inside of it that confined tests can write, and that holds `folder`.

        What they leave in it may be anything: a link, a FIFO, a file without end.
        """

    @property
    def shared(self) -> Path:
        """A folder for what all sandboxes of a run use; what is in the others may be lost."""

    @property
    def stuck(self) -> Path | None:
        """Something that a test has left and that cannot be removed, if there is any."""

    @property
    def folder(self) -> Path:
        """Where the test runs: it holds the files of the candidate, and nothing else."""

    def place(self, files: Files) -> None:
        """Have the folder hold exactly these files when the next command runs.

        What is wrong with them, or with the disk, is raised there.
        """

    def run(self, request: RunRequest) -> Ending:
        """Run a command, and return when none of its processes is left.

        Raise Killed if it was given up, OSError if there is no such program, or if it is none. The
        answer of a server is returned as if it was how a program ended; see `wynot.runners.server`.
        """
