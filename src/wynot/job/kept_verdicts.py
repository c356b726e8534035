"""The verdicts and diagnostics that a journal keeps, and those that an earlier run has found."""

from collections.abc import Hashable

from wynot.core.complaints import SILENCE, Complaints, complaints_as_text, complaints_of_text
from wynot.core.verdict import Verdict
from wynot.disk.database import COMPLAINTS_TABLE
from wynot.disk.journal import Journal
from wynot.disk.rows import EXPLAIN_EPOCH
from wynot.oracle.guards import REFUSED, Guards
from wynot.oracle.oracle import Judgement
from wynot.oracle.provisioner import UNPLACED

EARLY = "cut off early"
"""How the words begin that the journal has for verdicts whose tests had less time than they may."""


def last_epoch(journal: Journal) -> int:
    """Return the epoch of a reduction's last verdicts."""
    found = journal.read("SELECT max(epoch) FROM verdicts WHERE epoch < ?", EXPLAIN_EPOCH)
    return int(found[0][0] or 0)


def recalled(journal: Journal, epoch: int) -> tuple[dict[bytes, Verdict], set[bytes]]:
    """Return the verdicts of an earlier run that are known for good, and what it cut off early.

    The last of several verdicts on a candidate is the one that is known.
    """
    last = dict(journal.endings(epoch, ""))
    known = journal.verdicts(epoch).items()
    final = {digest: verdict for digest, verdict in known if not last[digest].startswith(EARLY)}
    return final, {digest for digest, _ in journal.endings(epoch, EARLY)}


def keep_complaints(journal: Journal, epoch: int, digest: bytes, said: Complaints) -> None:
    """Write down what a program has said of a candidate."""
    with journal.writing() as connection:
        connection.execute(COMPLAINTS_TABLE)
        row = epoch, digest, complaints_as_text(said)
        connection.execute("INSERT INTO complaints VALUES (?, ?, ?)", row)


def complaints_kept(journal: Journal, epoch: int) -> dict[bytes, Complaints]:
    """Return what was said in an epoch, by digest; the first time counts."""
    if not journal.read("SELECT 1 FROM sqlite_master WHERE name = 'complaints'"):
        return {}
    rows = journal.read("SELECT digest, said FROM complaints WHERE epoch = ?", epoch)
    found = ((digest, complaints_of_text(str(said))) for digest, said in reversed(rows))
    return {digest: said for digest, said in found if said is not None}


class KeptVerdicts:
    """Written by the threads of the workers, one entry at a time, and read by who searches."""

    def __init__(self) -> None:
        self.epoch = 0
        self._journal: Journal | None = None
        self.known: dict[bytes, Verdict] = {}
        self.early: set[bytes] = set()
        """What was cut off early, also if it is known by now what comes of it with all its time."""
        self.refused: dict[bytes, str] = {}
        """The guards that have refused candidates."""
        self.unplaced: dict[bytes, str] = {}
        """Why candidates could not be put in place."""
        self.heard: dict[bytes, Complaints] = {}
        """What programs have complained of, where somebody has listened."""

    def begin(self, journal: Journal, epoch: int, guards: Guards) -> None:
        """Write to this journal from now on, and recall what it has of this epoch."""
        self._journal, self.epoch = journal, epoch
        self.known, self.early = recalled(journal, epoch)
        self.heard = complaints_kept(journal, epoch)
        self.refused = {
            digest: guard
            for digest, how in journal.endings(epoch, REFUSED)
            if (guard := guards.refuser(how))
        }
        self.unplaced = {
            digest: how.removeprefix(UNPLACED) for digest, how in journal.endings(epoch, UNPLACED)
        }

    def said_of(self, digest: Hashable) -> Complaints:
        """Return what was said of a candidate; what was cut off early counts for nothing."""
        if not isinstance(digest, bytes) or digest in self.early:
            return SILENCE
        return self.heard.get(digest, SILENCE)

    def keep(self, digest: bytes, epoch: int, said: Judgement, guards: Guards) -> str:
        """Write a verdict down before anyone knows of it; return how its test ended, in words."""
        how = f"{EARLY}: {said.how}" if said.early else said.how
        if self._journal is not None:
            if said.complaints is not None:
                keep_complaints(self._journal, epoch, digest, said.complaints)
            self._journal.keep_verdict(epoch, digest, said.verdict, how, said.seconds)
        if epoch == self.epoch:  # also for a test that was given up as it ended
            if said.early:
                self.early.add(digest)
            else:
                self.known[digest] = said.verdict
            if said.complaints is not None:
                self.heard.setdefault(digest, said.complaints)
            if guard := guards.refuser(how):
                self.refused[digest] = guard
            if how.startswith(UNPLACED):
                self.unplaced[digest] = how.removeprefix(UNPLACED)
        return how
