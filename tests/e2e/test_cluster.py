"""Tests on a cluster: schedulers and workers are real, and on the loopback device."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from clusters import RealCluster, real_cluster
from e2e.programs import shell, told, wynot
from wynot import InvalidOption, minimize

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


def test_a_scheduler_that_others_could_use_is_a_notice(cluster: RealCluster, program: Path) -> None:
    ran = told(program, "reduce", "-q", "--cluster", cluster.address, "./test.sh", "in.c")
    assert ran.code == 0
    assert f"{cluster.address} has no certificates" in ran.out
    assert "[plain-scheduler]" in ran.out


@pytest.mark.slow
def test_workers_that_begin_the_script_again_are_said_to(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import wynot\nwynot.reduce(b'x y', ['grep', 'x', '{}'], cluster='local:1')\n"
    )
    command = [sys.executable, str(script)]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)  # noqa: S603
    last = ran.stderr.decode().splitlines()[-2:]
    assert "the workers of 'local:1' do not start" in last[0]
    assert "__main__" in last[1]


@pytest.mark.slow
def test_a_cluster_can_be_started_here(program: Path) -> None:
    ran = wynot(program, "reduce", "-q", "--cluster", "local:4", "-o", "a.c", "./test.sh", "in.c")
    assert (ran.code, ran.err) == (0, "")
    assert (program / "a.c").read_bytes() == reduced(program, "-j", "1")


def test_as_many_tests_run_as_there_are_slots(cluster: RealCluster, program: Path) -> None:
    ran = told(program, "reduce", "--json", "--cluster", cluster.address, "./test.sh", "in.c")
    assert next(each for each in ran.events if each["event"] == "began")["jobs"] == 4


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
    # dask may warn on standard error that a worker of a busy machine answers late.
    assert (done.returncode, done.stdout) == (0, "[3, 17]\n"), done.stderr


def test_clients_that_cannot_be_asked(cluster: RealCluster) -> None:
    with cluster.client() as client:
        pass
    with pytest.raises(InvalidOption, match="workers is a client that is closed"):
        minimize(range(3), bool, workers=client)

    async def awaited() -> None:
        async with cluster.client(asynchronous=True) as client:
            minimize(range(3), bool, workers=client)

    with pytest.raises(InvalidOption, match="workers is a client that is to be awaited"):
        asyncio.run(awaited())
