"""Runs the tests of one run; what the journal has an answer to is not run again."""

from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar, cast

from wynot.core.events import Doing, Event, Noticed, Ran
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.engine.early import EARLY, recalled
from wynot.engine.toll import Toll
from wynot.oracle.guards import REFUSED, Settled
from wynot.oracle.oracle import Oracle, Outcome
from wynot.runners.bench import Bench
from wynot.runners.inline import Done
from wynot.runners.local import Local

Answer = TypeVar("Answer")
Subject = TypeVar("Subject")

SHORT, AHEAD = 0.003, 3
"""Seconds; of shorter tests, handing over the next one takes a good part of the time. So some more
are handed over; those that were in vain cost little."""
NAP = 0.2
"""Seconds that a wait takes at most."""
LIMIT_HINT = "--timeout TIME sets the limit"
"""What the user can do about a run that takes long."""
RECENT = 16
"""How many tests the average is of, about."""


@dataclass(frozen=True, slots=True)
class Job(Generic[Subject]):
    """A candidate to ask about, and what its verdict goes by."""

    subject: Subject
    digest: bytes
    epoch: int
    tight: bool
    """Whether it may be cut off early."""


Errand: TypeAlias = Callable[[Bench], Any]
"""Anything else that is done at a bench."""


class Tester(Generic[Subject]):
    """Some workers, the oracle, and the journal that every verdict goes to.

    All is called by the thread of whoever searches, but for what begins with an underscore: that is
    done by the workers' threads. What both write to are dictionaries, one entry at a time.
    """

    def __init__(
        self, jobs: int, oracle: Oracle[Subject], observe: Callable[[Event], None], room: int
    ) -> None:
        self._oracle = oracle
        self.epoch = 0
        self.toll = Toll()
        self._observe = observe
        self._journal: Journal | None = None
        self._known: dict[bytes, Verdict] = {}
        self._early: set[bytes] = set()
        """What was cut off early, also if it is known by now what comes of it with all its time."""
        self._has_told = False
        self._refused: dict[bytes, str] = {}
        self._seconds = 2 * SHORT  # of the last tests, on average
        self._local: Local[Job[Subject] | Errand, Any] = Local(jobs, self._do, room)
        self._numbers = {bench: number for number, bench in enumerate(self._local.benches)}

    @property
    def oracle(self) -> Oracle[Subject]:
        """What is asked; it never changes, but `use` has another one asked."""
        return self._oracle

    def use(self, oracle: Oracle[Subject]) -> None:
        """Ask another oracle from now on: one that was calibrated on what it has seen."""
        self._oracle = oracle

    def settle_guards(self, original: Subject) -> Settled:
        """Try the guards on the original, and use what they have learned from it."""
        [settled] = self.do(partial(self.oracle.settle_guards, original))
        self.use(replace(self.oracle, guards=settled.guards))
        return settled

    @property
    def width(self) -> int:
        """How many tests can run at once."""
        return self._local.width

    @property
    def depth(self) -> int:
        """How many tests to hand over: of short ones some more than can run, so that none waits."""
        return self.width + (0 if self._seconds >= SHORT else self.width + AHEAD)

    def begin(self, journal: Journal, epoch: int) -> None:
        """Keep verdicts in this journal from now on, and use those that it has of this epoch."""
        self._journal, self.epoch = journal, epoch
        self._known, self._early = recalled(journal, epoch)
        self._refused = {
            digest: guard
            for digest, how in journal.endings(epoch, REFUSED)
            if (guard := self.oracle.guards.refuser(how))
        }

    def refuser(self, digest: bytes) -> str:
        """Return the guard that has refused a candidate; empty if none has."""
        return self._refused.get(digest, "")

    def is_final(self, digest: Hashable, *, tight: bool = True) -> bool:
        """Tell whether the answer to such a question stays as it is; without ``tight`` it does."""
        return not tight or digest not in self._early

    def tell(self, what: str, *, done: int = 0, of: int = 0) -> None:
        """Say what the next runs are for; how long one of them may take is known here."""
        longest = 0.0 if of else self.oracle.patience.limit
        self._observe(Doing(what, LIMIT_HINT, longest, done, of))

    def do(self, task: Callable[[Bench], Answer], times: int = 1) -> list[Answer]:
        """Do something several times, on whichever benches are free, and wait for it."""
        return self.do_all([task] * times)

    def do_all(self, tasks: Sequence[Callable[[Bench], Answer]]) -> list[Answer]:
        """Do several things, on whichever benches are free, and wait for all."""
        futures = [self._local.submit(task) for task in tasks]
        try:
            while not all(future.done() for future in futures):
                # Not for long: a signal that comes just before it blocks is seen when it wakes.
                wait(futures, timeout=NAP)
            return [cast("Answer", future.result()) for future in futures]
        finally:
            for future in futures:
                future.cancel()

    def ask(self, subject: Subject, digest: bytes, *, tight: bool = False) -> Future[Verdict]:
        """Ask about a candidate, unless the journal knows.

        With ``tight`` it may be cut off early. What was is so again, even if it has been asked with
        all its time since: else a run that is resumed would take other steps.
        """
        if tight and digest in self._early:
            return Done(Verdict.UNRESOLVED)
        known = self._known.get(digest)
        if known is not None:
            return Done(known)
        return self._local.submit(Job(subject, digest, self.epoch, tight))

    def _do(self, job: Job[Subject] | Errand, bench: Bench) -> object:
        """Do a job; called by the worker of that bench."""
        if not isinstance(job, Job):
            return job(bench)
        outcome = self.oracle.ask(job.subject, bench, tight=job.tight)
        if bench.stuck is not None and not self._has_told:
            self._has_told = True
            self._observe(Noticed("left-over", _stuck(bench.private.parent)))
        self._record(job, outcome, self._numbers[bench])
        return outcome.verdict

    def _record(self, job: Job[Subject], outcome: Outcome, worker: int) -> None:
        """Write a verdict down before anyone knows of it."""
        verdict, how, seconds, timed_out, early = outcome
        if self._journal is not None:
            how = f"{EARLY}: {how}" if early else how
            self._journal.keep_verdict(job.epoch, job.digest, verdict, how, seconds)
        if job.epoch == self.epoch:  # also for a test that was given up as it ended
            if early:
                self._early.add(job.digest)
            else:
                self._known[job.digest] = verdict
            guard = self.oracle.guards.refuser(how)
            if guard:
                self._refused[job.digest] = guard
        self._seconds += (seconds - self._seconds) / RECENT
        self.toll.add(seconds, timed_out=timed_out)
        self._observe(Ran(worker, verdict, seconds, how, timed_out=timed_out))

    def close(self) -> None:
        """End what runs, and remove what was put on disk for it."""
        self._local.close(wait=True)


def _stuck(root: Path) -> str:
    """Say that a test leaves what cannot be removed."""
    return (
        "a test leaves files that cannot be removed, another user's or immutable ones; the tests "
        f"go on in new folders, and what is left stays in {str(root)!r}: remove it afterwards"
    )
