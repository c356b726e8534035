"""What an earlier run has found out, as its journal has it."""

from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.disk.rows import EXPLAIN_EPOCH

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
