"""Candidates that are made ready while the test of another one runs."""

import threading
from collections.abc import Iterator
from concurrent.futures import Future, wait
from pathlib import Path

import pytest

from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import Task
from wynot.core.answer import Answer
from wynot.core.events import Event
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.failures.criteria import ByExitStatus
from wynot.job.evaluator import Evaluator
from wynot.oracle.command import Command
from wynot.oracle.learned_timeout import LearnedTimeout
from wynot.oracle.oracle import Oracle
from wynot.oracle.provisioner import Inapplicable, Invocation
from wynot.oracle.trial import OneCommand
from wynot.wire.run_request import Limits

ALONE = 'mkdir "$LOCK" || exit 9; echo "$NAME" >> "$RAN"; rmdir "$LOCK"; test "$NAME" = bad'
"""A test that notices if another one runs beside it."""
MINUTES = 120.0


class Shelf:
    """Puts names in place, and remembers which."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.placed: list[str] = []
        self.is_placed = {name: threading.Event() for name in ("bad", "good", "other", "odd")}

    def provision(self, subject: str, sandbox: Sandbox) -> Invocation:
        if subject == "odd":
            raise Inapplicable("it does not fit")
        self.placed.append(subject)
        self.is_placed[subject].set()
        sandbox.place(Files({}))
        env = {"NAME": subject, "LOCK": f"{self.folder}/lock", "RAN": f"{self.folder}/ran"}
        return Invocation(env=env)

    @property
    def ran(self) -> list[str]:
        """The names whose tests have run, in order."""
        path = self.folder / "ran"
        return path.read_text().split() if path.exists() else []


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


@pytest.fixture
def evaluator(shelf: Shelf, tmp_path: Path) -> Iterator[Evaluator[str]]:
    events: list[Event] = []
    oracle: Oracle[str] = Oracle(
        OneCommand(Command.script("/bin/sh", "-c", ALONE), ByExitStatus()),
        shelf,
        Limits(),
        LearnedTimeout(),
    )
    made = Evaluator(1, oracle, events.append, 0, prepared=2)
    journal = Journal.create(tmp_path / "j.journal", Files({}), {})
    made.begin(journal, 0)
    yield made
    made.close()
    journal.close()


def handed_over(evaluator: Evaluator[str], name: str) -> Task[Answer]:
    task = evaluator.ask(name, name.encode())
    assert isinstance(task, Task)
    return task


def test_what_is_not_asked_for_is_put_in_place_but_does_not_run(
    evaluator: Evaluator[str], shelf: Shelf
) -> None:
    tasks = {name: handed_over(evaluator, name) for name in ("bad", "good", "other")}
    assert all(each.wait(MINUTES) for name, each in shelf.is_placed.items() if name in tasks)
    assert shelf.ran == []
    tasks["good"].ask()
    assert tasks["good"].result(MINUTES).verdict is Verdict.UNINTERESTING
    assert tasks["other"].waits
    assert tasks["other"].cancel()
    tasks["bad"].ask()
    assert tasks["bad"].result(MINUTES).verdict is Verdict.INTERESTING
    assert shelf.ran == ["good", "bad"]
    assert evaluator.width == 1
    assert evaluator.reach == 3


def test_what_cannot_be_put_in_place_is_known_without_being_asked_for(
    evaluator: Evaluator[str],
) -> None:
    assert handed_over(evaluator, "odd").result(MINUTES).verdict is Verdict.UNRESOLVED


def test_tests_still_run_one_at_a_time(evaluator: Evaluator[str], shelf: Shelf) -> None:
    oracle = evaluator.oracle
    said = evaluator.do_all([lambda sandbox: oracle.ask("bad", sandbox)] * 9)
    assert {each.answer.verdict for each in said} == {Verdict.INTERESTING}
    assert shelf.ran == ["bad"] * 9


def test_closing_gives_up_what_waits(evaluator: Evaluator[str], shelf: Shelf) -> None:
    tasks: list[Future[Answer]] = [handed_over(evaluator, name) for name in ("bad", "good")]
    assert shelf.is_placed["good"].wait(MINUTES)
    evaluator.close()
    assert not wait(tasks, MINUTES).not_done
    assert shelf.ran == []
