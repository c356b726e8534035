"""Upgrades: deltas between two sides, and what is told of them."""

import json
from pathlib import Path

import pytest

from unit.inquiries.packages.questioning import read_pair
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.inquiries.packages.answer import cured_files, failing_files, lines
from wynot.inquiries.packages.circumstance import Upgrades

SAMPLES = Path(__file__).parents[3] / "samples"


def made(folder: Path, good: str, bad: str, name: str = "r.txt") -> Upgrades:
    for side, text in (("good", good), ("bad", bad)):
        (folder / side).mkdir(exist_ok=True)
        (folder / side / name).write_text(text)
    return Upgrades(*read_pair(folder / "good" / name, folder / "bad" / name))


@pytest.fixture
def upgrades(tmp_path: Path) -> Upgrades:
    return made(
        tmp_path,
        "gone==1\na==1\nsame==5\nlost==2\nb==1\n",
        "--index-url https://me:pw@h/s\nb==2\nnew==3\na==1.1\nsame==5\n",
    )


def specs(upgrades: Upgrades, kept: Deltas) -> list[str]:
    return sorted(pin.spec for pin in upgrades.render(Candidate.whole(kept)))


def test_deltas_lead_from_one_side_to_the_other(upgrades: Upgrades) -> None:
    assert specs(upgrades, NONE) == ["a==1", "b==1", "gone==1", "lost==2", "same==5"]
    assert specs(upgrades, upgrades.deltas) == ["a==1.1", "b==2", "new==3", "same==5"]


def test_the_order_is_that_of_the_bad_side_and_what_is_gone_where_it_was(
    upgrades: Upgrades,
) -> None:
    assert [each.name for each in upgrades.changes] == ["gone", "b", "new", "a", "lost"]


def test_there_is_one_level(upgrades: Upgrades) -> None:
    (level,) = upgrades.levels
    assert level.name == "packages"
    assert [list(unit) for unit in level.units] == [[0], [1], [2], [3], [4]]
    assert upgrades.size(upgrades.deltas) == 5


def test_digests_are_of_the_packages(upgrades: Upgrades, tmp_path: Path) -> None:
    digests = {upgrades.digest(Candidate.whole(Deltas.of([each]))) for each in upgrades.deltas}
    assert len(digests) == 5
    (tmp_path / "other").mkdir()
    same = made(tmp_path / "other", "a==1\nb==1\nc==1\n", "c==1\nb==2\na==1\n")
    again = made(tmp_path / "other", "b==1\nc==1\na==1\n", "c==1\nb==2\na==1\n")
    whole = Candidate.whole(same.deltas)
    assert same.digest(whole) == again.digest(whole)


def test_upgrades_are_told_in_lines(upgrades: Upgrades, tmp_path: Path) -> None:
    assert lines(upgrades, upgrades.deltas) == [
        "- gone 1",
        "b 1 → 2",
        "+ new 3",
        "a 1 → 1.1",
        "- lost 2",
    ]
    (tmp_path / "more").mkdir()
    others = made(
        tmp_path / "more",
        "a==1\nb\nc @ https://u:p@h/c1.zip\n",
        "a[x]==1\nb<9\nc @ https://u:p@h/c2.zip\n",
    )
    assert lines(others, others.deltas) == [
        "a: a==1 → a[x]==1",
        "b any version → <9",
        "c https://***@h/c1.zip → https://***@h/c2.zip",
    ]


def test_files_of_the_answer_can_be_installed_from(upgrades: Upgrades) -> None:
    failing = failing_files(upgrades, Deltas.of([1]))["requirements.txt"].splitlines()
    assert failing[0].startswith("# ")
    assert failing[1:] == [
        "--index-url https://***@h/s",
        *("gone==1", "a==1", "same==5", "lost==2", "b==2"),
    ]
    cured = cured_files(upgrades, Deltas.of([1]))["requirements.txt"].splitlines()
    assert sorted(cured[2:]) == ["a==1.1", "b==1", "new==3", "same==5"]


def test_bounds_of_a_lock_file_go_into_constraints() -> None:
    folder = SAMPLES / "packages" / "uv"
    upgrades = Upgrades(*read_pair(folder / "good.lock", folder / "bad.lock"))
    names = [each.name for each in upgrades.changes]
    files = failing_files(upgrades, Deltas.of([names.index("werkzeug")]))
    assert "\nwerkzeug==3.0.1 --hash=sha256:" in files["requirements.txt"]
    assert "-c constraints.txt\n" in files["requirements.txt"]
    assert "\nurllib3==1.26.14\n" in files["constraints.txt"]


def test_the_real_pair_has_one_upgrade_among_many() -> None:
    folder = SAMPLES / "packages"
    upgrades = Upgrades(*read_pair(folder / "good.txt", folder / "bad.txt"))
    told = lines(upgrades, upgrades.deltas)
    assert len(told) == 31
    assert "werkzeug 2.2.3 → 3.0.1" in told
    assert "- pyrsistent 0.19.3" in told


def locked(**packages: str) -> str:
    places = {
        f"node_modules/{place.replace('__', '/node_modules/')}": {"version": version}
        for place, version in packages.items()
    }
    root = {"dependencies": dict.fromkeys(packages, "*")}
    return json.dumps({"lockfileVersion": 3, "packages": {"": root, **places}})


def test_an_answer_for_npm_is_a_lock_file(tmp_path: Path) -> None:
    upgrades = made(
        tmp_path,
        locked(a="1.0.0", b="1.0.0"),
        locked(a="2.0.0", b="2.0.0"),
        "package-lock.json",
    )
    files = failing_files(upgrades, Deltas.of([0]))
    packages = json.loads(files["package-lock.json"])["packages"]
    assert packages[""]["dependencies"] == {"a": "2.0.0", "b": "1.0.0"}
    assert packages["node_modules/a"]["version"] == "2.0.0"
    assert json.loads(files["package.json"])["dependencies"] == {"a": "2.0.0", "b": "1.0.0"}


def test_what_does_not_fit_together_teaches_who_needs_whom(tmp_path: Path) -> None:
    upgrades = made(tmp_path, "a==1\nb==1\nc==1\ngone==1\n", "a==2\nb==2\nc==2\n")
    mixed = upgrades.chosen(upgrades.deltas_of({"a", "gone"}))
    assert upgrades.lesson(mixed, ["a", "b", "other"]) == [("a", "b")]
    assert upgrades.lesson(mixed, ["gone", "c"]) == [("gone", "c")]
    assert upgrades.lesson(mixed, ["b", "c"]) == []  # both are as they were: it is not the mixture
    taught = upgrades.knowing([("a", "b"), ("b", "a"), ("c", "a")])
    assert [taught.names(unit) for unit in taught.levels[-1].units] == [["a", "b"], ["c"], ["gone"]]
    assert specs(taught, taught.deltas_of({"c"})) == ["a==2", "b==2", "c==2", "gone==1"]
    held = taught.held_back
    assert specs(held, held.deltas.toggle(held.deltas_of({"b"}))) == ["a==1", "b==1", "c==1"]
    assert upgrades.knowing([]) is upgrades
