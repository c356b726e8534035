"""A stranger's clone: its configuration, and that of git, run no program and write no file.

Its pyproject.toml sets every option that needs trust, for every command that reads it. What is
asked about is the clone; the test, and the command line, are the user's.
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from e2e.programs import NUMBERS, Ran, shell, text, told
from hostile_clones import Clone
from tiers import slow_after, slow_but
from unit.inquiries.changes.repositories import Tree, git
from unit.inquiries.packages.shelves import locked
from wynot.cli.config import entries

TREE: Tree = {"in.txt": NUMBERS, "good.txt": b"1\n", "names": b"a\nb\nc\n", "crashes/1": NUMBERS}
QUIET = ("-c", "filter.x.clean=cat", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
"""What keeps the program from running while a test prepares the clone."""
SIDES = {"good": "1.0.0", "bad": "2.0.0"}
CLOSED = "http://127.0.0.1:9/simple"
"""Nobody listens there."""


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    made = Clone(
        tmp_path / "clone",
        {**TREE, "req.txt": b"core==1.0\n", "same.txt": b"core==1.0\n"},
        {**TREE, "req.txt": b"core==2.0\n", "same.txt": b"core==1.0 \n", "x": b"33"},
    )
    shell(tmp_path, "grep -rq 33 .")
    shell(tmp_path, 'case "$*" in *a*c*) exit 1;; esac', "runner")
    return made


def needing_trust(command: str) -> list[str]:
    """Return the options of a command that no stranger may set."""
    return [name for name, entry in entries(command).items() if not entry.option.is_harmless]


def set_all(clone: Clone, command: str) -> None:
    """Have the project set all of them: to run the program, or to write beside the clone."""
    stolen = clone.folder.with_name("stolen")
    lines = [f"[tool.wynot.{command}]"]
    for name in needing_trust(command):
        entry = entries(command)[name]
        kinds = {*entry.option.values}
        value: object = str(stolen if kinds & {"DIR", "OUT", "FILE"} else clone.program)
        if entry.option.is_flag:
            value = True
        lines.append(f"{name} = {json.dumps([value] if entry.option.is_many else value)}")
    text(clone.folder / "pyproject.toml", "\n".join(lines) + "\n")


def check_harmless(clone: Clone, command: str, ran: Ran) -> None:
    """Check that nothing of the stranger's was run or written, and that the user was warned."""
    assert clone.was_run == "", ran
    assert not clone.folder.with_name("stolen").exists()
    said = " ".join(ran.err.split())
    named = said.partition("these options in it are ignored: ")[2].partition(" [not-obeyed]")[0]
    assert named.split(", ") == [f"--{name}" for name in needing_trust(command)]
    assert "trusted = [" in said


ASKED: Mapping[str, Sequence[str]] = {
    "reduce": ("../test.sh", "in.txt"),
    "check": ("--runs", "2", "../test.sh", "in.txt"),
    "batch": ("crashes", "../test.sh"),
    "isolate": ("../test.sh", "good.txt", "in.txt"),
    "options": ("--exit", "1", "--", "../runner", "-a", "-b", "-c"),
    "tests": ("c", "--list", "names", "--", "../runner", "{tests}"),
    "changes": ("--good", "main~", "--bad", "main", "--", "sh", "-c", "! test -e x"),
}


@pytest.mark.parametrize("quiet", slow_but(["-q"], ["-q", ""]))
@pytest.mark.parametrize("command", ASKED)
def test_a_command_runs_nothing_that_a_clone_names(clone: Clone, command: str, quiet: str) -> None:
    set_all(clone, command)
    flags = [quiet] if quiet and "quiet" in entries(command) else []
    ran = told(clone.folder, command, *flags, *ASKED[command])
    assert ran.code == 0, ran
    check_harmless(clone, command, ran)
    if command == "reduce":
        assert (clone.folder / "in.txt").read_bytes() == b"33\n"


@pytest.mark.parametrize(
    "given", slow_after(1, ["--worktree", "--staged", "--tags", "--patch ../patch"])
)
def test_changes_of_every_kind_run_nothing_that_a_clone_names(clone: Clone, given: str) -> None:
    text(clone.folder.parent / "patch", "--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+33\n")
    git(clone.folder, "tag", "v1", "main~")
    (clone.folder / "y").write_text("33\n")
    git(clone.folder, *QUIET, "add", "--", "y")
    (clone.folder / "names").write_text("other\n")
    clone.trace.unlink(missing_ok=True)
    set_all(clone, "changes")
    absent = "x" if given == "--tags" else "y"
    ran = told(clone.folder, "changes", *given.split(), "--", "sh", "-c", f"! test -e {absent}")
    assert ran.code == 0, ran
    check_harmless(clone, "changes", ran)


@pytest.mark.parametrize(
    ("given", "code", "slug"),
    slow_after(
        1,
        [
            ("--bad same.txt", 2, "nothing-to-reduce"),
            ("--bad main:req.txt", 5, "no-network"),
            ("--good main~:req.txt --bad req.txt", 5, "no-network"),
        ],
    ),
)
def test_lock_files_of_a_clone_are_read_without_a_program_that_it_names(
    clone: Clone, given: str, code: int, slug: str
) -> None:
    set_all(clone, "packages")
    installer = ("--installer", "pip", "--index-url", CLOSED)
    ran = told(clone.folder, "packages", "-q", *installer, *given.split(), "--", "../runner")
    assert (ran.code, f"[{slug}]" in ran.err) == (code, True), ran
    check_harmless(clone, "packages", ran)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("npm"), reason="npm is not installed")
def test_npm_runs_nothing_that_a_clone_names(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    for version in SIDES.values():
        folder = clone.folder / version
        text(folder / "package-lock.json", locked({("core", version): {}}))
        keys = ("git", "script-shell", "shell")
        text(folder / ".npmrc", "".join(f"{key}={clone.program}\n" for key in keys))
    sides = (f"--{side}={each}/package-lock.json" for side, each in SIDES.items())
    ran = told(clone.folder, "packages", "-q", "--index-url", CLOSED, *sides, "--", "../runner")
    assert (ran.code, clone.was_run) == (5, ""), ran
    said = " ".join((ran.out + ran.err).split())
    assert "wynot ignores settings of .npmrc: git, script-shell, shell;" in said


def test_git_itself_runs_what_a_clone_names(clone: Clone) -> None:
    """Else the other tests would show nothing."""
    git(clone.folder, "log", "-1")
    assert str(clone.program) in clone.was_run
