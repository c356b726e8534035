"""A `.wynot` folder that came with a stranger's files: nothing is run, nothing is written outside.

What a journal names is always below the test's own folder, however far it leads out of the case.
"""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from e2e.programs import Ran, refused, shell, text, told, wynot
from forged_journals import BOMBS, CASE, NAME, edit, forged, with_original
from tiers import slow_but
from wynot.cli.exit_codes import BUDGET, DONE, FILES, USAGE
from wynot.core.system.beneath import PERMISSION_BITS

MEMORY_BYTES, PROCESSOR_SECONDS = 1 << 30, 120
LIMITED = f"""\
import os, resource, sys
if sys.platform == "linux":
    resource.setrlimit(resource.RLIMIT_AS, ({MEMORY_BYTES}, {MEMORY_BYTES}))
resource.setrlimit(resource.RLIMIT_CPU, ({PROCESSOR_SECONDS}, {PROCESSOR_SECONDS}))
os.execv(sys.argv[1], sys.argv[1:])
"""
REDUCE = ("reduce", "-j", "1", "-c", 'grep -q 17 "$1"', NAME)
COMMANDS = {
    "history": ("history", NAME),
    "restore": ("history", NAME, "--restore", "0"),
    "report": ("report", NAME),
    "explain": ("explain", NAME),
    "repro": ("repro", NAME),
    "watch": ("watch", NAME),
    "reduce": REDUCE,
}
ENDS = {DONE, BUDGET, USAGE, FILES}


