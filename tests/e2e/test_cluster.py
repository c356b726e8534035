"""Tests on a cluster: schedulers and workers are real, and on the loopback device."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from clusters import RealCluster, real_cluster
from e2e.programs import shell, told, wynot

pytest.importorskip("distributed", reason="wynot[cluster] is not installed")

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


def test_a_cluster_can_be_started_here(program: Path) -> None:
    ran = wynot(program, "reduce", "-q", "--cluster", "local:4", "-o", "a.c", "./test.sh", "in.c")
    assert (ran.code, ran.err) == (0, "")
    assert (program / "a.c").read_bytes() == reduced(program, "-j", "1")


def test_as_many_tests_run_as_there_are_slots(cluster: RealCluster, program: Path) -> None:
    ran = told(program, "reduce", "--json", "--cluster", cluster.address, "./test.sh", "in.c")
    assert next(each for each in ran.events if each["event"] == "began")["jobs"] == 4
