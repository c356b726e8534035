"""The server of a sandbox: started when there is a question, and again when it is no longer good.

What a server has kept of earlier candidates must not decide a later one. So an end of a server that
has answered before is not believed, since an earlier candidate may have caused it: a new one is
asked the same.
"""

from collections.abc import Callable

from wynot.core.ending import Ending
from wynot.runners.child import Limits
from wynot.runners.server import Served, Server
from wynot.runners.supervisor import Supervisor
from wynot.runners.usage import Footprint


class Service:
    """At most one server at a time. The thread of the sandbox calls it."""

    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor
        self._server: Server | None = None

    def ask(
        self,
        question: str,
        served: Served,
        start: Callable[[Served], Server],
        limits: Limits,
        written: Footprint,
        *,
        fresh: bool,
    ) -> Ending:
        """Return what a server says; with ``fresh`` one that was asked nothing before."""
        server = self._server
        if fresh or server is None or server.served != served or server.is_over:
            return self._ask_new(question, served, start, limits, written)
        ending = self._asked(server, question, limits, written)
        if server.is_over and ending.limit in {"", "answer"}:
            return self._ask_new(question, served, start, limits, written)
        return ending

    def close(self) -> None:
        """End the server."""
        server, self._server = self._server, None
        if server is not None:
            server.end(self._supervisor)

    def _ask_new(
        self,
        question: str,
        served: Served,
        start: Callable[[Served], Server],
        limits: Limits,
        written: Footprint,
    ) -> Ending:
        self.close()
        server = self._server = start(served)
        try:
            not_ready = server.wait_until_ready(self._supervisor, limits, written)
        except BaseException:
            self.close()
            raise
        return not_ready or self._asked(server, question, limits, written)

    def _asked(self, server: Server, question: str, limits: Limits, written: Footprint) -> Ending:
        try:
            return server.ask(question, self._supervisor, limits, written)
        except BaseException:  # it was given up: what it says next would be about this candidate
            self.close()
            raise
