"""A sandbox on the machine where its programs run, in the process of its agent.

After a run nothing of it is left: no process, no temporary file; its files go with the next
candidate.
"""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from wynot.agent.sandbox_folders import SandboxFolders
from wynot.agent.server import Served, Server, Service, pipes
from wynot.core.ending import Ending
from wynot.core.system.folder_files import FolderFiles
from wynot.machine.capture import Footprint, Stream, Streams
from wynot.machine.confined import Confined, Fence
from wynot.machine.process_start import Bounds, Child, ProcessStart, spawn
from wynot.machine.run_folder import RunFolder
from wynot.machine.run_label import RunLabel, Variables
from wynot.machine.supervisor import Interrupter, Supervisor
from wynot.warm.copies import WarmCommand, WarmCopies
from wynot.wire.run_request import Limits, RunRequest

WARMING_SECONDS = 120.0
"""Seconds that a process may take to load its modules before it is copied."""


class HostedRun(NamedTuple):
    """A command that was started in a sandbox."""

    see_through: Callable[[], Ending]
    """Returns how it ended, when none of its processes is left; raises Killed if given up."""
    clear: Callable[[], None]
    """Removes what it has left in folders. Another sandbox need not wait for that."""


class HostedSandbox:
    """A folder for a candidate, a folder for temporary files, and one process tree at a time."""

    def __init__(self, root: RunFolder, name: str, interrupter: Interrupter) -> None:
        self._place = SandboxFolders(root, name)
        self._variables = Variables()
        self._starters: dict[Fence, Confined] = {}
        """What starts confined programs. There are two if programs besides tests are confined."""
        self._null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        self._silent = Streams(self._null, None, ())
        self._supervisor = Supervisor(interrupter)
        self._copies = WarmCopies(
            self._place, partial(self._supervisor.wait_for, seconds=WARMING_SECONDS)
        )
        self._service = Service(self._supervisor)

    @property
    def private(self) -> Path:
        """A folder of wynot's own, for what stays from one candidate to the next."""
        return self._place.private

    @property
    def stuck(self) -> Path | None:
        """Something that a test has left and that cannot be removed, if there is any."""
        return self._place.stuck

    @property
    def folder(self) -> Path:
        """Where the test runs: it holds the files of the candidate, and nothing else."""
        return self._place.case.path

    def place(self, files: FolderFiles) -> None:
        """Make the folder hold exactly these files; raise ValueError if a path leads out of it."""
        self._place.place(files)

    def begin(self, request: RunRequest) -> HostedRun:
        """Start a command, which is to be seen through and cleared away; a server is asked then.

        What is in ``env`` is added to the environment of this process, or with None taken out of
        it. Raise OSError if there is no such program, or if it is none.
        """
        if request.question is not None:
            return HostedRun(partial(self._ask, request), lambda: None)
        streams = self._streams(request)
        try:
            return self._launched(request, streams)
        except BaseException:
            streams.close()
            raise

    def _ask(self, request: RunRequest) -> Ending:
        """Ask a server, which is started if there is none that may be asked.

        Its answer is returned as if it was how a program ended; see `wynot.agent.server`.
        """
        served = Served.of(request, self.folder)
        start = partial(self._start_server, limits=request.limits)
        self._place.start()
        try:
            written = self._written()  # whatever is there: by the server, since it was started
            return self._service.ask(request, served, start, written)
        finally:
            self._place.clear(around=request.limits.is_test)

    def close(self) -> None:
        """Let everything go. Nothing may run here any more; the folders go with the root."""
        if self._null < 0:
            return
        self._service.close()
        self._place.close()
        self._copies.close()
        for starter in self._starters.values():
            starter.close()
        self._supervisor.close()
        os.close(self._null)
        self._null = -1

    def _launched(self, request: RunRequest, streams: Streams) -> HostedRun:
        label = RunLabel.of_next(self._place.root.name)
        temporary, limits = self._place.temporary.path, request.limits
        environ = self._variables.lines(
            request.folder or self.folder, temporary, label.marker, request.env
        )
        written = self._written(since=self._place.start())
        copy = self._copied(request, environ, streams.standard, label)
        child = copy or self._started(request, environ, streams.standard, label)

        def see_through() -> Ending:
            try:
                ending = self._supervisor.see_through(child, child.family, limits, streams, written)
                return self._copies.seen(ending) if copy else ending
            finally:
                streams.close()

        return HostedRun(see_through, partial(self._place.clear, around=limits.is_test))

    def _written(self, *, since: int = 0) -> Footprint:
        return Footprint((self._place.scratch, self.private), since)

    def _started(
        self, request: RunRequest, environ: list[bytes], streams: tuple[int, ...], label: RunLabel
    ) -> Child:
        folder, limits = request.folder or self.folder, request.limits
        bounds, start = Bounds(limits.memory), self._start(limits)
        return Child(request.argv, folder, environ, streams, label, bounds, start)

    def _copied(
        self, request: RunRequest, environ: list[bytes], streams: tuple[int, ...], label: RunLabel
    ) -> Child | None:
        """Start a command as a copy of a process that has its modules loaded, if there can be one.

        The mark of a run comes first in its environment, and is all that differs between runs.
        """
        folder, limits = request.folder or self.folder, request.limits
        if limits.warm_plan is None:
            return None
        mark, *lines = environ
        command = WarmCommand(tuple(request.argv), str(folder), tuple(lines), self._start(limits))
        pid = self._copies.started(limits.warm_plan, command, mark, label, streams, limits.memory)
        if pid is None:
            return None
        child = Child(request.argv, folder, environ, streams, label, start=lambda *_: pid)
        child.started = self._copies.began
        return child

    def _start(self, limits: Limits) -> ProcessStart:
        return spawn if limits.writable is None else self._confined(limits).spawn

    def _start_server(self, served: Served, limits: Limits) -> Server:
        label = RunLabel.of_next(self._place.root.name)
        temporary = self._place.renew_server()
        environ = Variables().lines(self.folder, temporary, label.marker, dict(served.env))
        streams = (self._place.stream(limits.output), self._place.stream(limits.output))
        (reading, answering), ours = pipes()
        try:
            self._place.start()  # what was made for it is there to stay
            standard = (reading, answering, streams[1].descriptor)
            child = self._started(RunRequest(served.argv, limits), environ, standard, label)
        except BaseException:
            for each in streams:
                each.close()
            for descriptor in ours:
                os.close(descriptor)
            raise
        finally:
            os.close(reading)
            os.close(answering)
        return Server(served, child, child.family, ours, streams)

    def _confined(self, limits: Limits) -> Confined:
        """Return who starts programs that can write here, and to some more folders, only."""
        fence = Fence.of([self._place.scratch, *(limits.writable or ())])
        starter = self._starters.get(fence)
        if starter is None:
            # A folder of an earlier one may have been removed and made again.
            for outdated in [each for each in self._starters if each.folders == fence.folders]:
                self._starters.pop(outdated).close()
            starter = self._starters[fence] = Confined(fence)
        return starter

    def _streams(self, request: RunRequest) -> Streams:
        if request.stdin is None and not request.capture:
            return self._silent
        descriptor = None
        if request.stdin is not None:
            path = f"{request.folder or self.folder}/{request.stdin}"
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        captured: tuple[Stream, ...] = ()
        if request.capture:
            most = request.limits.output
            captured = (self._place.stream(most), self._place.stream(most))
        return Streams(self._null, descriptor, captured)
