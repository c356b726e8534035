"""The answers of the tests of one run, and those that its journal has of earlier ones."""

import threading
from collections.abc import Sequence

from wynot.core.answer import CUT_OFF, Answer
from wynot.core.diagnostics import Diagnostics, diagnostics_as_text, diagnostics_of_text
from wynot.disk.journal import Journal
from wynot.disk.rows import EXPLAIN_EPOCH, VerdictRow
from wynot.oracle.guards import Guards
from wynot.oracle.oracle import EARLY, Judgement
from wynot.oracle.provisioner import UNPLACED


def verdicts_of(journal: Journal, epoch: int) -> list[VerdictRow]:
    """Return the verdicts of an epoch, in the order in which they were given."""
    return [row for row in journal.verdicts() if row.epoch == epoch]


def verdicts_of_last_epoch(journal: Journal) -> list[VerdictRow]:
    """Return the verdicts of a reduction that were given under its last rules."""
    rows = [row for row in journal.verdicts() if row.epoch < EXPLAIN_EPOCH]
    last = max((row.epoch for row in rows), default=0)
    return [row for row in rows if row.epoch == last]


def final_verdicts(rows: Sequence[VerdictRow]) -> dict[bytes, VerdictRow]:
    """Return the last verdict on each candidate, unless that test was cut off early."""
    last = {row.digest: row for row in rows}
    return {digest: row for digest, row in last.items() if not row.how.startswith(EARLY)}


def kept_diagnostics(rows: Sequence[VerdictRow]) -> dict[bytes, Diagnostics]:
    """Return what programs have reported, by digest; the first time counts."""
    found = (
        (row.digest, diagnostics_of_text(row.diagnostics))
        for row in reversed(rows)
        if row.diagnostics is not None
    )
    return {digest: diagnostics for digest, diagnostics in found if diagnostics is not None}


class AnswerStore:
    """The answers so far: what the threads of the workers share with each other and the searcher.

    A test that was cut off early is cut off again, wherever it may be, even if the answer is known
    by now that it gives with all its time: else a run that is resumed would take other steps.
    """

    def __init__(self) -> None:
        self.epoch = 0
        self._journal: Journal | None = None
        self._final: dict[bytes, Answer] = {}
        self._cut_off: set[bytes] = set()
        self._lock = threading.Lock()

    def begin(self, journal: Journal, epoch: int, guards: Guards) -> None:
        """Write to this journal from now on, and recall what it has of this epoch."""
        self._journal, self.epoch = journal, epoch
        rows = verdicts_of(journal, epoch)
        diagnostics = kept_diagnostics(rows)
        self._cut_off = {row.digest for row in rows if row.how.startswith(EARLY)}
        self._final = {
            digest: Answer(
                row.verdict,
                diagnostics=diagnostics.get(digest),
                refused_by=guards.refuser(row.how),
                not_placed=row.how.removeprefix(UNPLACED) if row.how.startswith(UNPLACED) else "",
            )
            for digest, row in final_verdicts(rows).items()
        }

    def find(self, digest: bytes, *, short: bool, diagnostics: bool) -> Answer | None:
        """Return the answer on a candidate, if it is known: with diagnostics, if it must have."""
        if short and digest in self._cut_off:
            return CUT_OFF
        known = self._final.get(digest)
        return None if known is None or (diagnostics and known.diagnostics is None) else known

    def keep(self, digest: bytes, epoch: int, judgement: Judgement, worker: int) -> Answer:
        """Write a verdict down before anyone knows of it; return it as what a search is given."""
        answer = judgement.answer
        if self._journal is not None:
            found = answer.diagnostics
            text = None if found is None else diagnostics_as_text(found)
            how, timed_out = judgement.how, judgement.timed_out
            row = (digest, epoch, answer.verdict, how, answer.seconds, worker, timed_out, text)
            self._journal.keep_verdict(VerdictRow(*row))
        with self._lock:
            if epoch != self.epoch:  # the test was given up as it ended
                return answer
            if not answer.is_final:
                self._cut_off.add(digest)
                return answer
            before = self._final.get(digest)
            if before is not None and before.diagnostics is not None:
                answer = answer._replace(diagnostics=before.diagnostics)
            self._final[digest] = answer
            return answer
