"""A bench: a worker's private place, where candidates are put and commands run on them.

After a run nothing of it is left: no process, no temporary file; its files go with the next
candidate. One thread works at a bench; any thread may kill what runs there.
"""

import os
import select
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import monotonic

from wynot.core.ending import Ending, Limit
from wynot.core.files import Files
from wynot.runners.capture import Stream, Streams
from wynot.runners.child import Child, Killed, Limits, mark_of
from wynot.runners.confined import Confined, Fence
from wynot.runners.descriptors import usual
from wynot.runners.launcher import Bounds
from wynot.runners.reaper import HAS_PIDFD, Family, Reaper
from wynot.runners.spawn import spawn
from wynot.runners.usage import bytes_in
from wynot.runners.variables import Variables
from wynot.runners.workdir import Root
from wynot.runners.workplace import Workplace

_PAUSES = (0.05, 0.1, 0.25)
"""Seconds between two looks at a running test: most tests end before the first one."""
_SHORT_PAUSE = 0.01
"""The same while a test prints more than is kept."""
_SHARE = 20
"""Looking takes at most one in so many parts of the time."""
_POLLING_PAUSE = 0.005
"""Without a descriptor for a process its end is asked for as often as this."""

_numbers = count(1)


class Bench:
    """A folder for a candidate, a folder for temporary files, and one process tree at a time."""

    def __init__(self, root: Root, name: str) -> None:
        self._root = root
        self._place = Workplace(root, name)
        self._elsewhere: Path | None = None
        self._variables = Variables()
        self._reaper = Reaper()
        self._starter: Confined | None = None
        self._null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        self._silent = Streams(self._null, None, ())
        self._woken, self._waker = os.pipe()
        self._poll = select.poll()
        self._poll.register(self._woken, select.POLLIN)
        # So that a kill meets what it is meant for, and not what comes next.
        self._lock = threading.Lock()
        self._depth = 0
        self._job: object = None
        self._is_given_up = False
        self.meanwhile: Callable[[], None] | None = None
        """To be done as soon as the next program runs: while it does, this costs no time."""
        self.can_wait = False
        """Whether that need not be done if the program ends soon."""

    @classmethod
    def alone(cls, *, room: int = 0) -> "Bench":
        """Return a bench with a root of its own, which goes with it."""
        return _Alone(Root.make(room=room), "0")

    @property
    def private(self) -> Path:
        """A folder of its own, for what stays from one candidate to the next."""
        return self._place.private

    @property
    def stuck(self) -> Path | None:
        """Something that a test has left and that cannot be removed, if there is any."""
        return self._place.stuck

    @property
    def folder(self) -> Path:
        """Where the test runs: it holds the files of the candidate, and nothing else."""
        return self._elsewhere or self._place.case.path

    @contextmanager
    def elsewhere(self, folder: Path) -> Iterator[None]:
        """Run in another folder for a while, on what is there: it is neither filled nor emptied."""
        self._elsewhere = folder
        try:
            yield
        finally:
            self._elsewhere = None

    def place(self, files: Files) -> None:
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
    ) -> Ending:
        """Run a command in the folder, and return when none of its processes is left.

        What is in ``env`` is added to the environment of this process, or with None taken out of
        it. Raise Killed if it was given up, OSError if there is no such program, or if it is none.
        """
        self.begin()
        try:
            if self._is_given_up:
                raise Killed
            streams = self._streams(limits.output, stdin, capture=capture)
            try:
                ending = self._run(argv, limits, streams, env)
            finally:
                streams.close()
            if self._is_given_up:
                raise Killed
            return ending
        finally:
            self.finish()

    def do_meanwhile(self) -> None:
        """Do what was put off until a program runs, or is not going to."""
        if self.meanwhile is not None:
            todo, self.meanwhile = self.meanwhile, None
            todo()

    def kill(self, job: object = None) -> bool:
        """Give up what runs now, from any thread; if a job is named, only if it is that one.

        Tell whether there was anything to give up. It does not wait until it is gone.
        """
        with self._lock:
            if not self._depth or (job is not None and job is not self._job):
                return False
            if not self._is_given_up:
                self._is_given_up = True
                os.write(self._waker, b"!")
            return True

    def begin(self, job: object = None) -> None:
        """Begin a job: until it is finished, a kill is for all of its runs."""
        with self._lock:
            self._depth += 1
            if self._depth == 1:
                self._job = job

    def finish(self) -> bool:
        """Finish the job; tell whether it was given up."""
        with self._lock:
            was_given_up = self._is_given_up
            self._depth -= 1
            if not self._depth:
                self._job = None
                if was_given_up:
                    self._is_given_up = False
                    os.read(self._woken, 1)
            return was_given_up

    def close(self) -> None:
        """Let everything go. Nothing may run here any more; the folders go with the root."""
        if self._null < 0:
            return
        self._place.close()
        if self._starter is not None:
            self._starter.close()
        self._reaper.close()
        for descriptor in (self._null, self._woken, self._waker):
            os.close(descriptor)
        self._null = -1

    def _run(
        self,
        argv: Sequence[str],
        limits: Limits,
        streams: Streams,
        env: Mapping[str, str | None] | None,
    ) -> Ending:
        number = next(_numbers)
        marker = f"{self._place.root.name}.{number}".encode()
        environ = self._variables.lines(self.folder, self._place.temporary.path, marker, env)
        mark = mark_of(self._place.root.name, number)
        self._place.start()
        bounds = Bounds(limits.memory, usual())
        start = spawn if limits.writable is None else self._confined(limits).spawn
        child = Child(argv, self.folder, environ, streams.standard, mark, bounds, start)
        family = Family(child.pid, marker, b"" if mark is None else b"%d" % mark)
        has_ended = False
        try:
            if not self.can_wait:
                self.do_meanwhile()
            limit = self._watch(child, family, limits, streams)
            has_ended = not limit
            seconds = monotonic() - child.started
        finally:
            status = self._clear(child, family, has_ended=has_ended, around=limits.is_test)
        return Ending(status, seconds, limit, *streams.read())

    def _confined(self, limits: Limits) -> Confined:
        """Return who starts programs that can write here, and to some more folders, only."""
        folders = [self.private, *map(Path, limits.writable or ())]
        if self._elsewhere is not None and limits.is_test:
            folders.append(self._elsewhere)  # not so where the user's files are only tried in place
        fence = Fence.of(folders)
        if self._starter is None or self._starter.fence != fence:
            if self._starter is not None:
                self._starter.close()
            self._starter = Confined(fence)
        return self._starter

    def _streams(self, most: int, stdin: str | None, *, capture: bool) -> Streams:
        if stdin is None and not capture:
            return self._silent
        flags = os.O_RDONLY | os.O_CLOEXEC
        descriptor = None if stdin is None else os.open(f"{self.folder}/{stdin}", flags)
        captured: tuple[Stream, ...] = ()
        if capture:
            captured = (self._place.stream(most), self._place.stream(most))
        return Streams(self._null, descriptor, captured)

    def _watch(self, child: Child, family: Family, limits: Limits, streams: Streams) -> Limit:
        """Wait for the end; return the limit that it ran into before, and raise if given up."""
        deadline = child.started + limits.timeout
        pause, looks = _PAUSES[0], 0
        if HAS_PIDFD:
            self._poll.register(child.descriptor, select.POLLIN)
        try:
            while (now := monotonic()) < deadline:
                if self._waited(child, min(pause, deadline - now)):
                    return ""
                self.do_meanwhile()
                before = monotonic()
                is_talkative = streams.cut()
                if limit := self._exceeded(family, limits):
                    return limit
                looks += 1
                cost = monotonic() - before
                pause = max(_PAUSES[min(looks, len(_PAUSES) - 1)], _SHARE * cost)
                if is_talkative:
                    pause = _SHORT_PAUSE
        finally:
            if HAS_PIDFD:
                self._poll.unregister(child.descriptor)
        return "timeout"

    def _waited(self, child: Child, seconds: float) -> bool:
        """Wait for so long at most; tell whether it has ended, raise Killed if it was given up."""
        if HAS_PIDFD:
            ready = bool(self._poll.poll(seconds * 1000))
        else:
            end = monotonic() + seconds
            while not (ready := bool(self._poll.poll(_POLLING_PAUSE * 1000)) or child.has_ended()):
                if monotonic() > end:
                    break
        if self._is_given_up:
            raise Killed
        return ready

    def _exceeded(self, family: Family, limits: Limits) -> Limit:
        """Return the limit that a running test has gone beyond, if any."""
        # Of another folder than ours nobody knows what was there before.
        ours = [self._place.temporary.path, *([] if self._elsewhere else [self.folder])]
        if bytes_in(ours, limits.disk) > limits.disk:
            return "disk"
        return "processes" if self._reaper.count(family) > limits.processes else ""

    def _clear(self, child: Child, family: Family, *, has_ended: bool, around: bool) -> int:
        """End whatever is left of a run, and return the status of its first process."""
        try:
            if not has_ended or not self._reaper.is_over(family):
                self._reaper.end(family)
            return child.status()
        finally:
            child.close()
            self._place.clear(around=around)


class _Alone(Bench):
    """A bench that has its root for itself."""

    def close(self) -> None:
        super().close()
        self._root.close()
