"""Workers that are started over ssh: sshd is real, and on the loopback device."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import clusters  # noqa: F401 - skips all of it where dask is not installed
from e2e.programs import Ran, shell, wynot
from ssh_servers import ssh_server, started_over_ssh
from tiers import slow_but

PROGRAM = "".join(f"int f{each}(int a) {{ return a + {each}; }}\n" for each in range(40)).encode()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ssh") / "server"


@pytest.fixture(scope="module")
def knowing(server: Path) -> Iterator[dict[str, str]]:
    with ssh_server(server) as env:
        yield env


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "in.c").write_bytes(PROGRAM)
    shell(tmp_path, "grep -q 'f7.*{' in.c && grep -q 31 in.c")
    return tmp_path


def reduce(folder: Path, cluster: str, env: dict[str, str], *more: str) -> Ran:
    asked = ("reduce", *more, "-o", "out.c", "--cluster", cluster, "./test.sh", "in.c")
    return wynot(folder, *asked, env=env)


@pytest.mark.slow
def test_the_result_is_that_of_one_machine(
    program: Path, server: Path, knowing: dict[str, str]
) -> None:
    ran = reduce(program, "ssh:one:2,two:1", knowing, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert next(each for each in ran.events if each["event"] == "began")["jobs"] == 3
    one = wynot(program, "reduce", "-q", "-j", "1", "-o", "one.c", "./test.sh", "in.c")
    assert one.code == 0
    assert (program / "out.c").read_bytes() == (program / "one.c").read_bytes()
    assert not started_over_ssh(server)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("stranger", "Permission denied"),
        ("nowhere.invalid", "Could not resolve hostname nowhere.invalid"),
    ],
)
def test_a_host_that_cannot_be_used(
    program: Path, knowing: dict[str, str], host: str, why: str
) -> None:
    ran = reduce(program, f"ssh:one,{host}", knowing, "-q")
    assert f"no worker can be started on {host!r} over ssh: " in ran.err
    assert why in ran.err
    assert f"does 'ssh {host} true' work" in ran.hint
    assert ran.code == 5
    assert (program / "in.c").read_bytes() == PROGRAM


@pytest.mark.parametrize(
    "hosts",
    slow_but(
        ["-oProxyCommand=x", "one;true"],
        ["", "one,", "-oProxyCommand=x", "a@-b", "one:0", "one:x", "a b", "one;true", "$(x)"],
    ),
)
def test_what_is_no_host(program: Path, hosts: str) -> None:
    ran = reduce(program, f"ssh:{hosts}", dict(os.environ), "-q")
    assert f"--cluster is {f'ssh:{hosts}'!r} [invalid-option]" in ran.err
    assert ran.code == 2
