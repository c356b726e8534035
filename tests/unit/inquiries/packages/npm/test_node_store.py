"""The store of unpacked packages, without npm."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from wynot.inquiries.packages.lock_file import Pin, Pins
from wynot.inquiries.packages.npm.node_environments import RECORD, NodeStore

PACKAGES: dict[str, dict[str, Any]] = {
    "tool": {"version": "1.0.0", "bin": {"say": "bin/say.js"}},
    "@my/core": {"version": "2.0.0", "bin": {"core": "main.js"}},
    "tool/node_modules/core": {"version": "1.0.0", "bin": {"core": "main.js", "gone": "no.js"}},
}


def pins(packages: dict[str, dict[str, Any]]) -> Pins:
    return Pins(
        Pin(name, entry["version"], entry["version"], json.dumps(entry), "bound")
        for name, entry in packages.items()
    )


def unpacked(folder: Path, packages: dict[str, dict[str, Any]]) -> Path:
    """Make a node_modules as npm leaves it, without links to programs."""
    for name, entry in packages.items():
        place = folder / name
        (place / "bin").mkdir(parents=True)
        (place / "main.js").write_text(f"{name} {entry['version']}")
        (place / "bin" / "say.js").write_text("say")
        (place / "index.js").symlink_to("main.js")
    noted = {f"node_modules/{name}": entry for name, entry in packages.items()}
    (folder / RECORD).write_text(json.dumps({"packages": noted}))
    return folder


def listed(folder: Path) -> dict[str, str]:
    """Return all files and links below a folder, with what they hold or lead to."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[str(path.relative_to(folder))] = f"→ {path.readlink()}"
        elif path.is_file() and path.name != RECORD:
            found[str(path.relative_to(folder))] = path.read_text()
    return found


@pytest.fixture
def store(tmp_path: Path) -> NodeStore:
    made = NodeStore(tmp_path / "store")
    made.take_in(unpacked(tmp_path / "first", PACKAGES), pins(PACKAGES))
    return made


def test_a_folder_is_put_together_by_links_and_with_its_programs(
    store: NodeStore, tmp_path: Path
) -> None:
    second = tmp_path / "second"
    assert store.lay_out(second, pins(PACKAGES))
    assert listed(second) == {
        **listed(tmp_path / "first"),
        ".bin/say": "→ ../tool/bin/say.js",
        ".bin/core": "→ ../@my/core/main.js",
        "tool/node_modules/.bin/core": "→ ../core/main.js",
    }
    assert (second / "tool" / "main.js").samefile(tmp_path / "first" / "tool" / "main.js")
    assert store.matches(second, pins(PACKAGES))


def test_a_package_is_the_same_wherever_it_is_put(store: NodeStore, tmp_path: Path) -> None:
    moved = {"core": PACKAGES["tool/node_modules/core"]}
    assert store.lay_out(tmp_path / "second", pins(moved))
    assert (tmp_path / "second" / "core" / "main.js").read_text() == "tool/node_modules/core 1.0.0"
    assert not store.lay_out(tmp_path / "second", pins({"core": {"version": "3.0.0"}}))


def test_what_a_test_has_written_to_is_neither_kept_nor_shared_again(
    store: NodeStore, tmp_path: Path
) -> None:
    second, third = tmp_path / "second", tmp_path / "third"
    assert store.lay_out(second, pins(PACKAGES))
    with (second / "tool" / "main.js").open("a") as file:
        file.write("changed")
    assert not store.matches(second, pins(PACKAGES))
    assert not store.lay_out(third, pins(PACKAGES))
    store.take_in(unpacked(tmp_path / "anew", PACKAGES), pins(PACKAGES))
    assert store.lay_out(third, pins(PACKAGES))
    assert listed(third)["tool/main.js"] == "tool 1.0.0"
    assert {path.stat().st_nlink for path in third.rglob("main.js")} == {1}


def test_packages_with_scripts_are_never_shared(tmp_path: Path) -> None:
    built = {"native": {"version": "1.0.0", "hasInstallScript": True}}
    store, second = NodeStore(tmp_path / "store"), tmp_path / "second"
    store.take_in(unpacked(tmp_path / "first", built), pins(built))
    assert store.needs_building(pins(built))
    assert store.lay_out(second, pins(built))
    os.truncate(second / "native" / "main.js", 0)
    assert store.matches(second, pins(built))  # as its scripts have left it
    assert store.lay_out(second, pins(built))
    assert (second / "native" / "main.js").read_text() == "native 1.0.0"


def test_what_is_not_for_this_system_is_left_out(tmp_path: Path) -> None:
    everywhere = {"tool": PACKAGES["tool"]}
    elsewhere = {"mac": {"version": "1.0.0", "optional": True}}
    store = NodeStore(tmp_path / "store")
    both = pins({**everywhere, **elsewhere})
    store.take_in(unpacked(tmp_path / "first", everywhere), both)
    assert store.lay_out(tmp_path / "second", both)
    assert not (tmp_path / "second" / "mac").exists()


@pytest.mark.parametrize(
    "programs", ["say.js", {"../say": "main.js"}, {"say": "../other"}, {"say": "/bin/sh"}]
)
def test_programs_that_lead_elsewhere_are_left_to_npm(tmp_path: Path, programs: object) -> None:
    odd = {"tool": {"version": "1.0.0", "bin": programs}}
    store = NodeStore(tmp_path / "store")
    store.take_in(unpacked(tmp_path / "first", odd), pins(odd))
    assert not store.lay_out(tmp_path / "second", pins(odd))
    assert not (tmp_path / "second").exists()


def test_two_programs_of_one_name_are_left_to_npm(tmp_path: Path) -> None:
    twice = {each: {"version": "1.0.0", "bin": {"say": "main.js"}} for each in ("one", "two")}
    store = NodeStore(tmp_path / "store")
    store.take_in(unpacked(tmp_path / "first", twice), pins(twice))
    assert not store.lay_out(tmp_path / "second", pins(twice))
