"""Verdicts that are not known for good: their tests had less time than they may have."""

from collections.abc import Mapping

from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal

EARLY = "cut off early"
"""How the words begin that the journal has for them."""


def cut_off_early(
    journal: Journal, epoch: int, known: Mapping[bytes, Verdict]
) -> dict[bytes, Verdict | None]:
    """Return what an earlier run cut off early, each with what came of it when it was asked again.

    The last of several verdicts on a candidate is the one that is known.
    """
    early = {digest for digest, _ in journal.endings(epoch, EARLY)}
    last = {digest: how for digest, how in journal.endings(epoch, "") if digest in early}
    return {
        digest: None if how.startswith(EARLY) else known[digest] for digest, how in last.items()
    }
