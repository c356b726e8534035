"""The verdicts of a run: all of them go to the journal, and those of this epoch are known."""

from collections.abc import Hashable

from wynot.core.complaints import SILENCE, Complaints
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.disk.kept_complaints import complaints_kept, keep_complaints
from wynot.job.earlier_verdicts import EARLY, recalled
from wynot.oracle.guards import REFUSED, Guards
from wynot.oracle.oracle import Judgement
from wynot.oracle.provisioner import UNPLACED


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
