"""Runs of tests before there is an inquiry: of the test after all others, and alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from wynot.core.ending import Ending
from wynot.inquiries.tests.collection import run
from wynot.inquiries.tests.selection import Listed, Selection, TestRuns
from wynot.inquiries.tests.survey import Surveyed, survey
from wynot.job.transcript import Transcript
from wynot.oracle.criteria import Criterion
from wynot.oracle.trial import TrialResult
from wynot.runners.child import Limits
from wynot.runners.sandbox import Sandbox


@dataclass(slots=True)
class SideRuns:
    """Runs some tests before there is an inquiry, unless that was done, and writes it down."""

    runs: TestRuns
    criterion: Criterion
    sandbox: Sandbox
    limits: Limits
    transcript: Transcript
    replay: str
    whole: Ending | None = None
    """How the first of the runs ended, if it was made along with the collection."""
    done: dict[bytes, Ending] = field(default_factory=dict)

    def survey(self, tests: Sequence[Listed], at: int) -> Surveyed:
        """See one of the tests run after those before it, and alone."""
        return survey(tests, at, self.runs, self.criterion, self._ran)

    def _ran(self, subject: Selection, words: str) -> Ending:
        """Return how a run of these tests ended."""
        if subject.digest in self.done:
            return self.done[subject.digest]
        self.transcript.call(subject, subject.digest, words)
        self.transcript.require(subject, self.replay)
        ending, self.whole = self.whole, None
        known = self.transcript.recall_runs(subject, 1)
        if known:
            ending = known[0].ending
        elif ending is None:
            ending = run(self.runs.provision(subject, self.sandbox), self.sandbox, self.limits)
        verdict = self.criterion.after(ending).judge(ending)
        self.transcript.note_run(subject, TrialResult(verdict, ending))
        self.done[subject.digest] = ending
        return ending
