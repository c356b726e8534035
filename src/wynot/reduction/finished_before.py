"""What is told of a run whose command has come to its end before: there is nothing left to do."""

from wynot.core.events import LINE_ENDS, ReductionEnded
from wynot.core.stop import Stop
from wynot.disk.output import Output, shown
from wynot.oracle.appearance import Likeness
from wynot.reduction.resume import RunBeginning, listed
from wynot.reduction.skips import SKIPS_FACT, read_skips


def finished_before(beginning: RunBeginning, output: Output, seconds: float) -> ReductionEnded:
    """Return what the earlier run has found, as its journal has it."""
    journal, original = beginning.journal, beginning.original.size
    last = journal.last_step()
    return ReductionEnded(
        Stop.ALREADY_FINISHED,
        original,
        last.size if last else original,
        tests=0,
        extra=0,
        seconds=seconds,
        minimal=tuple(listed(journal.fact("minimal"))),
        line_ends=int(last is not None and last.pass_name == LINE_ENDS),
        skipped=tuple(each.name for each in read_skips(journal.fact(SKIPS_FACT))),
        where=output.where,
        original=output.original,
        journal=shown(journal.path),
        **Likeness.recalled(listed(journal.fact("likeness")))._asdict(),
    )
