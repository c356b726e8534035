"""Commands other than reduce on a cluster: which of them use other machines, and what others say.

A worker with temporary files of its own is taken for one on another machine.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from clusters import RealCluster, real_cluster
from e2e.programs import shell, text, told
from unit.inquiries.changes.repositories import make

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealCluster]:
    """Have a cluster with one worker, on what seems to be another machine."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "tmp").mkdir()
    with real_cluster(folder) as cluster:
        cluster.add_worker(2, TMPDIR=str(folder / "tmp"))
        cluster.await_workers(1)
        yield cluster


def test_a_batch(elsewhere: RealCluster, tmp_path: Path) -> None:
    crash = 'case $(cat "$1") in *boom*) kill -ABRT $$;; *zap*) kill -SEGV $$;; esac'
    shell(tmp_path, crash, "prog.sh")
    for name, word in {"a": "boom", "b": "zap", "c": "boom", "d": "fine"}.items():
        text(tmp_path / "crashes" / name, f"one two three\n[4, 5]\n{name} {word}\n{{six}}\n")
    groups = []
    for where in (("--cluster", elsewhere.address), ("-j", "1")):
        command = ("batch", "--fresh", *where, "crashes", "--", "./prog.sh", "{}")
        ran = told(tmp_path, *command)
        assert (ran.code, ran.err) == (0, ""), ran
        found = json.loads((tmp_path / "crashes.reduced" / "results.json").read_text())
        groups.append([(each["members"], each["reduced"]) for each in found["groups"]])
        left = [(tmp_path / "crashes.reduced" / name).read_text() for _, name in groups[-1]]
        assert sorted(each.strip() for each in left) == ["boom", "zap"]
    assert groups[0] == groups[1]


def test_options(elsewhere: RealCluster, tmp_path: Path) -> None:
    shell(tmp_path, 'for each; do [ "$each" != -x ] || exit 1; done')
    where = ("--cluster", elsewhere.address)
    ran = told(tmp_path, "options", "--json", *where, "--", "./test.sh", "-a", "-x", "-b")
    assert ran.code == 0, ran.err
    [answer] = [each for each in ran.events if each["event"] == "answered"]
    assert answer["data"]["options"] == [["-x"]]


def test_changes_can_only_be_made_here(elsewhere: RealCluster, tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    make(repo, [{"a": b"1\n"}, {"a": b"1\nbad\n", "b": b"2\n"}])
    shell(tmp_path, "! grep -q bad a")
    asked = ("changes", "--cluster", elsewhere.address, "--good", "HEAD~1", "--", "../test.sh")
    ran = told(repo, *asked)
    assert "all workers of the cluster are on other machines, as 'tcp://127.0.0.1:" in ran.err
    assert "start a worker on this machine" in ran.hint
    assert ran.code == 5
    elsewhere.add_worker(1)
    elsewhere.await_workers(2)
    ran = told(repo, *asked)
    assert ran.code == 0, ran.err
    assert ran.out.count("1 worker on other machines: not used") == 1


def test_ssh_is_refused_at_once_where_it_cannot_be_used(tmp_path: Path) -> None:
    make(tmp_path / "repo", [{"a": b"1\n"}, {"a": b"2\n"}])
    where = ("--cluster", "ssh:nowhere.invalid")
    ran = told(tmp_path / "repo", "changes", *where, "--good", "HEAD~1", "--", "false")
    assert "--cluster is 'ssh:nowhere.invalid', and this command makes its candidates" in ran.err
    assert ran.code == 2
