"""What is known, and what was cut off early."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from wynot.core.events import Event
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.failures.criteria import ByExitStatus
from wynot.job.evaluator import Evaluator
from wynot.job.kept_verdicts import EARLY, recalled
from wynot.oracle.command import Command
from wynot.oracle.learned_timeout import LearnedTimeout
from wynot.oracle.oracle import Oracle
from wynot.oracle.provisioner import FilesInFolder, Invocation
from wynot.oracle.trial import OneCommand
from wynot.wire.run_request import Limits

NOTHING = Files({})


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """A run that has cut off three, and asked again about one of them, and in another epoch."""
    made = Journal.create(tmp_path / "j.journal", NOTHING, {})
    for digest in (b"a", b"b", b"c"):
        made.keep_verdict(0, digest, Verdict.UNRESOLVED, f"{EARLY}: stopped after 1.0 s", 1.0)
    made.keep_verdict(0, b"b", Verdict.INTERESTING, "exit status 0", 1.5)
    made.keep_verdict(0, b"d", Verdict.UNRESOLVED, "stopped after 2.0 s", 2.0)
    made.keep_verdict(1, b"c", Verdict.INTERESTING, "exit status 0", 2.0)
    yield made
    made.close()


@pytest.fixture
def evaluator(journal: Journal) -> Iterator[Evaluator[Files]]:
    """It has a test that says no to anything."""
    events: list[Event] = []
    oracle = Oracle(
        OneCommand(Command.script("/bin/sh", "-c", "exit 1"), ByExitStatus()),
        FilesInFolder(Invocation()),
        Limits(),
        LearnedTimeout(),
    )
    made = Evaluator(1, oracle, events.append, 0)
    made.begin(journal, 0)
    yield made
    made.close()


def test_what_was_cut_off_early_is_known_as_such_also_when_it_was_asked_again(
    journal: Journal,
) -> None:
    final = {b"b": Verdict.INTERESTING, b"d": Verdict.UNRESOLVED}
    assert recalled(journal, 0) == (final, {b"a", b"b", b"c"})
    assert recalled(journal, 1) == ({b"c": Verdict.INTERESTING}, set())


def test_what_was_cut_off_early_is_so_again_unless_all_its_time_is_asked_for(
    evaluator: Evaluator[Files],
) -> None:
    def asked(digest: bytes, *, tight: bool) -> Verdict:
        return evaluator.ask(NOTHING, digest, tight=tight).result()

    assert asked(b"b", tight=True) is Verdict.UNRESOLVED
    assert asked(b"b", tight=False) is Verdict.INTERESTING
    assert asked(b"d", tight=True) is Verdict.UNRESOLVED
    assert evaluator.is_final(b"d", tight=True)
    assert evaluator.toll.seconds == 0
    assert asked(b"a", tight=False) is Verdict.UNINTERESTING  # it was run
    assert evaluator.toll.seconds > 0
    assert asked(b"a", tight=True) is Verdict.UNRESOLVED
    assert not evaluator.is_final(b"a", tight=True)
    assert evaluator.is_final(b"a", tight=False)


def test_each_epoch_has_its_own_verdicts(evaluator: Evaluator[Files], journal: Journal) -> None:
    evaluator.begin(journal, 1)
    assert evaluator.ask(NOTHING, b"c", tight=True).result() is Verdict.INTERESTING
    assert evaluator.ask(NOTHING, b"b").result() is Verdict.UNINTERESTING
    assert journal.verdicts(1) == {b"b": Verdict.UNINTERESTING, b"c": Verdict.INTERESTING}
    assert journal.verdicts(0)[b"b"] is Verdict.INTERESTING
