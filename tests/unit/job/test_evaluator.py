"""What is known, and what was cut off early."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from wynot.core.answer import CUT_OFF, Answer
from wynot.core.events import Event
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.disk.rows import VerdictRow
from wynot.failures.criteria import ByExitStatus
from wynot.job.answers import AnswerStore, final_verdicts, verdicts_of
from wynot.job.evaluator import Evaluator
from wynot.oracle.command import Command
from wynot.oracle.guards import UNGUARDED
from wynot.oracle.learned_timeout import LearnedTimeout
from wynot.oracle.oracle import EARLY, Oracle
from wynot.oracle.provisioner import FilesInFolder, Invocation
from wynot.oracle.trial import OneCommand
from wynot.wire.run_request import Limits

NOTHING = Files({})


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """A run that has cut off three, and asked again about one of them, and in another epoch."""
    made = Journal.create(tmp_path / "j.journal", NOTHING, {})
    early = f"{EARLY}: stopped after 1.0 s"
    for digest in (b"a", b"b", b"c"):
        made.keep_verdict(VerdictRow(digest, 0, Verdict.UNRESOLVED, early, 1.0))
    made.keep_verdict(VerdictRow(b"b", 0, Verdict.INTERESTING, "exit status 0", 1.5))
    made.keep_verdict(VerdictRow(b"d", 0, Verdict.UNRESOLVED, "stopped after 2.0 s", 2.0))
    made.keep_verdict(VerdictRow(b"c", 1, Verdict.INTERESTING, "exit status 0", 2.0))
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
    assert {*final_verdicts(verdicts_of(journal, 0))} == {b"b", b"d"}
    assert {*final_verdicts(verdicts_of(journal, 1))} == {b"c"}
    answers = AnswerStore()
    answers.begin(journal, 0, UNGUARDED)
    for digest in (b"a", b"b", b"c"):
        assert answers.find(digest, short=True, diagnostics=False) == CUT_OFF
    assert answers.find(b"a", short=False, diagnostics=False) is None
    assert (
        answers.find(b"d", short=True, diagnostics=True) is None
    )  # nobody has looked for diagnostics


def test_what_was_cut_off_early_is_so_again_unless_all_its_time_is_asked_for(
    evaluator: Evaluator[Files],
) -> None:
    def asked(digest: bytes, *, short: bool) -> Answer:
        return evaluator.ask(NOTHING, digest, short=short).result()

    assert asked(b"b", short=True) == CUT_OFF
    assert asked(b"b", short=False) == Answer(Verdict.INTERESTING)
    assert asked(b"d", short=True) == Answer(Verdict.UNRESOLVED)
    assert evaluator.costs.seconds == 0
    ran = asked(b"a", short=False)
    assert ran == Answer(Verdict.UNINTERESTING, seconds=ran.seconds)
    assert evaluator.costs.seconds == ran.seconds > 0
    assert asked(b"a", short=True) == CUT_OFF
    assert asked(b"a", short=False) == ran


def test_each_epoch_has_its_own_verdicts(evaluator: Evaluator[Files], journal: Journal) -> None:
    evaluator.begin(journal, 1)
    assert evaluator.ask(NOTHING, b"c", short=True).result().verdict is Verdict.INTERESTING
    assert evaluator.ask(NOTHING, b"b").result().verdict is Verdict.UNINTERESTING
    found = {each.digest: each.verdict for each in verdicts_of(journal, 1)}
    assert found == {b"b": Verdict.UNINTERESTING, b"c": Verdict.INTERESTING}
    assert final_verdicts(verdicts_of(journal, 0))[b"b"].verdict is Verdict.INTERESTING
