"""What single runs are held against."""

from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.failures.criteria import ByFirstRun
from wynot.oracle.command import Command
from wynot.oracle.trial import OneCommand, TrialResult, TwoCommands


def test_a_run_is_judged_by_what_is_looked_for_now() -> None:
    command = Command.script("x")
    first = TrialResult(Verdict.UNRESOLVED, Ending(1, 0.1, "", b"", b"error: no such name\n"))
    trial = OneCommand(command, ByFirstRun("exit")).calibrated(first)
    assert trial.judged(first).verdict is Verdict.INTERESTING
    assert trial.judged(first._replace(ending=Ending(0, 0.1))).verdict is Verdict.UNINTERESTING
    assert trial.judged(first._replace(why="not run")).verdict is Verdict.UNRESOLVED


def test_two_commands_are_compared_as_they_were_when_they_ran() -> None:
    trial = TwoCommands(Command.script("x"), Command.script("y"))
    said = TrialResult(Verdict.UNRESOLVED, Ending(0, 0.1, "", b"1"), Ending(0, 0.1, "", b"2"))
    assert trial.judged(said).verdict is Verdict.INTERESTING
    assert trial.calibrated(said).judged(said).verdict is Verdict.INTERESTING
    other = said._replace(ending=Ending(3, 0.1, "", b"1"))
    assert trial.calibrated(said).judged(other).verdict is Verdict.UNRESOLVED
    assert trial.judged(said._replace(other=None)).verdict is Verdict.UNRESOLVED
