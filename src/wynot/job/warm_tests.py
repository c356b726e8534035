"""Questions that are answered by copies of a process, and what is done to believe them.

A copy that begins with its modules loaded says the same as a program that is started, unless it
looks at the state of its process: then its answer does not count, and the program is started. As
not every look can be seen, one in some answers is asked for again in the usual way, chosen by what
is asked: then it is the same at any width. At the first difference, no copy is believed any more.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from wynot.agents.sandbox import Sandbox
from wynot.core.errors import WynotError
from wynot.oracle.oracle import Judgement, Oracle, RunPurpose

Subject = TypeVar("Subject")

CHECKED_SHARE = 50
"""One in so many answers is asked for again, where what they lead to is asked about in the end."""
MAX_DOUBTS = 8
"""How many answers of copies may not count, before no copy is asked any more."""


class WarmNotices(NamedTuple):
    """The texts for users if what is warm is no longer believed."""

    differs: str
    does_not_hold: str
    known: str = "warm tests were found to differ from others in an earlier run; none is warm now"


MODULES = WarmNotices(
    "a test that began with its modules loaded ended differently ({warm}) from one that started "
    "the program ({cold}); from now on each test starts it, and all candidates are tested again",
    "the best case, found by tests that began with their modules loaded, does not fail when the "
    "program is started; from now on each test starts it, and all candidates are tested again",
)
SERVER = WarmNotices(
    "a server that has answered before says something else ({warm}) than a new one ({cold}); from "
    "here on each candidate has a new one, and what was asked is asked again",
    "a new server does not agree to the best case, which one that has answered before has found; "
    "from here on each candidate has a new one, and what was asked is asked again",
)


class WarmDiffers(WynotError):
    """A copy and a program that was started do not agree on a candidate."""

    def __init__(self, message: str, digest: bytes) -> None:
        super().__init__(message)
        self.digest = digest


@dataclass(frozen=True, slots=True)
class WarmTests:
    """How candidates are asked about while copies are believed; workers' threads do that."""

    plan: Path | None = None
    """The file that says which modules are loaded."""
    reuses_server: bool = False
    """Whether a server is asked about many candidates. If it is not, and there is no plan, an
    earlier run had one, and this one has none, or no longer."""
    refuted: bytes = b""
    """What an earlier run has found a difference in."""
    checked_share: int = CHECKED_SHARE
    """One in so many answers is asked for again."""
    _doubts: list[bytes] = field(default_factory=list)
    """The candidates that copies gave an answer on that does not count."""

    def ask(
        self,
        oracle: Oracle[Any],
        subject: object,
        digest: bytes,
        sandbox: Sandbox,
        *,
        short: bool,
        diagnostics: bool = False,
    ) -> Judgement:
        """Return the verdict on a candidate; raise WarmDiffers if it has more than one."""
        if digest == self.refuted:
            raise WarmDiffers(self.notices.known, digest)
        is_on = self.plan is not None or self.reuses_server
        if not is_on or len(self._doubts) >= MAX_DOUBTS:
            return oracle.ask(subject, sandbox, short=short, diagnostics=diagnostics)
        quick = self.warmed(oracle).ask(subject, sandbox, short=short, diagnostics=diagnostics)
        # That a copy does not come to an end may be the fault of how it was made.
        may_be_wrong = quick.is_doubtful or quick.timed_out
        if not may_be_wrong and int.from_bytes(digest[:4], "big") % self.checked_share:
            return quick
        again = RunPurpose.REPEAT
        usual = oracle.ask(subject, sandbox, short=short, diagnostics=diagnostics, purpose=again)
        seconds = quick.answer.seconds + usual.answer.seconds
        if quick.is_doubtful:
            self._doubts.append(digest)
            return usual._replace(answer=usual.answer._replace(seconds=seconds))
        if quick.timed_out and usual.timed_out:
            return usual
        is_same = quick.answer.verdict is usual.answer.verdict and quick.how == usual.how
        if usual.timed_out or is_same:
            return quick._replace(answer=quick.answer._replace(seconds=seconds))
        raise WarmDiffers(self.notices.differs.format(warm=quick.how, cold=usual.how), digest)

    def warmed(self, oracle: Oracle[Subject]) -> Oracle[Subject]:
        """Return the oracle that asks by copies."""
        limits = oracle.limits._replace(warm_plan=self.plan, may_reuse_server=self.reuses_server)
        return replace(oracle, limits=limits)

    @property
    def notices(self) -> WarmNotices:
        """The texts for users if it is no longer believed."""
        return SERVER if self.reuses_server else MODULES
