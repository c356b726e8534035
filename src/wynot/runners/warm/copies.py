"""The server of one sandbox: started when it is first needed, and again for another command."""

import os
from contextlib import suppress
from pathlib import Path
from time import monotonic

from wynot.core.ending import Ending
from wynot.runners.run_label import RunLabel
from wynot.runners.warm.shell_line import ShellLine
from wynot.runners.warm.warm_plan import WarmPlan
from wynot.runners.warm.warm_server import (
    NotWarm,
    Patience,
    ShadowedModule,
    WarmCommand,
    WarmServer,
)
from wynot.runners.workplace import Workplace

MAX_STARTS = 8
"""How often a server is started, before all tests are started as usual: it ends again and again, or
the commands differ."""
MAX_ROUNDS = 6
"""How often modules turn out to be unfit, before that is given up."""


class WarmCopies:
    """Runs tests by copies, where that can be done; its sandbox's thread calls it."""

    def __init__(self, place: Workplace, wait: Patience) -> None:
        self._place = place
        self._wait = wait
        self._server: WarmServer | None = None
        self._starts = 0
        self._line: ShellLine | None = None
        self._plan: Path | None = None
        self.began = 0.0
        """When the last copy was asked for, by the monotonic clock: making it counts."""

    def started(
        self,
        plan: Path,
        command: WarmCommand,
        mark: bytes,
        label: RunLabel,
        streams: tuple[int, ...],
        memory: int | None,
    ) -> int | None:
        """Return the number of a copy that runs a command; None if it is to be started as usual."""
        if label.rlimit_tag is None:
            return None
        if plan != self._plan:
            self._plan, self._line = plan, _line_of(plan)
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        try:
            if self._line is not None:
                argv = self._line.argv(command.argv)
                if argv is None:
                    return None
                command = command._replace(argv=tuple(argv))
                outputs = (null, *streams[1:])
                streams = (streams[0], *(outputs[each] for each in self._line.streams))
            server = self._ready(plan, command)
            self.began = monotonic()
            return server.copy(label, mark.partition(b"=")[2], streams, memory)
        except ShadowedModule:
            return None
        except NotWarm:
            self.close()
            return None
        finally:
            os.close(null)

    def seen(self, ending: Ending) -> Ending:
        """Return how a copy ended, as it is seen from outside of the script that it is run for."""
        status = ending.status if self._line is None else self._line.status(ending.status)
        has_looked = self._server is not None and self._server.has_looked()
        return ending._replace(status=status, is_warm=True, is_doubtful=has_looked)

    def close(self) -> None:
        """End the server."""
        server, self._server = self._server, None
        if server is not None:
            server.close()

    def _ready(self, plan: Path, command: WarmCommand) -> WarmServer:
        if self._server is not None and self._server.command != command:
            self.close()
        for _ in range(MAX_ROUNDS):
            if self._server is None:
                self._server = self._start(plan, command)
            unfit = self._server.unfit(self._wait)
            if not unfit:
                return self._server
            self.close()
            with suppress(OSError):
                WarmPlan.read(plan).without(unfit).write(plan)
        raise NotWarm("there are modules that cannot be loaded ahead")

    def _start(self, plan: Path, command: WarmCommand) -> WarmServer:
        self._starts += 1
        if self._starts > MAX_STARTS:
            raise NotWarm("too many servers were started")
        path = str(self._place.scratch / f"tmp-{os.urandom(6).hex()}")
        try:
            return WarmServer(command, RunLabel.of_next(self._place.root.name), plan, path)
        except OSError as error:
            raise NotWarm(str(error)) from error


def _line_of(plan: Path) -> ShellLine | None:
    """Return what is run in place of a script, by a plan."""
    with suppress(OSError, ValueError):
        return WarmPlan.read(plan).line
    return None
