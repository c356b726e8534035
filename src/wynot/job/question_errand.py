"""A question of a search as an errand: most are answered by one run of one command."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from time import monotonic
from typing import Generic, Protocol, TypeVar

from wynot.core.debug_log import log_ignored
from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.oracle.oracle import Judgement, Oracle
from wynot.oracle.trial import OneCommand, TrialResult
from wynot.runners.agent_sandbox import AgentSandbox
from wynot.runners.errand import Job
from wynot.runners.kill_switch import Killed
from wynot.runners.sandbox import Sandbox

Subject = TypeVar("Subject")


class WholeQuestion(Protocol):
    """The question as a job of a thread."""

    def __call__(self, sandbox: Sandbox, *, said: TrialResult | None = None) -> Verdict:
        """Answer it, given what came of its first run if there was one."""


class QuestionErrand(Generic[Subject]):
    """Runs the test once; if that does not settle it, all that is left is done by a thread."""

    def __init__(
        self,
        oracle: Oracle[Subject],
        subject: Subject,
        whole: WholeQuestion,
        keep: Callable[[Judgement, Sandbox], Verdict],
        told_if_killed: Callable[[int, float], AbstractContextManager[None]],
        *,
        tight: bool,
        hears: bool = False,
    ) -> None:
        self._oracle = oracle
        self._subject = subject
        self._whole = whole
        self._keep = keep
        self._told_if_killed = told_if_killed
        self._start = 0.0
        self._tight, self._hears = tight, hears
        self._said: TrialResult | None = None

    def begin(self, sandbox: AgentSandbox) -> None:
        """Have the test begun."""
        self._start = monotonic()
        self._oracle.begin(self._subject, sandbox, tight=self._tight, hears=self._hears)

    def rest(self, outcome: Ending | Exception) -> Job[Verdict] | None:
        """Return the question, with what is known of it, if it takes more than that run.

        What went wrong may be mended, or is told by whoever asks from the beginning.
        """
        assert isinstance(self._oracle.trial, OneCommand)  # noqa: S101 - it could be begun
        if isinstance(outcome, Killed):
            return None
        try:
            self._said = self._oracle.trial.concluded(outcome)
        except Exception as error:  # noqa: BLE001 - it comes again if it has come to stay
            log_ignored("a short test is run again", error)
            return self._whole
        if self._oracle.is_settled_by(self._said):
            return None
        return partial(self._whole, said=self._said)

    def conclude(self, outcome: Ending | Exception, sandbox: Sandbox) -> Verdict:
        """Return the verdict."""
        if isinstance(outcome, Exception) and self._said is None:
            with self._told_if_killed(sandbox.worker, self._start):
                raise outcome
        ask = partial(self._oracle.ask, tight=self._tight, hears=self._hears)
        return self._keep(ask(self._subject, sandbox, begun=self._said), sandbox)
