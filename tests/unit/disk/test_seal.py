"""A journal is known as the user's own by a key that nobody else has."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from wynot.core.errors import BrokenJournal
from wynot.core.files import Files
from wynot.disk.journal import Journal
from wynot.disk.salvage import salvage
from wynot.disk.seal import SEAL_FACT, SEALED_FACTS, is_sealed, seal_of

FACTS = {name: f"{name} of a run" for name in SEALED_FACTS}


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the key is to be; there is none yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "wynot" / "key"


def sealed(facts: dict[str, str]) -> dict[str, str]:
    return {**facts, SEAL_FACT: seal_of(facts)}


def test_a_key_is_made_once_and_only_its_owner_can_read_it(key: Path) -> None:
    assert not is_sealed({**FACTS, SEAL_FACT: ""})
    assert not key.exists(), "reading makes no key"
    facts = sealed(FACTS)
    content = key.read_bytes()
    assert (len(content), key.stat().st_mode & 0o7777) == (32, 0o600)
    assert [path.name for path in key.parent.iterdir()] == ["key"]
    assert sealed(FACTS) == facts
    assert is_sealed(facts)
    assert key.read_bytes() == content


@pytest.mark.parametrize("name", SEALED_FACTS)
def test_every_fact_that_decides_what_is_run_is_covered(key: Path, name: str) -> None:
    facts = sealed(FACTS)
    assert key.exists()
    assert not is_sealed({**facts, name: "another"})
    assert not is_sealed({other: value for other, value in facts.items() if other != name})
    assert is_sealed({**facts, "state": "finished"})


@pytest.mark.parametrize("seal", ["", "0" * 64, "\u1234", "\udc80"])
def test_a_guess_is_no_seal(key: Path, seal: str) -> None:
    seal_of(FACTS)
    assert key.exists()
    assert not is_sealed({**FACTS, SEAL_FACT: seal})


def test_a_seal_of_another_user_is_none(
    key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = sealed(FACTS)
    assert key.exists()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    seal_of(FACTS)
    assert not is_sealed(facts)


def _readable(key: Path) -> None:
    key.chmod(0o640)


def _link(key: Path) -> None:
    key.rename(key.with_name("elsewhere"))
    key.symlink_to("elsewhere")


def _short(key: Path) -> None:
    key.write_bytes(key.read_bytes()[:31])


def _folder(key: Path) -> None:
    key.unlink()
    key.mkdir()


def _fifo(key: Path) -> None:
    key.unlink()
    os.mkfifo(key, 0o600)


@pytest.mark.parametrize("spoil", [_readable, _link, _short, _folder, _fifo])
def test_a_key_that_others_may_have_made_or_read_is_not_used(
    key: Path, spoil: Callable[[Path], None]
) -> None:
    facts = sealed(FACTS)
    spoil(key)
    before = key.lstat().st_mode
    assert not is_sealed(facts)
    assert seal_of(FACTS) == ""
    assert key.lstat().st_mode == before, "it is left as it is"


@pytest.mark.parametrize("home", ["file", "nothing", "relative"])
def test_without_a_place_for_a_key_journals_are_foreign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file") if home == "file" else "")
    if home == "nothing":
        monkeypatch.setattr(Path, "home", _no_home)
    if home == "relative":
        _plant_key(tmp_path / "home", monkeypatch)
    path = tmp_path / "j.journal"
    journal = Journal.create(path, Files({"a": b"x"}), {"options": "{}"})
    assert not journal.is_own
    journal.close()
    again = Journal.open(path)
    assert again is not None
    assert not again.is_own
    assert again.original() == Files({"a": b"x"})
    again.close()


@pytest.mark.parametrize(
    "event", ["('fact', 'options', 'evil')", """('created', NULL, '{"options": "evil"}')"""]
)
def test_no_later_event_takes_the_place_of_what_is_sealed(
    key: Path, tmp_path: Path, event: str
) -> None:
    path = tmp_path / "j.journal"
    Journal.create(path, Files({"a": b"x"}), {"options": "mine"}).close()
    assert key.exists()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"INSERT INTO events(kind, key, body) VALUES {event}")  # noqa: S608
    with pytest.raises(BrokenJournal, match="damaged"):
        Journal.open(path)
    found = salvage(path, [])
    assert found is not None
    journal = found.journal(tmp_path / "new.journal")
    assert (journal.is_own, journal.fact("options")) == (True, "mine")
    journal.close()


def _no_home() -> Path:
    raise RuntimeError("Could not determine home directory.")


def _plant_key(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder that has come with a key where a relative HOME leads."""
    state = home / ".local" / "state" / "wynot"
    state.mkdir(parents=True)
    (state / "key").touch(0o600)
    (state / "key").write_bytes(bytes(32))
    monkeypatch.chdir(home.parent)
    monkeypatch.setenv("HOME", home.name)


def test_processes_that_begin_at_once_have_the_same_key(key: Path) -> None:
    program = (
        "import sys; from wynot.disk.seal import seal_of; "
        "sys.stdin.read(); print(seal_of({'options': 'x'}))"
    )
    started = [
        subprocess.Popen(  # noqa: S603 - this Python
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(4)
    ]
    seals = {each.communicate(b"")[0] for each in started}
    assert len(seals) == 1
    assert seals != {b"\n"}
    assert [path.name for path in key.parent.iterdir()] == ["key"]


def test_a_foreign_journal_is_never_written_to(
    key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "j.journal"
    Journal.create(path, Files({"a": b"x"}), {"options": "{}"}).close()
    assert key.exists()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    before, beside = path.read_bytes(), sorted(tmp_path.iterdir())
    journal = Journal.open(path)
    assert journal is not None
    journal.close()
    assert path.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == beside
