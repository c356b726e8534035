"""Reduce hostile inputs: none may take long, or much memory, or end with an exception.

    make fuzz N=10000
    PYTHONPATH=tests python -m benchmarks.fuzz 1000 --start 5000
    PYTHONPATH=tests python -m benchmarks.fuzz --only 592

Each input (``tests/hostile_inputs.py``) is reduced in a process of its own, by the real plan and
engine with a function as the test, so all the time it takes is ours. Limits are 10 s of processor
time and 300 MB; a process that is at its end says where it was. Large inputs are not reduced to
their end: after a number of tests that depends on their size it is enough, as this is about stalls.
"""

import argparse
import faulthandler
import os
import resource
import signal
import sys
import tempfile
import traceback
from pathlib import Path
from typing import IO, NamedTuple

from hostile_inputs import HostileInput, hostile_input
from reduce_inline import reduce_inline
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.files import Files
from wynot.formats.containers.opened import opened

MAX_SECONDS = 10.0
"""Processor time that the reduction of any input may take, for all of its tests together, on a
machine that does little else."""
MAX_MEMORY = 300 << 20
MAX_ADDRESSES = 4 << 30
"""Bytes of addresses, so that what explodes does not take the machine with it."""
MAX_TESTED_BYTES = 1 << 20
"""Bytes of text in all tests after which a reduction ends."""


class Measured(NamedTuple):
    """How the reduction of one input ended."""

    input: HostileInput
    status: int
    """As of ``waitpid``; 0 if nothing went wrong."""
    seconds: float
    memory: int
    complaint: str
    """Where it was when it was ended, or what it raised."""

    @property
    def is_in_bounds(self) -> bool:
        """Whether it came to its end, which is in time, and within its memory."""
        return not self.status and self.memory <= MAX_MEMORY


def measured(number: int, seconds: float) -> Measured:
    """Reduce an input in a process of its own, which ends when its time is up."""
    made = hostile_input(number)
    with tempfile.TemporaryFile() as complaint:
        process = os.fork()
        if not process:
            os._exit(_reduce_here(made, seconds, complaint))
        _, status, used = os.wait4(process, 0)
        complaint.seek(0)
        text = complaint.read().decode(errors="replace")
    memory = 0 if status else int(text)
    return Measured(made, status, used.ru_utime + used.ru_stime, memory, "" if memory else text)


def _reduce_here(made: HostileInput, seconds: float, complaint: IO[bytes]) -> int:
    faulthandler.register(signal.SIGPROF, complaint, chain=True)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    resource.setrlimit(resource.RLIMIT_AS, (MAX_ADDRESSES, MAX_ADDRESSES))
    Path("/proc/self/clear_refs").write_text("5")  # the peak so far is the parent's
    try:
        options = ReduceOptions(files=(), max_tests=_max_tests(made.content))
        files = Files({made.name: made.content})
        reduce_inline(files, lambda files: made.fails(files.contents[made.name]), options)
    except BaseException:  # noqa: BLE001 - whatever it is, it is told
        complaint.write(traceback.format_exc().encode())
        complaint.flush()
        return 1
    lines = Path("/proc/self/status").read_text().splitlines()
    peak = next(line for line in lines if line.startswith("VmHWM"))
    complaint.write(b"%d" % (int(peak.split()[1]) << 10))
    complaint.flush()
    return 0


def _max_tests(content: bytes) -> int:
    inside = opened(content)
    return MAX_TESTED_BYTES // max(1, inside.packed.size if inside else len(content))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("count", type=int, nargs="?", default=1000, help="how many inputs")
    parser.add_argument("--start", type=int, default=0, help="the number of the first one")
    parser.add_argument("--only", type=int, help="the number of the only one")
    parser.add_argument(
        "--seconds", type=float, default=MAX_SECONDS, help="processor time for each"
    )
    parser.add_argument("--slow", type=float, default=5, help="seconds above which one is shown")
    options = parser.parse_args()
    first, count = (options.only, 1) if options.only is not None else (options.start, options.count)
    wrong, total, slowest, largest = 0, 0.0, 0.0, 0
    for number in range(first, first + count):
        found = measured(number, options.seconds)
        total += found.seconds
        slowest, largest = max(slowest, found.seconds), max(largest, found.memory)
        wrong += not found.is_in_bounds
        if not found.is_in_bounds or found.seconds > options.slow or count == 1:
            sign = "slow" if found.is_in_bounds else f"WRONG (status {found.status})"
            figures = f"{found.seconds:.1f} s, {found.memory >> 20} MB"
            print(
                f"#{number} {sign}: {found.input.about}: {figures}\n{found.complaint}", flush=True
            )
    print(
        f"{count} inputs, {wrong} out of bounds, {total:.0f} s in all; "
        f"at most {slowest:.1f} s and {largest >> 20} MB"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
