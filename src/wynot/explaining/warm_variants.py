"""Variants whose tests begin with their modules loaded, and how far these are believed."""

from dataclasses import replace

from wynot.core.files import Files
from wynot.disk.journal import Journal
from wynot.disk.rows import EXPLAIN_EPOCH
from wynot.job.calibration import Calibration
from wynot.job.evaluator import Evaluator
from wynot.job.warming import FACT, OFF, warm_up

CHECKED_VARIANTS = 8
"""One in so many answers is asked for again in the usual way. That is more than in a reduction: it
has a result that is tried in the end, while what answers on variants add up to is believed."""


def explain_epoch(journal: Journal) -> int:
    """Return the epoch of verdicts on variants: those of before a difference are another's."""
    return EXPLAIN_EPOCH + _has_differed(journal)


def warm_up_for_variants(
    evaluator: Evaluator[Files],
    calibration: Calibration[Files],
    seconds: float,
    journal: Journal,
    case: Files,
) -> None:
    """Ask by copies, unless they were found to differ, or do on the case itself."""
    if not _has_differed(journal):
        warm_up(evaluator, calibration, seconds, journal, case)
    if evaluator.warm is not None:
        evaluator.warm = replace(evaluator.warm, checked_share=CHECKED_VARIANTS)


def _has_differed(journal: Journal) -> bool:
    return journal.fact(FACT).startswith(OFF)
