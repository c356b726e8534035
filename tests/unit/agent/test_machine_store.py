"""What is sent to a machine once: nothing counts but digests."""

from hashlib import sha256
from pathlib import Path

import pytest

from wynot.agent.machine_store import MachineStore
from wynot.core.files import Files
from wynot.wire.file_edits import NO_FILES, NotInStore, Preload, edited, edits

CONTENT = b"some text\n" * 1000
DIGEST = sha256(CONTENT).hexdigest()


@pytest.fixture
def store(tmp_path: Path) -> MachineStore:
    made = MachineStore(tmp_path)
    made.add(DIGEST, 0, CONTENT[:4000], is_last=False)
    assert made.lacking([DIGEST]) == [DIGEST]
    made.add(DIGEST, 4000, CONTENT[4000:], is_last=True)
    return made


def test_what_was_sent_is_there(store: MachineStore) -> None:
    assert store.lacking([DIGEST]) == []
    assert store.read(DIGEST) == CONTENT


def test_another_content_is_not_taken(store: MachineStore) -> None:
    other = "0" * 64
    with pytest.raises(NotInStore):
        store.add(other, 0, CONTENT, is_last=True)
    assert store.lacking([other]) == [other]


def test_what_somebody_has_changed_is_not_there(store: MachineStore, tmp_path: Path) -> None:
    (tmp_path / DIGEST).write_bytes(b"something else")
    with pytest.raises(NotInStore):
        store.read(DIGEST)


@pytest.mark.parametrize("digest", ["", "../x", "/etc/passwd", DIGEST.upper(), DIGEST + "\n"])
def test_nothing_but_digests_is_a_name(store: MachineStore, digest: str) -> None:
    with pytest.raises(ValueError, match="a digest"):
        store.read(digest)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/a"])
def test_programs_stay_in_the_store(store: MachineStore, name: str) -> None:
    with pytest.raises(ValueError, match="a program called"):
        store.make_program(DIGEST, name)


def test_a_script_is_used_where_it_is(store: MachineStore, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "test.sh").write_bytes(CONTENT)
    path = str(tmp_path / "here" / "test.sh")
    assert store.program(path, DIGEST) == path


@pytest.mark.parametrize("there", [None, b"another version"])
def test_a_script_that_is_not_there_is_that_of_the_store(
    store: MachineStore, tmp_path: Path, there: bytes | None
) -> None:
    path = tmp_path / "test.sh"
    if there is not None:
        path.write_bytes(there)
    with pytest.raises(NotInStore):
        store.program(str(path), DIGEST)
    store.make_program(DIGEST, "test.sh")
    found = Path(store.program(str(path), DIGEST))
    assert found.name == "test.sh"
    assert (found.read_bytes(), found.stat().st_mode & 0o777) == (CONTENT, 0o755)


def test_what_is_needed_no_more_goes(store: MachineStore, tmp_path: Path) -> None:
    store.make_program(DIGEST, "test.sh")
    store.retain([DIGEST])
    assert store.read(DIGEST) == CONTENT
    store.retain([])
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("wanted", [CONTENT, CONTENT[:7000], b"x" + CONTENT, CONTENT[:50] * 90])
@pytest.mark.parametrize("held", [None, b"", b"y" * 9000])
def test_edits_of_what_was_sent(store: MachineStore, held: bytes | None, wanted: bytes) -> None:
    preload = Preload.of(Files({"a": CONTENT, "small": b"1"}), {})
    assert [*preload.files] == ["a"]
    before = NO_FILES if held is None else NO_FILES._replace(contents={"a": held})
    header, pieces = edits(before, Files({"a": wanted}), preload.files)
    assert len(b"".join(pieces)) <= 4000
    entries = {**header, "put": [list(each) for each in header["put"]]}
    assert edited(before, entries, b"".join(pieces), store.read).contents == {"a": wanted}
