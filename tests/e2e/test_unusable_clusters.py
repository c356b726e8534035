"""Clusters that cannot be used: what is said, and that nothing is lost."""

import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from clusters import certificates, real_cluster, tls_options
from e2e.programs import Ran, shell, told, wynot

PROGRAM = b"int f7(int a) {\n  return a + 31;\n}\n"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "in.c").write_bytes(PROGRAM)
    shell(tmp_path, "grep -q 'f7.*{' in.c && grep -q 31 in.c")
    return tmp_path


def refused(folder: Path, address: str) -> Ran:
    ran = told(folder, "reduce", "-q", "--cluster", address, "./test.sh", "in.c")
    assert (folder / "in.c").read_bytes() == PROGRAM
    return ran


def test_a_scheduler_that_does_not_run(program: Path) -> None:
    ran = refused(program, "tcp://127.0.0.1:1")
    assert "'tcp://127.0.0.1:1' does not answer: [Errno 111] Connection refused" in ran.err
    assert "[no-cluster]" in ran.err
    assert ran.code == 5


@pytest.mark.parametrize("address", ["nonsense", "http://a:1", "a:99999", "local:0", "local:x"])
def test_what_is_no_address(program: Path, address: str) -> None:
    ran = refused(program, address)
    assert f"--cluster is {address!r} [invalid-option]" in ran.err
    assert ran.code == 2


@pytest.mark.parametrize("address", ["10.0.0.1:8786", "tcp://host.example:8786", "[fe80::1]:1"])
def test_a_cluster_that_is_open_to_all_has_to_be_asked_for(program: Path, address: str) -> None:
    ran = refused(program, address)
    assert "neither encrypted nor on this machine" in ran.err
    assert "--insecure" in ran.hint
    assert ran.code == 2


def test_something_that_is_no_scheduler(program: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=greet, args=(server,), daemon=True).start()
        ran = refused(program, f"127.0.0.1:{server.getsockname()[1]}")
    assert "does not answer: " in ran.err
    assert ran.code == 5


def greet(server: socket.socket) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        with connection, suppress(OSError):
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


@pytest.mark.slow
def test_something_that_never_answers(program: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        ran = refused(program, f"127.0.0.1:{server.getsockname()[1]}")
    assert "does not answer: it has said nothing for 6 s" in ran.err
    assert ran.code == 5


@pytest.mark.slow
def test_a_scheduler_without_workers(tmp_path: Path, program: Path) -> None:
    with real_cluster(tmp_path / "empty") as empty:
        ran = refused(program, empty.address)
    assert f"the cluster {empty.address!r} has no workers [no-cluster]" in ran.err
    assert ran.code == 5


def pretending(folder: Path, name: str, version: str) -> dict[str, str]:
    """Return the environment of a worker that says that it has another version of something."""
    said = folder / "said.py"
    said.write_text(
        "from distributed import versions\n"
        "def said(names, known=versions.get_package_info):\n"
        f"    return known(names) | {{{name!r}: {version!r}}}\n"
        "versions.get_package_info = said\n"
    )
    return {"DASK_DISTRIBUTED__WORKER__PRELOAD": str(said)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "version", "words"),
    [
        ("python", "3.99.0.final.0", "has Python 3.99, and here it is 3."),
        ("wynot", "0.0.9", "has wynot 0.0.9, and here it is "),
        ("distributed", "2020.1.0", "has distributed 2020.1.0, and here it is 20"),
    ],
)
def test_a_worker_with_another_version(
    tmp_path: Path, program: Path, name: str, version: str, words: str
) -> None:
    with real_cluster(tmp_path / "old") as mixed:
        mixed.add_worker(2, **pretending(tmp_path, name, version))
        mixed.await_workers(1)
        ran = refused(program, mixed.address)
    assert "the worker 'tcp://127.0.0.1:" in ran.err
    assert words in ran.err
    assert ran.code == 5


@pytest.mark.slow
def test_a_worker_with_another_version_that_joins_is_not_used(
    tmp_path: Path, program: Path
) -> None:
    # All but the original, and an empty file, has to wait until the worker is there.
    (program / "test.sh").write_text(
        "#!/bin/sh\nbytes=$(wc -c < in.c)\n"
        f"until [ $bytes = 0 ] || [ $bytes = {len(PROGRAM)} ] || [ -e {tmp_path}/go ]\n"
        "do sleep 0.1; done\ngrep -q f7 in.c\n"
    )
    asked = ("reduce", "--json", "--timeout", "300", "-o", "out.c")
    with real_cluster(tmp_path / "cluster", 1) as cluster:
        where = ("--cluster", cluster.address, "./test.sh", "in.c")
        with subprocess.Popen(  # noqa: S603 - the command is what is tested
            [sys.executable, "-m", "wynot", *asked, *where], cwd=program, stdout=subprocess.PIPE
        ) as run:
            assert run.stdout is not None
            next(line for line in run.stdout if b'"began"' in line)
            cluster.add_worker(2, **pretending(tmp_path, "wynot", "0.0.9"))
            notice = next(line for line in run.stdout if b"quarantined" in line)
            (tmp_path / "go").touch()
            run.communicate()
    assert b"is not used: it has wynot 0.0.9" in notice
    assert run.returncode == 0
    assert (program / "out.c").read_bytes().strip() == b"f7"


@pytest.mark.slow
def test_a_worker_that_hangs_from_the_start_is_not_used(tmp_path: Path, program: Path) -> None:
    with real_cluster(tmp_path / "cluster", 1) as cluster:
        cluster.workers[0].send_signal(signal.SIGSTOP)
        ran = refused(program, cluster.address)
        assert "wynot cannot use the worker 'tcp://127.0.0.1:" in ran.err
        assert "it does not answer within" in ran.err
        assert ran.code == 5
        cluster.add_worker(1)
        cluster.await_workers(2)
        ran = told(program, "reduce", "--cluster", cluster.address, "./test.sh", "in.c")
    assert ran.code == 0, ran.err
    assert ran.out.count("is not used: it does not answer within") == 1


@pytest.mark.slow
def test_encrypted_clusters(tmp_path: Path, program: Path) -> None:
    right, wrong = certificates(tmp_path / "right"), certificates(tmp_path / "wrong")
    asked = ("reduce", "-q", "-o", "out.c", "--cluster")
    with real_cluster(tmp_path / "tls", 2, tls=tls_options(right)) as cluster:
        last = (cluster.address, "./test.sh", "in.c")
        assert cluster.address.startswith("tls://")
        without, other = wynot(program, *asked, *last), wynot(program, *asked, *last, env=wrong)
        good = wynot(program, *asked, *last, env=right)
    assert "needs certificates" in without.err
    assert "do not trust each other: CERTIFICATE_VERIFY_FAILED" in other.err
    assert (without.code, other.code, good.code) == (5, 5, 0)
    assert wynot(program, "reduce", "-q", "-j1", "-o", "one.c", *last[1:]).code == 0
    assert (program / "out.c").read_bytes() == (program / "one.c").read_bytes()
