"""A run of the original on some machine: whether that is like the others, and can be used."""

from dataclasses import dataclass
from typing import Any

from wynot.core.errors import NotInteresting, WynotError
from wynot.core.verdict import Verdict
from wynot.oracle.oracle import Oracle
from wynot.oracle.trial import NOT_FOUND, TrialResult
from wynot.runners.agent_connection import AgentLost
from wynot.runners.sandbox import Sandbox


@dataclass(frozen=True)
class OriginalRun:
    """See `wynot.runners.agent_source.Vetting`: it is one of those."""

    oracle: Oracle[Any]
    original: Any

    def run(self, sandbox: Sandbox) -> TrialResult:
        """Run the test on the original; that it cannot be run is an answer, too."""
        try:
            return self.oracle.once(self.original, sandbox, capture=True)
        except AgentLost:
            raise
        except WynotError as error:
            return TrialResult(Verdict.UNRESOLVED, NOT_FOUND, why=error.message)

    def shows(self, said: TrialResult) -> bool:
        """Tell whether the failure shows."""
        return said.verdict is Verdict.INTERESTING

    def same(self, one: TrialResult, other: TrialResult) -> bool:
        """Tell whether two answers are the same to somebody who has learned from the first."""
        if one.verdict is not other.verdict or bool(one.why) != bool(other.why):
            return False
        try:
            trial = self.oracle.trial.calibrated(one).relaxed(one, other)
        except NotInteresting:
            return True
        return trial.judged(one).verdict is trial.judged(other).verdict

    def words(self, said: TrialResult) -> str:
        """Return what came of it, in a few words."""
        return said.words
