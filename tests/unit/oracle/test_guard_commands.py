"""Guards: how they are called, and what becomes of what they refuse."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import LoneSandbox
from wynot.core.errors import GuardFails, InvalidOption, NoSuchFile
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.failures.criteria import ByExitStatus
from wynot.oracle.command import Command
from wynot.oracle.guards import Guard, Guards, as_it_is, on_files
from wynot.oracle.learned_timeout import LearnedTimeout
from wynot.oracle.oracle import Oracle
from wynot.oracle.provisioner import FilesInFolder, Invocation
from wynot.oracle.repetition import RELIABLE, Repetition
from wynot.oracle.trial import OneCommand
from wynot.wire.run_request import Limits

CASE = Files({"a.txt": b"33 44\n"})


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    made = LoneSandbox()
    yield made
    made.close()


def sh(text: str) -> Guard:
    """Return a guard that is a line of shell."""
    return as_it_is(text, ["/bin/sh", "-c", text], None)


def oracle(test: str, *guards: Guard, repetition: Repetition = RELIABLE) -> Oracle[Files]:
    return Oracle(
        OneCommand(Command.script("/bin/sh", "-c", test), ByExitStatus()),
        FilesInFolder(Invocation(("a.txt",))),
        Limits(),
        LearnedTimeout(),
        repetition,
        guards=Guards(guards),
    )


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("cat -n {}", ["cat", "-n", "a.txt"]),
        ("cat -n @@", ["cat", "-n", "a.txt"]),
        ("cat --from={}", ["cat", "--from=a.txt"]),
        ("cat a.txt", ["cat", "a.txt"]),
        ("cat -n", ["cat", "-n", "/private/a.txt"]),
        ("cat '$x | {}'", ["cat", "$x | a.txt"]),
        ("cat other", ["cat", "{here}/other", "/private/a.txt"]),
    ],
)
def test_a_guard_is_given_the_file_as_a_command_or_as_a_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, filled: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "other"):
        (tmp_path / name).touch()
    [guard] = on_files([text], ["a.txt"], None)
    expected = [word.replace("{here}", str(tmp_path)) for word in filled]
    assert guard.command.filled("/private", ["a.txt"]) == expected


@pytest.mark.parametrize("text", ["", "  ", "cat 'x"])
def test_what_is_no_command_line_is_refused(text: str) -> None:
    with pytest.raises(InvalidOption, match="passes is"):
        on_files([text], ["a.txt"], None)


def test_all_guards_must_pass_and_the_first_that_does_not_is_named(sandbox: Sandbox) -> None:
    one, two = sh("grep -q 44 a.txt"), sh("grep -q 55 a.txt")
    assert oracle("true", one).ask(CASE, sandbox).answer.verdict is Verdict.INTERESTING
    outcome = oracle("true", one, two, sh("exit 3")).ask(CASE, sandbox)
    assert outcome.answer.verdict is Verdict.UNRESOLVED
    assert outcome.how == "refused by --passes 'grep -q 55 a.txt': exit status 1"
    guards = Guards([one, two])
    assert guards.refuser(outcome.how) == outcome.answer.refused_by == two.option
    assert guards.counted({two.option: 3}) == ((one.option, 0), (two.option, 3))
    assert guards.refuser("exit status 1") == ""


def test_a_guard_is_not_asked_about_what_is_not_interesting(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    outcome = oracle("false", sh(f"echo >> '{log}'")).ask(CASE, sandbox)
    assert outcome.answer.verdict is Verdict.UNINTERESTING
    assert not log.exists()


def test_of_an_unreliable_test_a_guard_is_asked_once(sandbox: Sandbox, tmp_path: Path) -> None:
    log, runs = tmp_path / "log", tmp_path / "runs"
    asked = oracle(f"echo >> '{runs}'", sh(f"echo >> '{log}'"), repetition=Repetition(0.5))
    assert asked.ask(CASE, sandbox).answer.verdict is Verdict.INTERESTING
    assert len(runs.read_text()) > 1
    assert len(log.read_text()) == 1


def test_a_guard_that_hangs_or_cannot_be_started_refuses(sandbox: Sandbox) -> None:
    slow = as_it_is("slow", ["/bin/sh", "-c", "sleep 100"], 0.1)
    assert "refused by --passes slow: stopped after" in oracle("true", slow).ask(CASE, sandbox).how
    gone = as_it_is("./gone", ["./gone"], None)
    outcome = oracle("true", gone).ask(CASE, sandbox)
    assert outcome.answer.verdict is Verdict.UNRESOLVED
    assert "refused by --passes ./gone: './gone' cannot be started" in outcome.how


def test_its_time_has_nothing_to_do_with_that_of_the_test(sandbox: Sandbox) -> None:
    asked = oracle("true", sh("true"))
    asked.ask(CASE, sandbox)
    [guard] = asked.guards.each
    assert guard.patience is not asked.time_limit
    assert guard.patience.seconds > 0


def test_the_original_has_to_pass_them_all(sandbox: Sandbox) -> None:
    asked = oracle("true", sh("grep -q 44 a.txt"), sh("echo so much for that; exit 2"))
    settled = asked.learn_guards(CASE, sandbox)
    assert [refusal is None for refusal in settled.refusals] == [True, False]
    with pytest.raises(
        GuardFails, match=r"it does not pass --passes .*: exit status 2\n  \| so mu"
    ):
        settled.require("it")


def test_where_the_candidate_is_a_command_a_guard_is_given_its_arguments(sandbox: Sandbox) -> None:
    given = Invocation(argv=("/bin/false", "-a", "{}", "b"))
    want = '[ "$*" = "x -a {} b y" ]'
    guard = as_it_is("it", ["/bin/sh", "-c", want, "sh", "x", "{}", "y"], None)
    assert guard.refusal(sandbox, given, Limits(), capture=False) is None


def test_a_guard_that_is_not_a_program_is_told_apart_from_the_test() -> None:
    with pytest.raises(NoSuchFile, match="there is no program 'nodes'; --passes takes a command"):
        on_files(["nodes"], ["a.txt"], None)
