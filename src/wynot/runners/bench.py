"""A bench: what a sandbox is on the machine where it is, in the process of its agent.

After a run nothing of it is left: no process, no temporary file; its files go with the next
candidate.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from wynot.core.ending import Ending
from wynot.core.folder_files import FolderFiles
from wynot.runners.capture import Footprint, Stream, Streams
from wynot.runners.child import Child, Limits, ProcessStart
from wynot.runners.confined import Confined, Fence
from wynot.runners.launcher import Bounds
from wynot.runners.run_label import RunLabel, Variables
from wynot.runners.server import Served, Server, Service, pipes
from wynot.runners.spawn import spawn
from wynot.runners.supervisor import Interrupter, Supervisor
from wynot.runners.warm.copies import WarmCopies
from wynot.runners.warm.warm_server import WarmCommand
from wynot.runners.workdir import RunFolder
from wynot.runners.workplace import Workplace

WARMING_SECONDS = 120.0
"""Seconds that a process may take to load its modules before it is copied."""


class BenchRun(NamedTuple):
    """A command that was started at a bench."""

    see_through: Callable[[], Ending]
    """Returns how it ended, when none of its processes is left; raises Killed if given up."""
    clear: Callable[[], None]
    """Removes what it has left in folders. Another bench need not wait for that."""


class Bench:
    """A folder for a candidate, a folder for temporary files, and one process tree at a time."""

    def __init__(self, root: RunFolder, name: str, interrupter: Interrupter) -> None:
        self._place = Workplace(root, name)
        self._elsewhere: Path | None = None
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

    def run(
        self,
        argv: Sequence[str],
        *,
        limits: Limits,
        stdin: str | None = None,
        capture: bool = False,
        env: Mapping[str, str | None] | None = None,
        elsewhere: Path | None = None,
    ) -> Ending:
        """Run a command in the folder, and return when none of its processes is left.

        What is in ``env`` is added to the environment of this process, or with None taken out of
        it. What is ``elsewhere`` is neither filled nor emptied. Raise Killed if it was given up,
        OSError if there is no such program, or if it is none.
        """
        run = self.begin(
            argv, limits=limits, stdin=stdin, capture=capture, env=env, elsewhere=elsewhere
        )
        try:
            return run.see_through()
        finally:
            run.clear()

    def begin(
        self,
        argv: Sequence[str],
        *,
        limits: Limits,
        stdin: str | None = None,
        capture: bool = False,
        env: Mapping[str, str | None] | None = None,
        elsewhere: Path | None = None,
    ) -> "BenchRun":
        """Start a command, as `run` does; it has to be seen through, and cleared away."""
        self._elsewhere = elsewhere
        streams = self._streams(limits.output, stdin, capture=capture)
        try:
            return self._begun(argv, limits, streams, env)
        except BaseException:
            streams.close()
            raise

    def ask(
        self,
        argv: Sequence[str],
        question: str,
        *,
        limits: Limits,
        env: Mapping[str, str | None] | None = None,
        fresh: bool = False,
    ) -> Ending:
        """Ask a server, which is started if there is none yet; with ``fresh`` in any case.

        Its answer is returned as if it was how a program ended; see `wynot.runners.server`. Raise
        as `run` does.
        """
        self._elsewhere = None
        served = Served.of(argv, env, self.folder, limits)
        start = partial(self._start_server, limits=limits)
        self._place.start()
        try:
            written = self._written()  # whatever is there: by the server, since it was started
            return self._service.ask(question, served, start, limits, written, fresh=fresh)
        finally:
            self._place.clear(around=limits.is_test)

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

    def _begun(
        self,
        argv: Sequence[str],
        limits: Limits,
        streams: Streams,
        env: Mapping[str, str | None] | None,
    ) -> "BenchRun":
        label = RunLabel.of_next(self._place.root.name)
        temporary = self._place.temporary.path
        environ = self._variables.lines(self._where, temporary, label.marker, env)
        written = self._written(since=self._place.start())
        copy = self._copied(argv, environ, streams.standard, label, limits) if limits.warm else None
        child = copy or self._started(argv, environ, streams.standard, label, limits)

        def see_through() -> Ending:
            try:
                ending = self._supervisor.see_through(child, child.family, limits, streams, written)
                return self._copies.seen(ending) if copy else ending
            finally:
                streams.close()

        return BenchRun(see_through, partial(self._place.clear, around=limits.is_test))

    @property
    def _where(self) -> Path:
        """Where the present command runs."""
        return self._elsewhere or self.folder

    def _written(self, *, since: int = 0) -> Footprint:
        return Footprint((self._place.scratch, self.private), since)

    def _started(
        self,
        argv: Sequence[str],
        environ: list[bytes],
        streams: tuple[int, ...],
        label: RunLabel,
        limits: Limits,
    ) -> Child:
        bounds, start = Bounds(limits.memory), self._start(limits)
        return Child(argv, self._where, environ, streams, label, bounds, start)

    def _copied(
        self,
        argv: Sequence[str],
        environ: list[bytes],
        streams: tuple[int, ...],
        label: RunLabel,
        limits: Limits,
    ) -> Child | None:
        """Start a command as a copy of a process that has its modules loaded, if there can be one.

        The mark of a run comes first in its environment, and is all that differs between runs.
        """
        mark, *lines = environ
        start = self._start(limits)
        served = WarmCommand(tuple(argv), str(self._where), tuple(lines), start)
        pid = self._copies.started(limits.warm, served, mark, label, streams, limits.memory)
        if pid is None:
            return None
        child = Child(argv, self._where, environ, streams, label, start=lambda *_: pid)
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
            child = self._started(served.argv, environ, standard, label, limits)
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

    def _streams(self, most: int, stdin: str | None, *, capture: bool) -> Streams:
        if stdin is None and not capture:
            return self._silent
        flags = os.O_RDONLY | os.O_CLOEXEC
        descriptor = None if stdin is None else os.open(f"{self._where}/{stdin}", flags)
        captured: tuple[Stream, ...] = ()
        if capture:
            captured = (self._place.stream(most), self._place.stream(most))
        return Streams(self._null, descriptor, captured)
