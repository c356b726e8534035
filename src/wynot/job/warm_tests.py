"""Questions that are answered by copies of a process, and what is done to believe them.

A copy that begins with its modules loaded says the same as a program that is started, as far as can
be known. So one in some answers is asked for again in the usual way, chosen by what is asked: then
it is the same at any width. At the first difference, no copy is believed any more.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from wynot.core.errors import WynotError
from wynot.oracle.oracle import Judgement, Oracle
from wynot.oracle.served import KEPT_SERVER
from wynot.runners.sandbox import Sandbox

Subject = TypeVar("Subject")

CHECKED_SHARE = 50
"""One in so many answers is asked for again, where what they lead to is asked about in the end."""


class WarmWords(NamedTuple):
    """What is said if what is warm is no longer believed."""

    differs: str
    does_not_hold: str
    known: str = "warm tests were found to differ from others in an earlier run; none is warm now"


MODULES = WarmWords(
    "a test that began with its modules loaded ended in another way ({warm}) than one that was "
    "started anew ({cold}); from here on all are started anew, and what was asked is asked again",
    "the best case, found by tests that began with their modules loaded, does not hold when they "
    "are started anew; from here on all are, and what was asked is asked again",
)
SERVER = WarmWords(
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

    plan: str
    """The file that says which modules are loaded, or that a server is kept; empty: an earlier run
    has loaded some, and this one does not, or not any more."""
    refuted: bytes = b""
    """What an earlier run has found a difference in."""
    checked_share: int = CHECKED_SHARE
    """One in so many answers is asked for again."""

    def ask(
        self,
        oracle: Oracle[Any],
        subject: object,
        digest: bytes,
        sandbox: Sandbox,
        *,
        tight: bool,
        hears: bool = False,
    ) -> Judgement:
        """Return the verdict on a candidate; raise WarmDiffers if it has more than one."""
        if digest == self.refuted:
            raise WarmDiffers(self.words.known, digest)
        if not self.plan:
            return oracle.ask(subject, sandbox, tight=tight, hears=hears)
        warm = replace(oracle, limits=oracle.limits._replace(warm=self.plan))
        said = warm.ask(subject, sandbox, tight=tight, hears=hears)
        # That a copy does not come to an end may be the fault of how it was made.
        if not said.timed_out and int.from_bytes(digest[:4], "big") % self.checked_share:
            return said
        usual = oracle.ask(subject, sandbox, tight=tight, hears=hears)
        if said.timed_out and usual.timed_out:
            return usual
        if usual.timed_out or (said.verdict, said.how) == (usual.verdict, usual.how):
            return said._replace(seconds=said.seconds + usual.seconds)
        raise WarmDiffers(self.words.differs.format(warm=said.how, cold=usual.how), digest)

    @property
    def is_over(self) -> bool:
        """Whether no test is warm, and nothing is known against any."""
        return not self.plan and not self.refuted

    @property
    def words(self) -> WarmWords:
        """What is said if it is no longer believed."""
        return SERVER if self.plan == KEPT_SERVER else MODULES
