"""A sandbox whose test is run by another agent too if it takes suspiciously long."""

import select
from time import monotonic
from typing import Any

from wynot.core.debug_log import log_ignored
from wynot.runners.agent_messages import RunOrder
from wynot.runners.agent_protocol import Frame
from wynot.runners.agent_sandbox import AgentSandbox
from wynot.runners.kill_switch import Killed
from wynot.runners.rivals import Rivals

LOOK_MILLISECONDS = 500
"""Milliseconds between two looks at whether somebody has given the test up."""


class RacingSandbox(AgentSandbox):
    """See `wynot.runners.rivals`. One thread works in it, as in any other."""

    def __init__(self, *args: Any, rivals: Rivals, **more: Any) -> None:
        super().__init__(*args, **more)
        self._rivals = rivals
        self._began = 0.0

    @property
    def is_slow(self) -> bool:
        """Whether what is run takes so long that it is to be run elsewhere, too."""
        order = self._last_order
        can_move = self.is_asked and order is not None and order.can_move
        return can_move and self._rivals.is_due(monotonic() - self._began)

    def send_run(self, order: RunOrder) -> None:
        """Have a command run on the files that are to be in place."""
        self._began = monotonic()
        super().send_run(order)

    def heard(self, *, wait: bool) -> Frame | None:
        """Return the answer, of a rival perhaps; None if it is not complete."""
        was_asked = self.is_asked
        answer = super().heard(wait=wait)
        if was_asked and not self.is_asked:
            self._rivals.note(monotonic() - self._began)
        if answer is not None or not wait or not self.is_slow or self._connection is None:
            return answer
        with self._rivals.elsewhere(self._connection.socket) as other:
            if other is None:
                return None
            rival = AgentSandbox(lambda: other, self._shared, room=self._room, stock=self._shipped)
            try:
                return self._raced(rival)
            finally:
                rival.close()

    def _raced(self, rival: AgentSandbox) -> Frame | None:
        """Have a rival do the same; return the first answer, and go on with whoever gave it.

        None: the rival is of no use. That it took too long is said by slow machines of any test: so
        it only counts if the other says so too.
        """
        if not self._is_begun_by(rival):
            return None
        poll = select.poll()
        late: Frame | None = None
        while True:
            for each in (rival, self) if late is None else (rival,):
                poll.register(each.descriptor, each.events)
            if self.switch.is_given_up:  # our agent may never answer
                self._disconnect()
                raise Killed
            poll.poll(LOOK_MILLISECONDS)
            if late is None and (answer := self.heard(wait=False)) is not None:
                if not _is_late(answer):
                    return answer
                poll.unregister(self.descriptor)
                late = answer
            try:
                answer = rival.heard(wait=False)
            except Exception as error:  # noqa: BLE001 - whatever it is, we have no rival any more
                log_ignored("a hedged run is lost", error)
                return late
            if answer is not None:
                if _is_late(answer) or "error" in answer[0]:
                    return late
                self._take_over(rival)
                return answer

    def _is_begun_by(self, rival: AgentSandbox) -> bool:
        """Have a rival begin the same, in its own folder; tell whether it does."""
        order = self._last_order
        assert order is not None  # noqa: S101 - it is asked
        try:
            rival.place(self._held)
            rival.send_run(_moved(order, str(rival.folder)))
        except Exception as error:  # noqa: BLE001 - as above
            log_ignored("a hedged run cannot be started", error)
            return False
        return True

    def _take_over(self, other: "AgentSandbox") -> None:
        """Go on with the agent of another sandbox, which has none then; let the present one go."""
        self._disconnect()
        self._connection, self._where = other._connection, other._where  # noqa: SLF001
        self._held, self._last_order = other._held, other._last_order  # noqa: SLF001
        self._number, other._connection = other._number, None  # noqa: SLF001


def _moved(order: RunOrder, folder: str) -> RunOrder:
    argv = [word.replace(order.folder, folder) for word in order.argv]
    return order._replace(argv=argv, folder=folder)


def _is_late(answer: Frame) -> bool:
    return answer[0].get("limit") == "timeout"
