"""What is sent to other machines ahead: the test, and the original, once."""

import shlex
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from clusters import real_cluster
from e2e.programs import shell, told
from wynot.cluster import relay

LARGE = b"".join(b"line %d %s\n" % (each, b"x" * 200) for each in range(10_000))


def apart(folder: Path) -> list[str]:
    """Return a command that runs another where a folder is empty, as on another machine."""
    hidden = f'mount -t tmpfs none {shlex.quote(str(folder))} && exec "$@"'
    before = ["unshare", "--map-root-user", "--mount", "sh", "-c", hidden, "sh"]
    try:
        subprocess.run([*before, "true"], check=True, capture_output=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this system has no mounts of one's own (unshare --mount)")
    return before


@pytest.mark.slow
def test_the_test_and_its_files_need_not_be_there(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "in.txt").write_text("".join(f"l{each}\n" for each in range(40)))
    (mine / "words").write_text("l7\n")
    shell(mine, "grep -q -x -f words in.txt && echo ${0##*/} | grep -q -x test.sh")
    with real_cluster(tmp_path / "cluster") as cluster:
        cluster.add_worker(2, before=apart(mine))
        cluster.await_workers(1)
        asked = ("--cluster", cluster.address, "--with", "words", "-o", "out.txt")
        ran = told(mine, "reduce", *asked, "./test.sh", "in.txt")
    assert ran.code == 0, ran.err
    assert "quarantined" not in ran.out
    assert (mine / "out.txt").read_text() == "l7\n"


@pytest.mark.slow
def test_the_original_is_sent_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # As if workers could not be reached: so all goes by way of the scheduler, and is counted.
    monkeypatch.setattr(relay, "STREAM_SECONDS", 0)
    (tmp_path / "in.txt").write_bytes(LARGE)
    shell(tmp_path, "grep -q 'line 77 ' in.txt")
    with (
        real_cluster(tmp_path / "cluster", 4, 4) as cluster,
        counted_way(cluster.address) as way,
    ):
        asked = ("--cluster", way.address, "-o", "out.txt")
        ran = told(tmp_path, "reduce", "-q", *asked, "./test.sh", "in.txt")
    assert ran.code == 0, ran.err
    # Each of two workers may have asked for it. On a slow machine the signs of life add up to half
    # of it; to each of eight slots it would be eight times as much.
    assert len(LARGE) < way.sent < 4 * len(LARGE)


class CountedWay:
    """Passes on what is said between clients and a scheduler, and counts what the first say."""

    def __init__(self, address: str) -> None:
        host, _, port = address.removeprefix("tcp://").rpartition(":")
        self._there = host, int(port)
        self.server = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self.server.getsockname()[1]}"
        self.sent = 0
        self._ends: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                ours, _ = self.server.accept()
                theirs = socket.create_connection(self._there)
                self._ends += ours, theirs
                for ends in ((ours, theirs), (theirs, ours)):
                    self._threads.append(threading.Thread(target=self._pass, args=ends))
                    self._threads[-1].start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(1 << 16):
                if other.getpeername() == self._there:
                    self.sent += len(data)
                other.sendall(data)
        with suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End all of it."""
        self.server.shutdown(socket.SHUT_RDWR)
        for each in self._ends:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for each in (self.server, *self._ends):
            each.close()


@contextmanager
def counted_way(address: str) -> Iterator[CountedWay]:
    """Have a way to a scheduler on which bytes are counted."""
    way = CountedWay(address)
    try:
        yield way
    finally:
        way.close()
