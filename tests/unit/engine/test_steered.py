"""What a person asks of a run: no test starts while it is paused, and it ends when it is to."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from queue import SimpleQueue

import pytest

from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.case import ItemsCase
from wynot.core.deltas import NONE
from wynot.core.round import Stage
from wynot.core.standing import Steering, Stop
from wynot.core.verdict import Verdict
from wynot.engine.budget import Spent
from wynot.engine.recorder import Recorder
from wynot.engine.scheduler import Scheduler
from wynot.search.lists.ddmin import ddmin

CASE = ItemsCase(list("abcdefgh"))


class ByHand:
    """Tests end one by one in a thread; what each test is to cause is done before its end."""

    width = 3

    def __init__(self, then: Callable[[int], None]) -> None:
        self.then = then
        self.started = self.ended = 0
        self._running: SimpleQueue[tuple[Candidate, Future[Answer]]] = SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    def submit(self, _stage: Stage, candidate: Candidate) -> Future[Answer]:
        future = Future[Answer]()
        self.started += 1
        self._running.put((candidate, future))
        return future

    def _work(self) -> None:
        while True:
            candidate, future = self._running.get()
            if future.set_running_or_notify_cancel():
                self.ended += 1
                self.then(self.ended)
                fails = {2, 5} <= set(candidate.kept)
                future.set_result(Answer(Verdict.INTERESTING if fails else Verdict.UNINTERESTING))

    def close(self, *, wait: bool) -> None:
        """Nothing to let go."""


class Patient(Steering):
    """A door whose other side is told that the engine waits, in place of a wait."""

    def __init__(self) -> None:
        super().__init__()
        self.waited: Callable[[], None] = self.resume

    def wait(self, _seconds: float) -> None:
        self.waited()


def scheduler(steering: Steering, runner: ByHand) -> tuple[Scheduler[object], Recorder]:
    recorder = Recorder(CASE, NONE, CASE.deltas)
    search = partial(ddmin, CASE.deltas)
    made: Scheduler[object] = Scheduler(
        search, stage=Stage(CASE), runner=runner, ledger=recorder, steering=steering
    )
    return made, recorder


def test_while_it_is_paused_what_runs_ends_and_nothing_starts() -> None:
    steering = Patient()
    seen: list[tuple[int, int]] = []

    def then(ended: int) -> None:
        if ended == 6:
            steering.pause()

    runner = ByHand(then)

    def waited() -> None:
        seen.append((runner.started, len(recorder.trace.names)))
        if len(seen) == 5:
            steering.resume()

    steering.waited = waited
    made, recorder = scheduler(steering, runner)
    found = made.run()
    assert CASE.written(found) == ["c", "f"]  # type: ignore[arg-type]
    assert len({started for started, _ in seen}) == 1
    plain, unpaused = scheduler(Steering(), ByHand(lambda _ended: None))
    plain.run()
    assert unpaused.trace.names == recorder.trace.names


def test_it_ends_when_it_is_to_with_what_is_committed() -> None:
    steering = Steering()
    runner = ByHand(lambda ended: steering.stop() if ended == 6 else None)
    made, recorder = scheduler(steering, runner)
    with pytest.raises(Spent) as spent:
        made.run()
    assert spent.value.by is Stop.BY_HAND
    assert recorder.trace.names


def test_it_ends_also_while_it_is_paused() -> None:
    steering = Patient()
    steering.waited = steering.stop
    made, _ = scheduler(steering, ByHand(lambda _ended: steering.pause()))
    with pytest.raises(Spent):
        made.run()


def test_each_request_to_skip_is_told_once() -> None:
    steering = Steering()
    assert not steering.takes_skip()
    steering.skip()
    steering.skip()
    assert [steering.takes_skip() for _ in range(3)] == [True, True, False]


def test_there_is_nothing_to_see_before_there_is_a_case() -> None:
    steering = Steering()
    assert steering.case == {}
    steering.shows(lambda: {"a": b"x"})
    assert steering.case == {"a": b"x"}
