"""What is told of upgrades: a line for each, and files that can be installed from."""

import json
from collections.abc import Sequence

from wynot.circumstances.packages.circumstances import Upgrade, Upgrades
from wynot.circumstances.packages.names import masked
from wynot.circumstances.packages.node_files import lock_text, package_json
from wynot.circumstances.packages.package_lock import display
from wynot.core.deltas import Deltas


def line(upgrade: Upgrade) -> str:
    """Return an upgrade in words: ``requests 2.31.0 → 2.32.0``, ``+ idna 3.7``, ``- six 1.16``."""
    name = masked(display(upgrade.name))
    if upgrade.good is None and upgrade.bad is not None:
        return f"+ {name} {upgrade.bad.shown}"
    if upgrade.good is not None and upgrade.bad is None:
        return f"- {name} {upgrade.good.shown}"
    good, bad = upgrade.good, upgrade.bad
    if good is None or bad is None:
        raise ValueError(f"{name} is on neither side")
    if good.shown == bad.shown:  # the same version under another marker, or with other extras
        return f"{name}: {_spelled(good.spec)} → {_spelled(bad.spec)}"
    return f"{name} {good.shown} → {bad.shown}"


def lines(upgrades: Upgrades, deltas: Deltas) -> list[str]:
    """Return a line for each of these changes."""
    return [line(upgrades.changes[index]) for index in deltas]


def failing_files(upgrades: Upgrades, cause: Deltas) -> dict[str, str]:
    """Return files of the good packages with only these upgrades: they show the failure."""
    return _files(upgrades, cause, "the good packages, with only what breaks them")


def cured_files(upgrades: Upgrades, cure: Deltas) -> dict[str, str]:
    """Return files of the bad packages with these upgrades held back: they pass."""
    kept = upgrades.deltas.toggle(cure)
    return _files(upgrades, kept, "the new packages, with what breaks them held back")


def _files(upgrades: Upgrades, kept: Deltas, title: str) -> dict[str, str]:
    """Return what can be installed from, by name: passwords of indexes are left out."""
    pins = upgrades.pins(kept)
    if upgrades.bad.ecosystem == "node":
        root = json.dumps(package_json(pins, {}), indent=2)
        return {
            "package.json": masked(f"{root}\n"),
            "package-lock.json": masked(lock_text(pins, upgrades.bad.kind)),
        }
    names = dict.fromkeys((*upgrades.good.pins, *upgrades.bad.pins))
    order = {name: at for at, name in enumerate(names)}
    ordered = sorted(pins, key=lambda pin: order[pin.name])
    options = dict.fromkeys((*upgrades.good.options, *upgrades.bad.options))
    asked = [pin.sealed or pin.spec for pin in ordered if pin.role == "asked"]
    bound = [pin.spec for pin in ordered if pin.role == "bound"]
    head = [f"# {title}", *(option.line for option in options)]
    if not bound:
        return {"requirements.txt": _joined([*head, *asked])}
    # Not all that is locked is needed on every system: the installer chooses.
    return {
        "requirements.txt": _joined([*head, "-c constraints.txt", *asked]),
        "constraints.txt": _joined([f"# {title}", *bound]),
    }


def _joined(lines: Sequence[str]) -> str:
    return masked("\n".join([*lines, ""]))


def _spelled(spec: str) -> str:
    return masked(spec).replace("\n", ", ")
