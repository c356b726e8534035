"""What an agent keeps, whoever speaks to it: docs/design/agent.md, in raw frames."""

import json
import os
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from wynot.agent.serve import Agent
from wynot.wire.framing import MAX_BODY_BYTES, MAX_HEADER_BYTES, VERSION_NUMBER

HELLO = {"do": "hello", "version": VERSION_NUMBER}


class Speaker:
    """Speaks to an agent, and knows nothing of how wynot does."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.numbers = iter(range(1, 1000))
        self.folder = self.private = ""

    def send(self, header: Any, body: bytes = b"") -> None:
        self.send_raw(json.dumps(header).encode(), body)

    def send_raw(self, said: bytes, body: bytes = b"") -> None:
        self.connection.sendall(struct.pack(">IQ", len(said), len(body)) + said + body)

    def hear(self) -> tuple[dict[str, Any], bytes]:
        header_size, body_size = struct.unpack(">IQ", self._exactly(12))
        header = json.loads(self._exactly(header_size))
        where = header.get("where", {})
        self.folder = where.get("folder", self.folder)
        self.private = where.get("private", self.private)
        return header, self._exactly(body_size)

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = self.connection.recv(count - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data

    def ask(self, *argv: str, **more: Any) -> int:
        """Have a command run; return its number."""
        number = next(self.numbers)
        said = {"do": "run", "number": number, "argv": argv, "folder": self.folder, **more}
        self.send(said)
        return number

    def run(self, script: str, **more: Any) -> tuple[dict[str, Any], bytes]:
        self.ask("sh", "-c", script, capture=True, **more)
        return self.hear()


@pytest.fixture
def lines() -> Iterator[list[Speaker]]:
    """Return two connections to one agent."""
    pairs = [socket.socketpair() for _ in range(2)]
    agent = Agent([their for _, their in pairs])
    thread = threading.Thread(target=agent.serve)
    thread.start()
    speakers = [Speaker(our) for our, _ in pairs]
    for each in speakers:
        each.connection.settimeout(300)
    yield speakers
    for each in speakers:
        each.connection.close()
    thread.join(300)
    assert not thread.is_alive()
    for each in speakers:
        assert not each.private or not Path(each.private).parent.exists()


@pytest.fixture
def line(lines: list[Speaker]) -> Speaker:
    lines[0].send(HELLO)
    header, _ = lines[0].hear()
    assert header["version"] == VERSION_NUMBER
    assert Path(header["where"]["folder"]).is_dir()
    return lines[0]


def test_edits_are_applied_to_what_was_said_last(line: Speaker) -> None:
    line.send({"do": "place", "put": [["a", 0, 0, 6], ["d/b", 0, 0, 2]]}, b"abcdefxy")
    assert line.run("cat a d/b")[1] == b"abcdefxy"
    line.send({"do": "place", "put": [["a", 2, 1, 3]], "drop": ["d/b"]}, b"---")
    assert line.run("cat a; ls")[1] == b"ab---fa\n"
    line.send({"do": "place", "modes": {"a": 0o755}, "links": {"l": "a"}})
    assert line.run("cat l; stat -c %a a")[1] == b"ab---f755\n"
    line.send({"do": "place"})
    assert line.run("cat l; stat -c %a a")[1] == b"ab---f755\n"
    line.send({"do": "place", "drop": ["a"], "modes": {}, "links": {}})
    assert line.run("ls")[1] == b""


def test_a_run_can_bring_its_files(line: Speaker) -> None:
    number = next(line.numbers)
    said = {"number": number, "argv": ["cat", "a"], "folder": line.folder, "capture": True}
    line.send({"do": "run", "place": {"put": [["a", 0, 0, 3]]}, **said}, b"abc")
    assert line.hear()[1] == b"abc"
    line.send({"do": "run", "place": {"put": [["../a", 0, 0, 3]]}, **said}, b"abc")
    assert line.hear()[0]["error"] == "value"


def test_the_same_can_be_run_again(line: Speaker) -> None:
    line.run("cat a; exit 3", place={})
    for content in (b"one", b"another"):
        again = {"do": "run", "number": next(line.numbers), "again": True}
        line.send({**again, "place": {"put": [["a", 0, 0, len(content)]]}}, content)
        header, body = line.hear()
        assert (header["status"], body[: header["out"]]) == (3, content)


def test_the_answer_says_how_it_ended(line: Speaker) -> None:
    header, body = line.run("printf out; printf err >&2; exit 7")
    assert (header["status"], header["out"], body) == (7, 3, b"outerr")
    assert header["seconds"] > 0
    header, _ = line.run("kill -11 $$")
    assert header["status"] == -11
    header, _ = line.run("sleep 1000", limits={"timeout": 0.05})
    assert (header["status"], header["limit"]) == (-9, "timeout")


def test_what_went_wrong_is_the_answer(line: Speaker) -> None:
    line.ask("no-such-program")
    header, _ = line.hear()
    assert (header["error"], header["errno"]) == ("system", 2)
    line.send({"do": "place", "put": [["../x", 0, 0, 0]]})
    header, _ = line.run("true")
    assert header["error"] == "value"
    assert "../x" in header["message"]
    line.send({"do": "place", "drop": ["../x"]})
    assert line.run("ls; exit 3")[0]["status"] == 3


def test_names_of_any_bytes_come_through(line: Speaker) -> None:
    line.send({"do": "place", "put": [["\udcff\n", 0, 0, 1]]}, b"x")
    assert line.run('printf "%s" *')[1] == b"\xff\n"
    _, body = line.run('printf "%s" "$V"', env={"V": "\udcfe", "HOME": None})
    assert body == b"\xfe"


def test_one_command_runs_at_a_time_and_the_next_is_ready(
    lines: list[Speaker], tmp_path: Path
) -> None:
    one, other = lines
    for each in lines:
        each.send(HELLO)
        each.hear()
    gate, log = tmp_path / "gate", tmp_path / "log"
    os.mkfifo(gate)
    one.ask("sh", "-c", f"echo 1 >>{log}; cat {gate}; echo 2 >>{log}")
    other.send({"do": "place", "put": [["a", 0, 0, 1]]}, b"x")
    other.ask("sh", "-c", f"cat a >>{log}")
    while not (Path(other.folder) / "a").exists():  # while the other one runs
        os.sched_yield()
    gate.write_text("")
    assert one.hear()[0]["status"] == other.hear()[0]["status"] == 0
    assert log.read_text() == "1\n2\nx"


def test_a_kill_is_for_the_run_that_it_names(lines: list[Speaker]) -> None:
    one, other = lines
    for each in lines:
        each.send(HELLO)
        each.hear()
    line = one
    number = line.ask("sleep", "1000")
    later = other.ask("true")
    other.send({"do": "kill", "number": later})
    assert other.hear()[0] == {"error": "killed"}  # while the first one still runs
    line.send({"do": "kill", "number": number - 1})
    line.send({"do": "kill", "number": number + 1})
    line.send({"do": "kill", "number": number})
    assert line.hear()[0] == {"error": "killed", "started": True}
    line.send({"do": "kill", "number": number})
    assert line.run("exit 5")[0]["status"] == 5


def test_a_command_for_a_folder_that_is_elsewhere_by_now_is_not_run(line: Speaker) -> None:
    line.send({"do": "run", "number": 1, "argv": ["touch", "x"], "folder": "/old"})
    assert line.hear()[0] == {"error": "moved"}
    assert line.run("ls")[1] == b""


def test_it_can_run_anywhere(line: Speaker, tmp_path: Path) -> None:
    (tmp_path / "given").write_text("there")
    line.ask("cat", elsewhere=str(tmp_path), stdin="given", capture=True)
    assert line.hear()[1] == b"there"


def test_pieces_of_any_size_make_frames(line: Speaker) -> None:
    said = json.dumps({"do": "place", "put": [["a", 0, 0, 300]]}).encode()
    frame = struct.pack(">IQ", len(said), 300) + said + b"x" * 300
    for at in range(len(frame)):
        line.connection.sendall(frame[at : at + 1])
    assert line.run("wc -c <a")[1].strip() == b"300"


RUN = {"do": "run", "number": 1, "argv": ["true"], "folder": ""}
FAULTS: dict[str, Any] = {
    "nothing": {},
    "no object": [1, 2],
    "unknown": {"do": "format"},
    "another version": {"do": "hello", "version": 99},
    "no version": {"do": "hello"},
    "no command": {**RUN, "argv": []},
    "no texts": {**RUN, "argv": [1]},
    "no number": {**RUN, "number": "1"},
    "a truth for a number": {**RUN, "number": True},
    "nothing to do again": {"do": "run", "number": 1, "again": True},
    "a place of another type": {**RUN, "place": []},
    "no folder": {**RUN, "folder": None},
    "a limit of another type": {**RUN, "limits": {"timeout": "long"}},
    "an unknown limit": {**RUN, "limits": {"heat": 3}},
    "variables of another type": {**RUN, "env": {"A": 3}},
    "an edit of nothing": {"do": "place", "put": [["a", 1, 0, 0]]},
    "an edit without bytes": {"do": "place", "put": [["a", 0, 0, 1]]},
    "an edit backwards": {"do": "place", "put": [["a", 0, -1, 0]]},
    "an edit of another type": {"do": "place", "put": [["a", 0, 0]]},
    "no edits": {"do": "place", "put": 3},
    "modes of another type": {"do": "place", "modes": {"a": "rwx"}},
    "links of another type": {"do": "place", "links": {"a": 3}},
}


@pytest.mark.parametrize("said", FAULTS.values(), ids=list(FAULTS))
def test_what_makes_no_sense_ends_the_connection_and_no_other(
    lines: list[Speaker], line: Speaker, said: Any
) -> None:
    other = lines[1]
    other.send(HELLO)
    other.hear()
    line.send(said)
    header, _ = line.hear()
    assert header["error"] == "fault"
    with pytest.raises((EOFError, ConnectionError)):
        line.hear()
    assert other.run("exit 4")[0]["status"] == 4


@pytest.mark.parametrize("said", [b"", b"{", b"\xff", b"[" * 100_000, b'{"do": 1e999}'])
def test_what_is_no_json_ends_the_connection(line: Speaker, said: bytes) -> None:
    line.send_raw(said)
    assert line.hear()[0]["error"] == "fault"


def test_what_was_asked_before_its_time_ends_the_connection(lines: list[Speaker]) -> None:
    lines[0].send(RUN)
    assert lines[0].hear()[0]["error"] == "fault"
    other = lines[1]
    other.send(HELLO)
    other.hear()
    other.ask("sleep", "1000")
    other.send({"do": "place"})
    assert other.hear()[0]["error"] == "fault"


@pytest.mark.parametrize("sizes", [(MAX_HEADER_BYTES + 1, 0), (1, MAX_BODY_BYTES + 1)])
def test_a_frame_that_is_too_large_is_not_waited_for(line: Speaker, sizes: tuple[int, int]) -> None:
    line.connection.sendall(struct.pack(">IQ", *sizes))
    assert line.hear()[0]["error"] == "fault"


def test_a_frame_that_is_cut_off_is_nothing(lines: list[Speaker], line: Speaker) -> None:
    said = json.dumps({"do": "place", "put": [["a", 0, 0, 300]]}).encode()
    line.connection.sendall(struct.pack(">IQ", len(said), 300) + said + b"x")
    line.connection.close()
    other = lines[1]
    other.send(HELLO)
    other.hear()
    assert other.run("exit 6")[0]["status"] == 6
