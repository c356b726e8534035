"""The answers of the tests of one run, and those that its journal has of earlier ones."""

import threading

from wynot.core.answer import CUT_OFF, Answer
from wynot.core.complaints import Complaints, complaints_as_text, complaints_of_text
from wynot.core.verdict import Verdict
from wynot.disk.database import COMPLAINTS_TABLE
from wynot.disk.journal import Journal
from wynot.disk.rows import EXPLAIN_EPOCH
from wynot.oracle.guards import Guards
from wynot.oracle.oracle import EARLY, Judgement
from wynot.oracle.provisioner import UNPLACED


def last_epoch(journal: Journal) -> int:
    """Return the epoch of a reduction's last verdicts."""
    found = journal.read("SELECT max(epoch) FROM verdicts WHERE epoch < ?", EXPLAIN_EPOCH)
    return int(found[0][0] or 0)


def final_verdicts(journal: Journal, epoch: int) -> dict[bytes, Verdict]:
    """Return the last verdict on each candidate, unless that test was cut off early."""
    last = dict(journal.endings(epoch, ""))
    known = journal.verdicts(epoch).items()
    return {digest: verdict for digest, verdict in known if not last[digest].startswith(EARLY)}


def _keep_diagnostics(journal: Journal, epoch: int, digest: bytes, found: Complaints) -> None:
    with journal.writing() as connection:
        connection.execute(COMPLAINTS_TABLE)
        row = epoch, digest, complaints_as_text(found)
        connection.execute("INSERT INTO complaints VALUES (?, ?, ?)", row)


def kept_diagnostics(journal: Journal, epoch: int) -> dict[bytes, Complaints]:
    """Return what programs have reported in an epoch, by digest; the first time counts."""
    if not journal.read("SELECT 1 FROM sqlite_master WHERE name = 'complaints'"):
        return {}
    rows = journal.read("SELECT digest, said FROM complaints WHERE epoch = ?", epoch)
    found = ((digest, complaints_of_text(str(text))) for digest, text in reversed(rows))
    return {digest: complaints for digest, complaints in found if complaints is not None}


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
        last, diagnostics = dict(journal.endings(epoch, "")), kept_diagnostics(journal, epoch)
        self._cut_off = {digest for digest, _ in journal.endings(epoch, EARLY)}
        self._final = {
            digest: Answer(
                verdict,
                diagnostics=diagnostics.get(digest),
                refused_by=guards.refuser(how := last[digest]),
                not_placed=how.removeprefix(UNPLACED) if how.startswith(UNPLACED) else "",
            )
            for digest, verdict in final_verdicts(journal, epoch).items()
        }

    def find(self, digest: bytes, *, tight: bool, hears: bool) -> Answer | None:
        """Return the answer on a candidate, if it is known: with diagnostics, if it must have."""
        if tight and digest in self._cut_off:
            return CUT_OFF
        known = self._final.get(digest)
        return None if known is None or (hears and known.diagnostics is None) else known

    def keep(self, digest: bytes, epoch: int, judgement: Judgement) -> Answer:
        """Write a verdict down before anyone knows of it; return it as what a search is given."""
        answer = judgement.answer
        if self._journal is not None:
            if answer.diagnostics is not None:
                _keep_diagnostics(self._journal, epoch, digest, answer.diagnostics)
            self._journal.keep_verdict(epoch, digest, answer.verdict, judgement.how, answer.seconds)
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
