"""Which upgrade needs which other one, by what installed packages say."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from unit.inquiries.packages.questioning import questioned, read_pair
from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import LoneSandbox
from wynot.core.verdict import Verdict
from wynot.inquiries.packages.answer import worded
from wynot.inquiries.packages.circumstance import Upgrades
from wynot.inquiries.packages.lock_file import Pins
from wynot.inquiries.packages.python.declared_needs import DeclaredNeeds, declared
from wynot.inquiries.packages.python.python_installers import PythonSite

Shelf = Mapping[str, tuple[str, ...]]
"""``name==version``, and what it needs."""


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    made = LoneSandbox()
    yield made
    made.close()


@pytest.fixture
def known(tmp_path: Path, sandbox: Sandbox) -> Callable[[Shelf, Shelf], Upgrades]:
    """Return what makes upgrades of two sides that look as if they had been installed."""

    def make(good: Shelf, bad: Shelf) -> Upgrades:
        for side, shelf in (("good", good), ("bad", bad)):
            (tmp_path / f"{side}.txt").write_text("\n".join(shelf))
        upgrades = Upgrades(*read_pair(tmp_path / "good.txt", tmp_path / "bad.txt"))
        needs = DeclaredNeeds(upgrades.good, upgrades.bad)
        for lock, shelf in ((upgrades.good, good), (upgrades.bad, bad)):
            site = PythonSite(sandbox, tmp_path / lock.path.stem)
            for spec, lines in shelf.items():
                install(site.environment, spec, *lines)
            binary = site.environment / "bin"
            binary.mkdir()
            (binary / "python").write_text('#!/bin/sh\nexec python3 "$@"\n')
            (binary / "python").chmod(0o755)
            assert needs.kinship is None
            needs.note(Pins(lock.pins.values()), site)
        return Upgrades(upgrades.good, upgrades.bad, needs.kinship)

    return make


def install(environment: Path, spec: str, *needs: str) -> None:
    head, _, version = spec.partition("==")
    name = head.partition("[")[0]
    folder = environment / "lib" / "python3.11" / "site-packages" / f"{name}-{version}.dist-info"
    folder.mkdir(parents=True)
    lines = [f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {each}" for each in needs)]
    (folder / "METADATA").write_text("\n".join(["Metadata-Version: 2.1", *lines, "", "Text."]))


def installable(*shelves: Shelf) -> Callable[[Pins], bool]:
    """Return what tells whether packages fit each other."""
    needs = {spec: [Requirement(line) for line in lines] for shelf in shelves
             for spec, lines in shelf.items()}  # fmt: skip

    def fits(pins: Pins) -> bool:
        versions = {pin.name: pin.version for pin in pins}
        return all(
            need.name in versions and need.specifier.contains(versions[need.name], prereleases=True)
            for pin in pins
            for need in needs[pin.spec]
        )

    return fits


def along(upgrades: Upgrades, name: str) -> list[str]:
    return sorted(upgrades.names(upgrades.along(upgrades.deltas_of({name}))))


def test_an_upgrade_needs_another_from_either_side(
    known: Callable[[Shelf, Shelf], Upgrades],
) -> None:
    upgrades = known(
        {"app==1": ("dep<2",), "dep==1": (), "free==1": ("dep",), "gone==1": ()},
        {"app==2": ("dep",), "dep==2": ("new>=1",), "free==2": ("dep",), "new==1": ()},
    )
    assert along(upgrades, "dep") == ["app", "new"]  # the old app cannot do with the new dep
    assert along(upgrades, "app") == []
    assert along(upgrades, "free") == []
    held = upgrades.held_back
    assert sorted(held.names(held.along(held.deltas_of({"app"})))) == ["dep"]
    names = upgrades.names(upgrades.deltas)
    assert names.index("app") < names.index("dep")
    assert names.index("new") < names.index("dep")


def test_what_an_upgrade_drops_stays_while_something_needs_it(
    known: Callable[[Shelf, Shelf], Upgrades],
) -> None:
    upgrades = known({"app==1": ("six",), "six==1": ()}, {"app==2": ()})
    assert along(upgrades, "six") == ["app"]


@pytest.mark.parametrize(
    ("line", "needed"),
    [
        ("dep>=2", ["dep"]),
        ("dep[fast]>=2 ; python_version >= '3'", ["dep"]),
        ("dep>=2 ; python_version < '3'", []),
        ("dep>=2 ; sys_platform == 'none'", []),
        ("dep>=2 ; extra == 'unasked'", []),
        ("dep>=2 ; extra == 'web'", ["dep"]),
        ("dep @ https://example.org/dep.whl", []),
        ("dep >= what", []),
        ("dep>=2 ; nonsense == 'x'", []),
        ("elsewhere>=2", []),
        ("app>=2", []),
    ],
)
def test_only_what_applies_is_needed(
    known: Callable[[Shelf, Shelf], Upgrades], line: str, needed: list[str]
) -> None:
    upgrades = known({"app[web]==1": (), "dep==1": ()}, {"app[web]==2": (line,), "dep==2": ()})
    assert along(upgrades, "app") == needed


def test_metadata_may_be_anything(tmp_path: Path) -> None:
    folder = tmp_path / "lib" / "python3.11" / "site-packages"
    for name, content in {
        "a-1": b"\xff\xfe\x00",
        "b-1": b"",
        "c-1": b"Name: c\nRequires-Dist: \nRequires-Dist: " + b"(" * 10_000 + b"\nVersion: 1\n",
    }.items():
        (folder / f"{name}.dist-info").mkdir(parents=True)
        (folder / f"{name}.dist-info" / "METADATA").write_bytes(content)
    (folder / "d-1.dist-info" / "METADATA").mkdir(parents=True)
    assert declared(tmp_path)["c"] == ("1", ())


def family(version: str) -> Shelf:
    """Return nine packages that pin each other in a circle, and forty others."""
    circle = [f"otel-{at}" for at in range(9)]
    nine = {
        f"{name}=={version}": (f"{other}=={version}",)
        for name, other in zip(circle, circle[1:] + circle[:1], strict=True)
    }
    return {**nine, **{f"x{at}=={version}": () for at in range(40)}}


def test_a_family_of_nine_is_found_as_one(known: Callable[[Shelf, Shelf], Upgrades]) -> None:
    upgrades = known(family("1"), family("2"))
    fits = installable(family("1"), family("2"))

    def test(pins: Pins) -> Verdict:
        if not fits(pins):
            return Verdict.UNRESOLVED
        bad = any(pin.spec == "otel-3==2" for pin in pins)
        return Verdict.INTERESTING if bad else Verdict.UNINTERESTING

    told = questioned(upgrades, test)
    assert told.cause == told.cure == {f"otel-{at}" for at in range(9)}
    assert told.refused == 0
    assert told.tests <= 12
    said = worded(upgrades, "cause", upgrades.deltas_of(told.cause))
    assert said.title == "9 upgrades of 49 make it fail:"
    assert said.lines[-1].text.endswith("otel-7 and otel-8 can only be installed together")


def test_a_pair_is_found_and_what_comes_along_is_told_apart(
    known: Callable[[Shelf, Shelf], Upgrades],
) -> None:
    good = {"web==1": ("io<2",), "io==1": (), "client==1": ("io",),
            **{f"x{at}==1": () for at in range(30)}}  # fmt: skip
    bad = {"web==2": ("io>=2",), "io==2": (), "client==2": ("io",),
           **{f"x{at}==2": () for at in range(30)}}  # fmt: skip
    upgrades, fits = known(good, bad), installable(good, bad)

    def test(pins: Pins) -> Verdict:
        specs = {pin.spec for pin in pins}
        if not fits(pins):
            return Verdict.UNRESOLVED
        return Verdict.INTERESTING if {"x7==2", "client==2"} <= specs else Verdict.UNINTERESTING

    told = questioned(upgrades, test)
    assert told.cause == {"x7", "client"}
    assert len(told.cure) == 1
    assert (told.refused, told.tests <= 20) == (0, True)
