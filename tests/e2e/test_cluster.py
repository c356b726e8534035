"""Tests on a cluster: schedulers and workers are real, and on the loopback device."""

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from clusters import RealCluster, certificates, real_cluster, tls_options
from e2e.programs import Ran, shell, told, wynot

PROGRAM = "".join(f"int f{each}(int a) {{ return a + {each}; }}\n" for each in range(40)).encode()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealCluster]:
    with real_cluster(tmp_path_factory.mktemp("cluster"), 2, 2) as made:
        yield made


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "in.c").write_bytes(PROGRAM)
    shell(tmp_path, "grep -q 'f7.*{' in.c && grep -q 31 in.c")
    return tmp_path


def reduced(folder: Path, *options: str) -> bytes:
    ran = told(folder, "reduce", "-q", "--fresh", "-o", "out.c", *options, "./test.sh", "in.c")
    assert ran.code == 0, ran.err
    return (folder / "out.c").read_bytes()


def test_the_result_is_that_of_one_machine(cluster: RealCluster, program: Path) -> None:
    assert reduced(program, "--cluster", cluster.address) == reduced(program, "-j", "1")


@pytest.mark.slow
def test_workers_that_begin_the_script_again_are_said_to(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import wynot\nwynot.reduce(b'x y', ['grep', 'x', '{}'], cluster='local:1')\n"
    )
    command = [sys.executable, str(script)]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)  # noqa: S603
    last = ran.stderr.decode().splitlines()[-2:]
    assert "the workers of 'local:1' do not come up" in last[0]
    assert "__main__" in last[1]


@pytest.mark.slow
def test_a_cluster_can_be_started_here(program: Path) -> None:
    ran = wynot(program, "reduce", "-q", "--cluster", "local:4", "-o", "a.c", "./test.sh", "in.c")
    assert (ran.code, ran.err) == (0, "")
    assert (program / "a.c").read_bytes() == reduced(program, "-j", "1")


def test_as_many_tests_run_as_there_are_slots(cluster: RealCluster, program: Path) -> None:
    ran = told(program, "reduce", "--json", "--cluster", cluster.address, "./test.sh", "in.c")
    assert next(each for each in ran.events if each["event"] == "began")["jobs"] == 4


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
def test_a_scheduler_without_workers(tmp_path: Path, program: Path) -> None:
    with real_cluster(tmp_path / "empty") as empty:
        ran = refused(program, empty.address)
    assert f"the cluster {empty.address!r} has no workers [no-cluster]" in ran.err
    assert ran.code == 5


@pytest.mark.slow
def test_a_worker_with_another_version_of_wynot(tmp_path: Path, program: Path) -> None:
    (tmp_path / "old" / "wynot-0.0.9.dist-info").mkdir(parents=True)
    about = "Metadata-Version: 2.1\nName: wynot\nVersion: 0.0.9\n"
    (tmp_path / "old" / "wynot-0.0.9.dist-info" / "METADATA").write_text(about)
    with real_cluster(tmp_path / "old") as mixed:
        mixed.add_worker(PYTHONPATH=str(tmp_path / "old"))
        mixed.await_workers(1)
        ran = refused(program, mixed.address)
    assert "has wynot 0.0.9, and here it is" in ran.err
    assert ran.code == 5


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
    assert (program / "out.c").read_bytes() == reduced(program, "-j", "1")


def refused(folder: Path, address: str) -> Ran:
    ran = told(folder, "reduce", "-q", "--cluster", address, "./test.sh", "in.c")
    assert (folder / "in.c").read_bytes() == PROGRAM
    return ran


def test_inquiries_run_there_too(cluster: RealCluster, tmp_path: Path) -> None:
    (tmp_path / "good").write_text("a\nb\nc\n")
    (tmp_path / "bad").write_text("a\nx\nc\n")
    shell(tmp_path, "grep -q x $1")
    asked = ("isolate", "--cluster", cluster.address, "./test.sh", "good", "bad")
    ran = told(tmp_path, *asked)
    assert ran.code == 0, ran.err
    assert (tmp_path / "bad.patch").exists()


def test_functions_run_as_tasks_of_a_client(cluster: RealCluster) -> None:
    code = (
        "import distributed, wynot\n"
        "def test(kept): return {3, 17} <= set(kept)\n"
        f"with distributed.Client({cluster.address!r}) as client:\n"
        "    print(wynot.minimize(range(30), test, workers=client).items)\n"
    )
    done = subprocess.run(  # noqa: S603 - ours
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "[3, 17]\n", "")
