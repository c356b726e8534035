"""Takes the verdicts of an explanation, and goes through it again with those that there are."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import cast

from wynot.core.events import Event, Narrowed
from wynot.core.round import Answer, Pick, Stage
from wynot.core.verdict import Verdict
from wynot.engine.commit import Commit
from wynot.explaining.explain_search import Explained, explain
from wynot.explaining.findings import Findings
from wynot.search.script import scripted

QUESTION = "explanation"


class ExplainLedger:
    """Keeps what was committed, and tells how far it has come."""

    def __init__(self, most: int, observe: Callable[[Event], None]) -> None:
        self.tests = 0
        self.said: dict[bytes, Verdict] = {}
        self._most = most
        self._observe = observe

    def enter(self, stage: Stage) -> None:
        """Begin with the next question."""

    def commit(self, commit: Commit) -> None:
        """Take a verdict."""
        self.said[cast("bytes", commit.digest)] = commit.asked.verdict
        self._observe(commit.asked)
        if not commit.asked.from_memo:
            self.tests += 1
            left = self._most - self.tests
            self._observe(Narrowed(QUESTION, "tests", left, self.tests))


def found_so_far(subject: Explained, most: int, said: Mapping[bytes, Verdict]) -> Findings:
    """Return what follows from some verdicts: the search is gone through up to what is not known.

    It does the same each time, so that this is what was found when it was ended.
    """
    findings = Findings()
    search = scripted(partial(explain, subject, most, findings))
    answer: Answer = None
    try:
        while True:
            asked, answer = search.send(answer), None
            for position, candidate in enumerate(asked.candidates):
                assert asked.stage is not None  # noqa: S101 - each variant is of a case
                verdict = said.get(cast("bytes", asked.stage.case.digest(candidate)))
                if verdict is None:
                    search.close()
                    return findings
                if verdict in asked.wanted:
                    answer = Pick(position, verdict, candidate)
                    break
    except StopIteration:
        return findings