class Sent:
    """A folder that a stranger has sent, beside one that nothing may happen to."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder, self.outside = tmp_path / "sent", tmp_path / "outside"
        text(self.outside / "bashrc", "mine\n")
        text(self.outside / "secret", "key\n", 0o600)
        self.ran = self.outside / "ran"
        self.journal = forged(self.folder, f"touch '{self.ran}'")
        self._before = self._outside()

    def _outside(self) -> dict[str, tuple[int, bytes]]:
        return {
            str(path): (path.lstat().st_mode, path.read_bytes())
            for path in sorted(self.outside.rglob("*"))
        }

    def require_no_harm(self, ran: Ran) -> None:
        assert self._outside() == self._before
        assert ran.code in ENDS, ran
        assert "Traceback" not in ran.err
        for line in (ran.out + ran.err).splitlines():
            assert line.isprintable(), ran


@pytest.fixture
def sent(tmp_path: Path) -> Sent:
    return Sent(tmp_path)


def limited(folder: Path, *arguments: str) -> Ran:
    """Run the command with little memory and processor time."""
    return wynot(folder, *arguments, before=(sys.executable, "-c", LIMITED))


PARTS = [
    "case",
    "..",
    ".",
    "",
    "a",
    "link",
    "\x1b]0;title\x07",
    "\u202e",
    "-o",
    "outside",
    "secret",
]
OUTSIDE = "(outside)"


@settings(max_examples=settings().max_examples // 5)
@given(
    st.lists(st.lists(st.sampled_from([*PARTS, OUTSIDE]), min_size=1, max_size=6), max_size=4),
    st.sampled_from([None, 0o4755, 0o2777, 0o1600, 0, 2**40 - 1, -1]),
)
def test_no_path_leads_out_of_the_folder_that_is_restored(
    paths: list[list[str]], mode: int | None
) -> None:
    with TemporaryDirectory() as name:
        sent = Sent(Path(name))
        outside = str(sent.outside / "bashrc")
        named = {"/".join(parts).replace(OUTSIDE, outside): b"evil\n" for parts in paths}
        named["case/good"] = b"good\n"
        with_original(sent.journal, named, dict.fromkeys(named, mode) if mode is not None else {})
        ran = told(sent.folder, "history", NAME, "--restore", "0", "-o", "new")
        sent.require_no_harm(ran)
        for path in (sent.folder / "new").rglob("*"):
            if path.is_file():
                assert path.stat().st_mode & ~PERMISSION_BITS == 0o100000


@pytest.mark.parametrize("command", slow_but(("restore", "reduce"), COMMANDS))
@pytest.mark.parametrize("path", ["case//{}", "case/../../outside/bashrc", "{}", "case/./x"])
def test_a_path_that_leads_out_is_written_by_no_command(
    sent: Sent, path: str, command: str
) -> None:
    bad = path.format(sent.outside / "bashrc")
    with_original(sent.journal, {"case/good": b"x", bad: b"evil\n"}, {bad: 0o4755})
    sent.require_no_harm(told(sent.folder, *COMMANDS[command]))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_of_a_journal_is_not_run(sent: Sent, command: str) -> None:
    ran = told(sent.folder, *COMMANDS[command])
    sent.require_no_harm(ran)
    if command in {"explain", "repro"}:
        refused(ran, FILES, "[foreign-journal]", f"wynot reduce {NAME} -- sh -c 'touch")
    else:
        assert ran.code == DONE, ran


@pytest.mark.parametrize(
    "damage", ["UPDATE events SET body = '[0, 1]' WHERE kind = 'ran'", "CREATE TABLE more (x)"]
)
def test_a_damaged_journal_is_no_more_trusted_than_a_sound_one(sent: Sent, damage: str) -> None:
    edit(sent.journal, damage)
    for command in ("explain", "repro"):
        ran = told(sent.folder, *COMMANDS[command])
        sent.require_no_harm(ran)
        assert "[damaged-journal]" in ran.err
        assert "[foreign-journal]" in ran.err
    ran = told(sent.folder, *REDUCE)
    sent.require_no_harm(ran)
    assert "starting over: the earlier run was another user's" in ran.out


def test_a_journal_that_was_changed_in_what_it_runs_is_foreign(tmp_path: Path) -> None:
    test = shell(tmp_path, 'grep -q 17 "$1"')
    text(tmp_path / NAME, CASE.decode())
    assert told(tmp_path, "reduce", "-q", test.name, NAME).code == DONE
    journal = tmp_path / ".wynot" / f"{NAME}.journal"
    assert told(tmp_path, "repro", NAME, "-o", "mine").code == DONE
    edit(
        journal,
        "UPDATE events SET body = replace(body, 'test.sh', 'evil.sh') WHERE kind = 'created'",
    )
    refused(told(tmp_path, "repro", NAME, "-o", "theirs"), FILES, "[foreign-journal]", "evil.sh")
    assert not (tmp_path / "theirs").exists()


def test_verdicts_and_steps_of_a_stranger_are_not_believed(sent: Sent) -> None:
    text(sent.folder / NAME, CASE.decode())
    edit(
        sent.journal,
        "UPDATE events SET body = replace(body, 'uninteresting', 'interesting')",
        "DELETE FROM events WHERE kind = 'fact' AND key = 'state'",
    )
    before = sent.journal.read_bytes()
    nothing = "there is nothing to resume: the earlier run was another user's"
    refused(told(sent.folder, *REDUCE, "--resume"), USAGE, nothing)
    ran = told(sent.folder, *REDUCE)
    sent.require_no_harm(ran)
    assert "starting over: the earlier run was another user's" in ran.out
    assert (sent.folder / NAME).read_bytes() == b"17\n"
    assert (sent.folder / f"{NAME}.orig").read_bytes() == CASE
    assert (sent.journal.parent / f"{NAME}.1.journal").read_bytes() == before


def test_what_the_user_has_begun_is_continued_in_a_copy_of_the_folder(tmp_path: Path) -> None:
    text(tmp_path / "first" / NAME, CASE.decode())
    assert told(tmp_path / "first", *REDUCE, "--max-tests", "3").code == BUDGET
    shutil.copytree(tmp_path / "first", tmp_path / "second")
    ran = told(tmp_path / "second", *REDUCE)
    assert ran.code == DONE
    assert "starting over" not in ran.out


READERS = ("report", "reduce", "watch")
"""Each reads a journal in its own way; all other commands read it as a report does."""
BOMB_CASES = [(bomb, command) for bomb in BOMBS for command in READERS]
QUICK_BOMBS = [
    *[("a view", "report"), ("a view", "watch"), ("a large patch", "report")],
    *[("growing patches", "report"), ("pages without end", "report")],
]


@pytest.mark.parametrize("case", slow_but(QUICK_BOMBS, BOMB_CASES), ids=" and ".join)
def test_a_bomb_ends_with_little_work(sent: Sent, case: tuple[str, str]) -> None:
    bomb, command = case
    BOMBS[bomb](sent.journal)
    sent.require_no_harm(limited(sent.folder, *COMMANDS[command]))


def _log(sent: Sent, victim: Path) -> None:
    sent.journal.with_name(f"{sent.journal.name}-wal").symlink_to(victim)


def _rollback(sent: Sent, victim: Path) -> None:
    """Put a rollback journal there, of which SQLite removes the file that it names."""
    name = os.fsencode(victim)
    magic = bytes.fromhex("d9d505f920a163d7")
    head = magic + bytes(4) + bytes(8) + (1).to_bytes(4, "big") + (1024).to_bytes(4, "big")
    end = (2).to_bytes(4, "big") + name + len(name).to_bytes(4, "big")
    end += sum(name).to_bytes(4, "big") + magic
    sent.journal.with_name(f"{sent.journal.name}-journal").write_bytes(
        head.ljust(1024, b"\0") + end
    )


def _journal(sent: Sent, victim: Path) -> None:
    sent.journal.unlink()
    sent.journal.symlink_to(victim)


def _draft(sent: Sent, victim: Path) -> None:
    sent.journal.with_suffix(".draft").symlink_to(victim)


def _fifo(sent: Sent, victim: Path) -> None:
    sent.journal.unlink()
    os.mkfifo(sent.journal)
    assert victim.exists()


@pytest.mark.parametrize("command", slow_but(("history", "reduce"), COMMANDS))
@pytest.mark.parametrize("plant", [_log, _rollback, _journal, _draft, _fifo])
def test_what_sqlite_would_open_beside_it_is_no_link(
    sent: Sent, plant: Callable[[Sent, Path], None], command: str
) -> None:
    plant(sent, sent.outside / "bashrc")
    sent.require_no_harm(told(sent.folder, *COMMANDS[command]))


def test_a_name_with_terminal_codes_is_shown_harmless(tmp_path: Path) -> None:
    folder = tmp_path / "\x1b]0;evil\x07"
    journal = forged(folder)
    edit(
        journal,
        (
            "UPDATE events SET body = json_set(body, '$[1]', ?, '$[2]', ?) WHERE kind = 'step'",
            ("\x1b[2J", "\u202e"),
        ),
        "UPDATE events SET body = '[0, 1]' WHERE kind = 'ran'",
    )
    for command in (("history", NAME), ("report", NAME), ("repro", NAME), ("watch", NAME)):
        ran = told(tmp_path, command[0], f"{folder.name}/{NAME}", *command[2:])
        assert "\x1b" not in ran.out + ran.err, ran
        assert "\u202e" not in ran.out + ran.err, ran


def test_without_a_key_a_reduction_ends_and_says_that_it_cannot_be_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text(tmp_path / "file", "")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    text(tmp_path / NAME, CASE.decode())
    ran = told(tmp_path, *REDUCE)
    assert ran.code == DONE
    assert ran.out.count("this run cannot be continued or explained later") == 1
    assert (tmp_path / NAME).read_bytes() == b"17\n"
    refused(told(tmp_path, "explain", NAME), FILES, "[foreign-journal]")
