"""Answers that are known, and told as soon as telling costs no time."""

from concurrent.futures import Future
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class Deferred(Generic[Answer]):
    """What one worker has found out and not told yet. Only that worker's thread calls it.

    Telling an answer wakes the thread that waits for it, and that one then competes with the
    worker for the interpreter, just as the worker starts the next program. So it goes one way:
    the worker puts an answer here when a job is done; its sandbox says here that a program runs,
    for from then on the worker only waits; and then the answer is told. What is not urgent is told
    later still, together with others, if programs end soon: each waking costs a good part of a
    short test. Nothing is held while the worker waits for something to do.
    """

    def __init__(self) -> None:
        self._held: list[tuple[Future[Answer], Answer]] = []
        self._is_urgent = False

    def put(self, future: Future[Answer], answer: Answer, *, urgent: bool) -> None:
        """Keep an answer until there is time to tell it."""
        self._held.append((future, answer))
        self._is_urgent |= urgent

    def program_runs(self) -> None:
        """Tell what is held if any of it is urgent: a program has just been started."""
        if self._is_urgent:
            self.tell()

    def tell(self) -> None:
        """Tell all that is held, in the order in which it was found out."""
        self._is_urgent = False
        while self._held:
            future, answer = self._held.pop(0)
            future.set_result(answer)
