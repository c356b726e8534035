"""What is written down of a reduction that has come to its end."""

import json
from collections.abc import Collection, Sequence
from contextlib import suppress

from wynot.core.errors import BrokenJournal
from wynot.core.stop import Stop
from wynot.disk.journal import Journal
from wynot.oracle.appearance import Likeness

AHEAD = "ahead"
"""The fact that names the verdicts which nobody has asked for in the end."""
AHEAD_DIGITS = 16
"""How many digits such a verdict is known by."""


def keep_final_facts(
    journal: Journal, proved: Sequence[str], likeness: Likeness, asked: Collection[bytes]
) -> None:
    """Write down what is proved, and which verdicts only depend on how many tests ran at a time."""
    with suppress(BrokenJournal):  # the next run will say so; this one has its result
        journal.note("minimal", json.dumps(proved))
        journal.note("likeness", json.dumps(likeness.texts))
        rows = journal.read("SELECT DISTINCT digest FROM verdicts")
        ahead = sorted(digest.hex()[:AHEAD_DIGITS] for (digest,) in rows if digest not in asked)
        journal.note(AHEAD, " ".join(ahead))
        journal.note("state", Stop.FINISHED)


def ran_ahead(journal: Journal) -> frozenset[str]:
    """Return the beginnings of the digests whose verdicts nobody has asked for."""
    return frozenset(journal.fact(AHEAD).split())
