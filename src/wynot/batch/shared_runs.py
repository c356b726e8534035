"""One memo for all reductions of a batch: how the test ended on a content, whoever asked.

A verdict is about one failure, and each group looks for its own. How a run ended depends on the
content alone, so each group can draw its own verdict from it.
"""

import threading
from dataclasses import dataclass, fields

from wynot.agents.sandbox import Sandbox
from wynot.core.ending import Ending, ending_of
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.oracle.oracle import Judgement, Oracle, RunPurpose
from wynot.oracle.repetition import RELIABLE
from wynot.oracle.trial import TrialResult

MAX_SHARED_BYTES = 4096
"""Bytes of contents that are remembered: reductions of several inputs meet when little is left."""
MAX_OUTPUT_BYTES = 8192
"""Bytes of output that are remembered with one; with more, nothing is."""


class SharedRuns:
    """Runs that ended by themselves, in the journal of the batch; any thread may ask."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        self.recalled = 0
        """How often the answer was known."""

    def recall(self, files: Files) -> Ending | None:
        """Return how the test ended on this content, if that is known."""
        if files.size > MAX_SHARED_BYTES:
            return None
        ending = ending_of(self._journal.check(_key(files)))
        if ending is not None:
            with self._lock:
                self.recalled += 1
        return ending

    def keep(self, files: Files, ending: Ending) -> None:
        """Remember how a run ended."""
        output = len(ending.stdout) + len(ending.stderr)
        if files.size <= MAX_SHARED_BYTES and output <= MAX_OUTPUT_BYTES and not ending.limit:
            self._journal.keep_check(_key(files), ending.row)


def _key(files: Files) -> str:
    return f"run {'/'.join(files.contents)} {files.digest.hex()}"


@dataclass(frozen=True)
class SharingOracle(Oracle[Files]):
    """An oracle that asks the memo first, as long as one run is enough to believe an answer."""

    runs: SharedRuns | None = None

    def ask(
        self,
        subject: Files,
        sandbox: Sandbox,
        first: TrialResult | None = None,
        *,
        short: bool = False,
        diagnostics: bool = False,
        purpose: RunPurpose = RunPurpose.QUESTION,
    ) -> Judgement:
        """Return the verdict on a candidate, from an earlier run of the same content if any."""
        runs = self.runs if self.repetition is RELIABLE and not diagnostics else None
        if first is None and runs is not None:
            ending = runs.recall(subject)
            first = None if ending is None else TrialResult(Verdict.UNRESOLVED, ending)
        return super().ask(
            subject, sandbox, first, short=short, diagnostics=diagnostics, purpose=purpose
        )

    def once(
        self,
        subject: Files,
        sandbox: Sandbox,
        *,
        capture: bool = False,
        short: bool = False,
        purpose: RunPurpose = RunPurpose.CHECK,
    ) -> TrialResult:
        """Run the test once, and remember how that ended."""
        result = super().once(subject, sandbox, capture=capture, short=short, purpose=purpose)
        is_plain = not result.why and result.other is None
        if self.runs is not None and is_plain and self.repetition is RELIABLE:
            self.runs.keep(subject, result.ending)
        return result


def sharing(oracle: Oracle[Files], runs: SharedRuns) -> Oracle[Files]:
    """Return the same oracle, but one that shares these runs."""
    settings = {each.name: getattr(oracle, each.name) for each in fields(oracle)}
    return SharingOracle(**settings, runs=runs)
