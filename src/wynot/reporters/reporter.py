"""The seam between a reduction and whoever watches it."""

from typing import Protocol

from wynot.core.events import Event


class Reporter(Protocol):
    """Is told of every event, in the order of things, and says what it likes of it.

    ``Ran`` comes from the threads of the workers, up to thousands of times a second, the other
    events from one thread: so ``handle`` may be called by several at once, and has to be quick. It
    does not raise if nobody listens any more: that is no reason to end a reduction. If it does
    raise, it is told nothing more, and that comes out at the end.
    """

    def handle(self, event: Event) -> None:
        """Take note of an event."""

    def look(self) -> None:
        """Say what is due by the clock alone; called a few times a second, by a thread of its own.

        So there are words also while nothing happens. By itself there is nothing to be said.
        """
        return

    def close(self) -> None:
        """Leave the terminal as it was found, also after an error; twice is as good as once.

        By itself nothing has to be done: every line was handed on.
        """
        return
