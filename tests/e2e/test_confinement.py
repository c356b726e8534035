"""Candidates that are run can do no harm outside of their private folders."""

import os
import sys
from pathlib import Path

import pytest

from e2e.programs import Ran, refused, shell, told, wynot
from wynot.machine import landlock

pytestmark = pytest.mark.skipif(not landlock.version(), reason="this system has no Landlock")

CONFINED = "confined: tests can write only to their private folders"

# It stands for `rm -rf "$D"/*`, which without its first line deletes all there is: `erase` knows
# nothing to delete but one file, and does so whenever it is asked for something else than what is
# in the script's own folder. Nothing else in the script writes anywhere. So even if it is not
# confined, whatever is left of it can do no harm.
SCRIPT = """\
D=$TMPDIR/work
erase "$D"/one
exit 3
"""
ERASE = """\
#!/bin/sh
for path; do
    case $path in
        */work/*) ;;
        *) rm -f 'SENTINEL/precious' 2> /dev/null ;;
    esac
done
echo 'boom: it broke' >&2
"""


def precious(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "sentinel").iterdir())


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a script, and beside it what it must not delete."""
    for name in ("sentinel", "bin"):
        (tmp_path / name).mkdir()
    (tmp_path / "sentinel" / "precious").write_text("1")
    erase = tmp_path / "bin" / "erase"
    erase.write_text(ERASE.replace("SENTINEL", str(tmp_path / "sentinel")))
    erase.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    (tmp_path / "s.sh").write_text(SCRIPT)
    return tmp_path


def kept(ran: Ran, there: Path) -> None:
    assert ran.code == 0, ran
    assert precious(there) == ["precious"]
    left = (there / "s.sh").read_text()
    assert "erase" in left
    assert "D=" not in left


@pytest.mark.slow
def test_a_mangled_script_deletes_nothing_outside(there: Path) -> None:
    ran = wynot(there, "reduce", "s.sh", "--", "sh", "{}")
    kept(ran, there)
    assert CONFINED in " ".join(ran.out.split())


def test_without_that_it_does(there: Path) -> None:
    """So that the test above is known to be able to fail."""
    ran = told(there, "reduce", "--no-confine", "s.sh", "--", "sh", "{}")
    assert ran.code == 0, ran
    assert "confined" not in ran.out
    assert precious(there) == []


def test_a_test_script_that_runs_it_is_confined_too(there: Path) -> None:
    shell(there, "sh ./s.sh 2>&1 | grep -q 'boom: it broke'")
    ran = told(there, "reduce", "--json", "test.sh", "s.sh")
    kept(ran, there)
    [began] = [event for event in ran.events if event["event"] == "began"]
    assert began["writable"] == []


def test_isolate_is_confined_too(there: Path) -> None:
    ran = told(there, "isolate", "s.sh", "--", "sh", "{}")
    assert ran.code == 0, ran
    assert precious(there) == ["precious"]
    assert CONFINED in " ".join(ran.out.split())


@pytest.mark.parametrize(
    ("command", "fails"),
    [(["options"], '[ -n "$1" ]'), (["changes", "old", "new"], "grep -q new file")],
)
def test_the_other_commands_are_if_that_is_asked_for(
    there: Path, command: list[str], fails: str
) -> None:
    for name in ("old", "new"):
        (there / name).mkdir()
        (there / name / "file").write_text(name)
    line = f"rm -f {there}/sentinel/precious; {fails} && exit 3; exit 0"
    asked = (*command, "--confine", "--exit", "3", "--")
    ran = told(there, *asked, "sh", "-c", line, "sh", "--one")
    assert ran.code == 0, ran
    assert precious(there) == ["precious"]
    assert CONFINED in " ".join(ran.out.split())


# Programs that have to write elsewhere.

WRITES = """\
x = 1
open({!r}, "a").write("1")
y = 2
raise ValueError("the failure")
"""
COMMAND = ("p.py", "--", sys.executable, "{}")


@pytest.fixture
def writing(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    (tmp_path / "p.py").write_text(WRITES.format(str(tmp_path / "logs" / "log")))
    return tmp_path


def test_a_failure_that_is_another_when_confined_is_not_reduced(writing: Path) -> None:
    ran = told(writing, "reduce", *COMMAND)
    assert ran.code == 1, ran
    for words in ("[only-unconfined]", "--writable DIR", "--no-confine", "ValueError: the failure"):
        assert words in ran.err
    looked = told(writing, "check", *COMMAND)
    assert looked.code == 1
    assert "NOT  confined: " in looked.out


def test_a_failure_that_does_not_show_when_confined_is_told(writing: Path) -> None:
    command = ("--stderr", "the failure", *COMMAND)
    refused(told(writing, "reduce", *command), 1, "[only-unconfined]", "--writable DIR")
    refused(told(writing, "isolate", *command), 1, "[only-unconfined]", "--writable DIR")


def test_a_folder_can_be_made_writable(writing: Path) -> None:
    ran = told(writing, "reduce", "-j1", "--atoms", "lines", "--writable", "logs", *COMMAND)
    assert ran.code == 0, ran
    said = " ".join(ran.out.split())
    assert f"private folders, or to {writing / 'logs'} (--no-confine" in said
    assert "the failure" in (writing / "p.py").read_text()
    assert (writing / "logs" / "log").stat().st_size > 1


def test_where_it_is_asked_for_nothing_is_run_unconfined(writing: Path) -> None:
    arguments = ("--confine", "--stderr", "the failure", *COMMAND)
    ran = told(writing, "reduce", *arguments)
    assert ran.code == 1, ran
    assert "[not-interesting]" in ran.err
    assert "PermissionError" in ran.err
    assert not (writing / "logs" / "log").exists()


def test_what_is_only_read_is_not_confined(writing: Path) -> None:
    (writing / "in.txt").write_text("needle\nhay\n")
    line = f"echo 1 >> {writing}/logs/log; ! grep needle {{}}"
    ran = told(writing, "reduce", "in.txt", "--stdout", "needle", "--", "sh", "-c", line)
    assert ran.code == 0, ran
    assert "confined" not in ran.out
    assert (writing / "logs" / "log").exists()


def denied(ran: Ran) -> list[str]:
    return [each["message"] for each in ran.events if each.get("slug") == "denied-write"]


def test_script_with_an_inline_program_is_not_confined(tmp_path: Path) -> None:
    (tmp_path / "numbers").write_text("1\n2\n3\n")
    log = tmp_path / "log"
    total = """[ "$(awk '{s+=$1} END {print s+0}' numbers)" -ge 3 ]"""
    shell(tmp_path, f"{total} || exit 1\necho run >> {log}")
    ran = told(tmp_path, "reduce", "--json", "test.sh", "numbers")
    assert ran.code == 0, ran
    assert denied(ran) == []
    [began] = [event for event in ran.events if event["event"] == "began"]
    assert began["writable"] is None
    assert log.read_text().startswith("run\n")


@pytest.mark.parametrize(
    "line",
    [
        "echo run >> {log}",
        "echo run 2> /dev/null >> {log}",
        "LOG={log}; echo run | tee -a $LOG",
        'python3 -c \'open("{log}", "w")\' >&2',
        "cp s.sh {log}",
    ],
)
def test_denied_write_is_reported_once_with_its_path(tmp_path: Path, line: str) -> None:
    (tmp_path / "s.sh").write_text("x=1\nexit 3\n")
    (tmp_path / "logs").mkdir()
    log = tmp_path / "logs" / "log"
    shell(tmp_path, f"{line.format(log=log)}\nsh ./s.sh\n[ $? = 3 ]")
    ran = told(tmp_path, "reduce", "--json", "--max-tests", "0", "test.sh", "s.sh")
    [message] = denied(ran)
    assert message == (
        f"confinement denied a write of the test to {log}; "
        f"use --writable {log.parent} or --no-confine"
    )
    allowed = ("--json", "--max-tests", "0", "--writable", "logs", "-o", "out")
    assert denied(told(tmp_path, "reduce", *allowed, "test.sh", "s.sh")) == []
