"""Workers that join a run."""

from pathlib import Path

import pytest

from cluster_runs import NUMBERS, reduction, wait_until, write_test
from clusters import real_cluster


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in.txt").write_text(NUMBERS)
    return tmp_path


@pytest.mark.slow
def test_workers_that_join_bring_slots(folder: Path) -> None:
    (folder / "running").mkdir()
    joined = folder / "joined"
    each = f"for each in $(ls {folder}/running); do kill -0 $each && n=$((n + 1)); done"
    test = f"touch {folder}/running/$$; n=0; {each}; echo $n >> {folder}/counts"
    # The first ones end, so that it is under way; the others are left for when both are there.
    enough = f"test $(wc -l <'{folder}/counts') -lt 20"
    wait = f"{enough} || until test -e '{joined}'; do sleep 0.01; done; sleep 0.3"
    write_test(folder, f"{test}; {wait}; grep -q l9 in.txt && grep -q l33 in.txt")
    with (
        real_cluster(folder / "cluster", 1) as cluster,
        reduction(folder, cluster.address) as run,
    ):
        cluster.add_worker(4)
        cluster.await_workers(2)
        joined.touch()
        wait_until(lambda: run.poll() is not None or max(counts(folder)) > 2)
        assert max(counts(folder)) > 2
        run.kill()


def counts(folder: Path) -> list[int]:
    """Return how many tests there were when each of them had begun."""
    return [int(each) for each in (folder / "counts").read_text().split()]
