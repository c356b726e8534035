"""Whether tests of a reduction, or of what follows it, are to begin with their modules loaded."""

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.files import Files
from wynot.job.warming import LEAST_BYTES


def is_worth_warming(options: ReduceOptions, original: Files, seconds: float) -> bool:
    """Tell whether to find out if they can: a first run has taken so long, 0 if there was none."""
    if options.cold:
        return False
    # What is loaded ahead is said in a file that is here, and no other machine has.
    is_long = seconds > 0 and original.size >= LEAST_BYTES and not options.cluster
    return is_long or bool(options.serve)
