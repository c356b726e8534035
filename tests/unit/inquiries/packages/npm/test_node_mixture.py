"""Two trees of npm, mixed: all that is needed is found, and in a version that fits."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unit.inquiries.packages.questioning import questioned
from wynot.core.deltas import NONE
from wynot.core.verdict import Verdict
from wynot.inquiries.packages.answer import lines, worded
from wynot.inquiries.packages.circumstance import Upgrades
from wynot.inquiries.packages.lock_file import LockFile, Pins, Table
from wynot.inquiries.packages.npm.npm_lock import is_within, read_package_lock

Entry = Mapping[str, Any]
SAMPLES = Path(__file__).parents[4] / "samples" / "packages-npm"


def lock(asked: str, places: Mapping[str, Entry]) -> LockFile:
    """Return a lock file; a place is written ``outer > inner``."""
    packages = {
        "node_modules/" + place.replace(" > ", "/node_modules/"): entry
        for place, entry in places.items()
    }
    root = {"dependencies": dict.fromkeys(asked.split(), "*")}
    top = {"lockfileVersion": 3, "packages": {"": root, **packages}}
    return read_package_lock(Path("package-lock.json"), Table(top, "lock"))


def at(version: str, peers: Mapping[str, str] | None = None, **needs: str) -> dict[str, Any]:
    ranges = {name.replace("_", "-"): wanted for name, wanted in needs.items()}
    found: dict[str, Any] = {"version": version, "dependencies": ranges}
    return {**found, "peerDependencies": dict(peers)} if peers else found


def shown(pins: Pins) -> dict[str, str]:
    return {pin.name.replace("/node_modules/", " > "): pin.version for pin in pins}


def mixed(upgrades: Upgrades, *names: str) -> dict[str, str]:
    return shown(upgrades.chosen(upgrades.deltas_of({*names})))


def found_by(pins: Pins, place: str, name: str) -> str | None:
    """Return the version that Node finds from a place, looking further and further out."""
    versions = {pin.name: pin.version for pin in pins}
    while True:
        version = versions.get(f"{place}/node_modules/{name}" if place else name)
        if version or not place:
            return version
        place = place.rpartition("/node_modules/")[0]


def unmet(pins: Pins) -> list[str]:
    """Return what does not fit: npm would refuse it."""
    return [
        f"{pin.name} needs {name}@{wanted}"
        for pin in pins
        for name, wanted in json.loads(pin.sealed).get("dependencies", {}).items()
        if not is_within(found_by(pins, pin.name, name) or "", wanted)
    ]


@pytest.fixture
def two() -> Upgrades:
    """Return two trees in which an inner package has moved, since another version came."""
    return Upgrades(
        lock(
            "yaml lint",
            {"yaml": at("3.0.0"), "lint": at("1.0.0", yaml="^3.0.0", log="*"), "log": at("1.0.0")},
        ),
        lock(
            "yaml lint",
            {
                "yaml": at("4.0.0"),
                "lint": at("1.1.0", yaml="^3.0.0", log="*"),
                "lint > yaml": at("3.0.0"),
                "log": at("1.0.0"),
            },
        ),
    )


def test_where_a_package_lies_is_no_change(two: Upgrades) -> None:
    assert sorted(lines(two, two.deltas)) == ["lint 1.0.0 → 1.1.0", "yaml 3.0.0 → 4.0.0"]


def test_a_tree_has_room_for_both_versions(two: Upgrades) -> None:
    inside = {"lint > yaml": "3.0.0", "yaml": "4.0.0", "log": "1.0.0"}
    assert mixed(two) == {"yaml": "3.0.0", "lint": "1.0.0", "log": "1.0.0"}
    assert mixed(two, "lint") == {"yaml": "3.0.0", "lint": "1.1.0", "log": "1.0.0"}
    assert mixed(two, "yaml") == {**inside, "lint": "1.0.0"}
    assert mixed(two, "yaml", "lint") == {**inside, "lint": "1.1.0"}


def test_what_is_direct_for_is_so_in_all_mixtures(two: Upgrades) -> None:
    asked = {pin.name for pin in two.chosen(two.deltas_of({"yaml"})) if pin.role == "direct"}
    assert asked == {"yaml", "lint"}


def test_a_package_brings_along_what_it_cannot_do_without() -> None:
    upgrades = Upgrades(
        lock("app", {"app": at("1.0.0", dep="^1.0.0"), "dep": at("1.0.0")}),
        lock("app", {"app": at("2.0.0", dep="^2.0.0"), "dep": at("2.0.0")}),
    )
    assert mixed(upgrades, "app") == {"app": "2.0.0", "dep": "2.0.0"}
    assert mixed(upgrades, "dep") == mixed(upgrades)  # nobody could use it
    told = lines(upgrades, upgrades.deltas)
    assert told == ["dep 1.0.0 → 2.0.0 (brought by app 1.0.0 → 2.0.0)", "app 1.0.0 → 2.0.0"]


def test_what_only_one_version_needs_comes_and_goes_with_it() -> None:
    upgrades = Upgrades(
        lock("app", {"app": at("1.0.0", old="*"), "old": at("1.0.0")}),
        lock("app", {"app": at("2.0.0", new="*"), "new": at("1.0.0")}),
    )
    assert mixed(upgrades, "app") == {"app": "2.0.0", "new": "1.0.0"}
    assert mixed(upgrades, "old", "new") == {"app": "1.0.0", "old": "1.0.0"}


def test_peers_go_together() -> None:
    def side(version: str) -> LockFile:
        plugins = {f"plugin-{at_}": at(version, {"host": f"^{version}"}) for at_ in "abc"}
        own = {"host": at(version), "other": at(version), "free": at(version, {"host": "*"})}
        return lock("host free other plugin-a plugin-b plugin-c", {**own, **plugins})

    upgrades = Upgrades(side("1.0.0"), side("2.0.0"))
    sizes = sorted(len(unit) for unit in upgrades.levels[-1].units)
    assert sizes == [1, 1, 4]
    versions = mixed(upgrades, "plugin-a")
    assert {name for name, version in versions.items() if version == "2.0.0"} == {
        *("host", "plugin-a", "plugin-b", "plugin-c"),
    }

    def test(pins: Pins) -> Verdict:
        bad = any((pin.name, pin.version) == ("host", "2.0.0") for pin in pins)
        return Verdict.INTERESTING if bad else Verdict.UNINTERESTING

    told = questioned(upgrades, test)
    assert told.cause == told.cure == {"host", "plugin-a", "plugin-b", "plugin-c"}
    text = [line.text for line in worded(upgrades, "cause", upgrades.deltas_of(told.cause)).lines]
    assert text[-1] == "host, plugin-a, plugin-b and plugin-c can only be installed together"


def js_yaml() -> Upgrades:
    """Return 46 upgrades, of which one breaks a program; many others need it as it was."""

    def side(major: int) -> LockFile:
        places: dict[str, Entry] = {"js-yaml": at(f"{major + 2}.0.0")}
        for number in range(9):
            name, version = f"tool{number}", f"{major}.{number}.0"
            inner = {f"{name}-{part}": f"^{version}" for part in range(4)}
            shared = {"js-yaml": "^3.0.0"} if number % 2 else {}
            places[name] = {"version": version, "dependencies": {**inner, **shared}}
            places |= {each: at(version) for each in inner}
            if shared and major > 1:
                places[f"{name} > js-yaml"] = at("3.0.0")
        return lock("js-yaml " + " ".join(f"tool{number}" for number in range(9)), places)

    return Upgrades(side(1), side(2))


def fails_with(*guilty: str) -> Any:
    def test(pins: Pins) -> Verdict:
        assert not unmet(pins)
        versions = {(pin.name, pin.version) for pin in pins}
        wanted = {(each.partition("@")[0], each.partition("@")[2]) for each in guilty}
        return Verdict.INTERESTING if wanted <= versions else Verdict.UNINTERESTING

    return test


def test_the_one_of_46_upgrades_that_breaks_it_is_named() -> None:
    upgrades = js_yaml()
    assert len(upgrades.changes) == 46
    told = questioned(upgrades, fails_with("js-yaml@4.0.0"))
    assert told.cause == told.cure == {"js-yaml"}
    assert (told.tests <= 12, told.refused) == (True, 0)


def test_a_pair_is_found_as_a_pair() -> None:
    told = questioned(js_yaml(), fails_with("js-yaml@4.0.0", "tool7@2.7.0"))
    assert told.cause == {"js-yaml", "tool7"}
    assert len(told.cure) == 1
    assert told.tests <= 20


def test_what_is_below_cannot_be_told_from_what_alone_can_bring_it() -> None:
    told = questioned(js_yaml(), fails_with("tool5-2@2.5.0"))
    assert told.cause == told.cure == {"tool5"}


def test_what_is_below_is_named_with_what_brings_it() -> None:
    def side(version: str, inner: str) -> LockFile:
        others = {f"x{at_}": at(version, deep="*") for at_ in range(20)}
        return lock(" ".join(others), {**others, "deep": at(inner)})

    upgrades = Upgrades(side("1.0.0", "1.0.0"), side("2.0.0", "1.0.1"))
    told = questioned(upgrades, fails_with("deep@1.0.1"))
    assert told.cause == told.cure == {"deep"}
    (line,) = lines(upgrades, upgrades.deltas_of(told.cause))
    assert line == (
        "deep 1.0.0 → 1.0.1 (brought by x0 1.0.0 → 2.0.0, x1 1.0.0 → 2.0.0 and 18 more)"
    )


NAMES = "abcde"
majors = st.dictionaries(st.sampled_from(NAMES), st.sampled_from([1, 2]), min_size=1)
ranges = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(["*", "^1.0.0", "^2.0.0"]))
shelves = st.fixed_dictionaries({(name, major): ranges for name in NAMES for major in (1, 2)})
Shelf = Mapping[tuple[str, int], Mapping[str, str]]


def laid(tree: Mapping[str, int], shelf: Shelf) -> LockFile:
    """Return a tree in which whoever cannot use what is outside has a leaf of its own inside."""
    places: dict[str, Entry] = {}
    for name, major in tree.items():
        needs = shelf[name, major]
        places[name] = {"version": f"{major}.0.0", "dependencies": needs}
        for each, wanted in needs.items():
            if each not in tree or not is_within(f"{tree[each]}.0.0", wanted):
                places[f"{name} > {each}"] = at("2.5.0" if wanted == "^2.0.0" else "1.5.0")
    return lock(" ".join(tree), places)


@given(shelves, majors, majors, st.sets(st.sampled_from(NAMES)))
def test_every_mixture_is_complete_and_fits(
    shelf: Shelf, good: Mapping[str, int], bad: Mapping[str, int], names: set[str]
) -> None:
    upgrades = Upgrades(laid(good, shelf), laid(bad, shelf))
    assert not unmet(upgrades.chosen(upgrades.deltas_of(names)))


def test_the_sides_are_as_npm_has_laid_them_out() -> None:
    sides = [SAMPLES / side / "package-lock.json" for side in ("good", "bad")]
    locks = [
        read_package_lock(path, Table(json.loads(path.read_text()), str(path))) for path in sides
    ]
    upgrades = Upgrades(locks[0], locks[1])
    assert upgrades.chosen(NONE) == Pins(locks[0].pins.values())
    assert upgrades.chosen(upgrades.deltas) == Pins(locks[1].pins.values())


def test_circles_missing_entries_and_needs_of_oneself() -> None:
    def side(version: str) -> LockFile:
        return lock(
            "a",
            {
                "a": at(version, b="*", a="*", missing="^1.0.0"),
                "b": at(version, c="*"),
                "c": at(version, a="*"),
                "stray": at(version),
            },
        )

    upgrades = Upgrades(side("1.0.0"), side("2.0.0"))
    assert mixed(upgrades, "b") == {"a": "1.0.0", "b": "2.0.0", "c": "1.0.0"}


def test_versions_that_call_for_each_other_for_ever_end_somewhere() -> None:
    good = lock(
        "a",
        {
            "a": at("1.0.0", b="2.0.0"),
            "b": at("2.0.0", a="2.0.0"),
            "b > a": at("2.0.0", b="1.0.0"),
            "b > a > b": at("1.0.0", a="1.0.0"),
        },
    )
    upgrades = Upgrades(good, lock("a new", {"a": at("3.0.0"), "new": at("1.0.0")}))
    assert len(mixed(upgrades, "new")) < 100


def test_what_comes_in_an_archive_stays_with_it() -> None:
    def side(version: str) -> LockFile:
        inner = {**at("1.0.0"), "inBundle": True}
        return lock(
            "a b",
            {
                "a": {**at(version, c="*"), "bundleDependencies": ["c"]},
                "a > c": inner,
                "a > c > d": inner,
                "b": at(version),
            },
        )

    upgrades = Upgrades(side("1.0.0"), side("2.0.0"))
    assert sorted(upgrades.names(upgrades.deltas)) == ["a", "b"]
    assert mixed(upgrades, "a") == {
        "a": "2.0.0", "a > c": "1.0.0", "a > c > d": "1.0.0", "b": "1.0.0"
    }  # fmt: skip


def test_aliases_and_addresses_are_found_under_the_name_of_their_folder() -> None:
    def side(version: str, commit: str) -> LockFile:
        place = {"version": "1.0.0", "resolved": f"git+ssh://git@h/r.git#{commit}"}
        return lock(
            "a",
            {
                "a": at(version, alias=f"npm:real@^{version}", place="git+ssh://git@h/r.git"),
                "alias": {"version": version, "name": "real"},
                "place": place,
            },
        )

    upgrades = Upgrades(side("1.0.0", "1234"), side("2.0.0", "5678"))
    versions = mixed(upgrades, "a")
    assert versions == {"a": "2.0.0", "alias": "2.0.0", "place": "1.0.0"}
    (place,) = (pin for pin in upgrades.chosen(upgrades.deltas_of({"a"})) if pin.name == "place")
    assert place.spec.endswith("#5678")  # no range: what the new one was locked with


def test_optional_peers_are_not_brought_along() -> None:
    peer = {"peerDependencies": {"b": "*"}, "peerDependenciesMeta": {"b": {"optional": True}}}
    upgrades = Upgrades(
        lock("a", {"a": at("1.0.0")}), lock("a b", {"a": {**at("2.0.0"), **peer}, "b": at("1.0.0")})
    )
    assert mixed(upgrades, "a") == {"a": "2.0.0"}


def test_entries_of_the_wrong_kind_need_nothing() -> None:
    odd = {"version": "2.0.0", "dependencies": [1], "peerDependencies": {"b": 1}, "requires": True}
    upgrades = Upgrades(lock("a", {"a": at("1.0.0")}), lock("a", {"a": odd}))
    assert mixed(upgrades, "a") == {"a": "2.0.0"}


def test_old_lock_files_tell_what_packages_require() -> None:
    def side(version: str) -> LockFile:
        top = {
            "lockfileVersion": 1,
            "dependencies": {
                "a": {
                    "version": version,
                    "requires": {"b": "^1.0.0"},
                    "dependencies": {"b": {"version": "1.0.0"}},
                },
                "b": {"version": f"{version[0]}.5.0"},
            },
        }
        return read_package_lock(Path("package-lock.json"), Table(top, "lock"))

    upgrades = Upgrades(side("1.0.0"), side("2.0.0"))
    assert mixed(upgrades, "a") == {"a": "2.0.0", "b": "1.5.0"}
    assert mixed(upgrades, "b") == {"a": "1.0.0", "a > b": "1.0.0", "b": "2.5.0"}
