"""Whether a test can begin with its modules loaded: found out on cases whose answers are known.

The program is run once to see which modules it loads. Then a copy of a process that has them must
end and print as the program does, or all tests are started as usual.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from wynot.agents.sandbox import Sandbox
from wynot.core.ending import Ending
from wynot.disk.journal import Journal
from wynot.job.calibration import Calibration
from wynot.job.check_runs import TriedCase
from wynot.job.evaluator import Evaluator
from wynot.job.warm_tests import WarmDiffers, WarmTests
from wynot.machine.capture import read_back
from wynot.machine.reaper import HAS_PIDFD
from wynot.machine.removal import remove
from wynot.oracle.oracle import Oracle, RunPurpose
from wynot.oracle.provisioner import Inapplicable
from wynot.oracle.repetition import RELIABLE
from wynot.oracle.served import ServedCommand
from wynot.oracle.trial import OneCommand, argv_of
from wynot.warm.hooked import hook_variables
from wynot.warm.python_command import python_command
from wynot.warm.shell_line import unwrapped
from wynot.warm.warm_plan import MAX_RECORD_BYTES, WarmPlan
from wynot.wire.run_request import RunRequest

Subject = TypeVar("Subject")

LEAST_SECONDS, LEAST_BYTES = 0.03, 256
"""Of a test that takes less, hardly anything can be saved; a smaller case does not need many."""

FACT, ON, OFF = "warm", "on", "off"
"""What the journal says of it; after ``off`` comes the digest of what was answered differently."""
_PLAN, _RECORD = "warm-plan", "tmp-record"


def warm_up(
    evaluator: Evaluator[Subject],
    calibration: Calibration[Subject],
    seconds: float,
    journal: Journal,
    best: Subject | None = None,
) -> None:
    """Let a search ask by copies, if it can; a run that is gone on with does as it did before.

    They are tried on the cases of a calibration, the first of which runs for so many seconds, and
    on the best case if there is one.
    """
    before, _, refuted = journal.fact(FACT).partition(" ")
    if before == OFF:
        evaluator.warm = WarmTests(refuted=bytes.fromhex(refuted))
        return
    runs, sides = calibration.runs, calibration.sides
    known = [runs.tried(sides.failing, "original", "again"), runs.tried(sides.passing, "empty")]
    if best is not None:
        known.append(runs.tried(best))
    found = _found(evaluator, known, seconds)
    if found or before:
        evaluator.warm = found or WarmTests()
        journal.note(FACT, ON)


def cool_down(evaluator: Evaluator[Subject], journal: Journal, differs: WarmDiffers | None) -> None:
    """Ask by copies no more, in later runs neither if one was seen to differ."""
    if differs is not None:
        journal.note(FACT, f"{OFF} {differs.digest.hex()}")
    evaluator.warm = None
    evaluator.oracle.time_limit.forget()


def _found(
    evaluator: Evaluator[Subject], known: Sequence[TriedCase[Subject]], seconds: float
) -> WarmTests | None:
    """Return how tests can be warm, None if they cannot."""
    oracle = evaluator.oracle
    if oracle.repetition is not RELIABLE:
        return None
    if isinstance(oracle.trial, ServedCommand):
        return WarmTests(reuses_server=True)
    if not HAS_PIDFD or not isinstance(oracle.trial, OneCommand) or seconds < LEAST_SECONDS:
        return None
    evaluator.tell("loading the modules of the program ahead of the tests")
    [plan] = evaluator.do(partial(_tried, oracle, known))
    return WarmTests(plan) if plan else None


def _tried(
    oracle: Oracle[Subject], known: Sequence[TriedCase[Subject]], sandbox: Sandbox
) -> Path | None:
    """Make a plan, and try it; return its file, None if it cannot be used."""
    with suppress(OSError, Inapplicable):
        plan = _recorded(oracle, known[0].subject, sandbox)
        # A program that always looks at the state of its process has nothing from copies.
        if plan and all(
            _is_same(oracle, plan, each, sandbox, may_look=each is not known[0]) for each in known
        ):
            return plan
    return None


def _recorded(oracle: Oracle[Subject], subject: Subject, sandbox: Sandbox) -> Path | None:
    """Run the program as it is, and let it write down what it loads; return the plan."""
    invocation = oracle.provisioner.provision(subject, sandbox)
    trial = oracle.trial
    if not isinstance(trial, OneCommand) or invocation.folder is not None:
        return None
    argv = argv_of(trial.command, sandbox, invocation)
    environ = {**os.environ, **invocation.env}
    known = {name: value for name, value in environ.items() if value is not None}
    lines = [os.fsencode(f"{name}={value}") for name, value in known.items()]
    line = unwrapped(argv)
    run = argv if line is None else line.argv(argv)
    python = run and python_command(run, str(sandbox.folder), lines)
    if not run or not python:
        return None
    record = sandbox.scratch / _RECORD
    record.touch()
    try:
        limits = oracle.limits._replace(
            timeout=oracle.time_limit.limit, note_start=oracle.tally.notes[RunPurpose.CHECK]
        )
        env = {**invocation.env, **hook_variables(known, f"record {record}")}
        sandbox.run(RunRequest(run, limits, invocation.stdin, env=env))
        written = read_back(sandbox.scratch, _RECORD, MAX_RECORD_BYTES) or b""
    finally:
        remove(record)
    root = sandbox.private.parent
    plan = WarmPlan.recorded(written, python.mains, [root], python.path, is_inside=python.is_inside)
    if not plan.modules:
        return None
    file = sandbox.shared / _PLAN
    plan._replace(line=line).write(file)
    return file


def _is_same(
    oracle: Oracle[Subject],
    plan: Path,
    known: TriedCase[Subject],
    sandbox: Sandbox,
    *,
    may_look: bool,
) -> bool:
    """Tell whether a copy and a program that is started do the same with a case.

    With ``may_look``, a copy may look at the state of its process: then its answer never counts.

    Mostly it is as before. If it is not, that may be because it was elsewhere: so it is started
    here, too. Lines that a program prints in another way each time, say with the name of a
    temporary file, are known by a second run, which only those need that do.
    """
    subject = known.subject
    warm = replace(oracle, limits=oracle.limits._replace(warm_plan=plan))
    copied = warm.once(subject, sandbox, capture=True).ending
    if not copied.is_warm or copied.is_doubtful:
        return copied.is_warm and may_look
    if any(_seen(copied) == _seen(each) for each in known.endings):
        return True
    usual = oracle.once(subject, sandbox, capture=True).ending
    if _seen(usual)[:2] != _seen(copied)[:2]:
        return False
    if _seen(usual) == _seen(copied):
        return True
    again = oracle.once(subject, sandbox, capture=True).ending
    return _is_like(usual.stdout, again.stdout, copied.stdout) and _is_like(
        usual.stderr, again.stderr, copied.stderr
    )


def _seen(ending: Ending) -> tuple[int, str, bytes, bytes]:
    """Return what can be seen of how a program ended, but for the time."""
    return ending.status, ending.limit, ending.stdout, ending.stderr


def _is_like(usual: bytes, again: bytes, copied: bytes) -> bool:
    """Tell whether an output differs from another only where two usual ones do, line by line."""
    lines = [output.splitlines() for output in (usual, again, copied)]
    if len({*map(len, lines)}) > 1:
        return False
    return all(
        copy in (one, other) or one != other for one, other, copy in zip(*lines, strict=True)
    )
