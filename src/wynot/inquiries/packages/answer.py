"""What is told of upgrades: a line for each, and files that can be installed from."""

import json

from wynot.core.deltas import Deltas
from wynot.core.events import Shown
from wynot.core.phrases import counted
from wynot.inquiries.packages.circumstance import Upgrade, Upgrades
from wynot.inquiries.packages.package_lock import display, lock_text, package_json
from wynot.inquiries.packages.package_names import masked
from wynot.inquiries.worded import Worded


def worded(upgrades: Upgrades, question: str, deltas: Deltas) -> Worded:
    """Word which upgrades make it fail, or are to be held back."""
    is_cause, found = question == "cause", lines(upgrades, deltas)
    files = (failing_files if is_cause else cured_files)(upgrades, deltas)
    what = counted(len(found), "upgrade")
    title = (
        f"{what} of {len(upgrades.changes)} {'makes' if len(found) == 1 else 'make'} it fail:"
        if is_cause
        else f"it passes with all upgrades but {'this' if len(found) == 1 else 'these'}:"
    )
    return Worded(
        title,
        tuple(Shown(line) for line in found),
        {"packages": found, "files": files},
        {
            f"{question}/{name}": text.encode("utf-8", "surrogateescape")
            for name, text in files.items()
        },
    )


def lines(upgrades: Upgrades, deltas: Deltas) -> list[str]:
    """Return changes in words: ``requests 2.31.0 → 2.32.0``, ``+ idna 3.7``, ``- six 1.16``."""
    return [_line(upgrades.changes[index]) for index in deltas]


def _line(upgrade: Upgrade) -> str:
    name, good, bad = upgrade
    name = masked(display(name))
    if good is None or bad is None:
        sides = {"-": good, "+": bad}
        return "".join(f"{sign} {name} {pin.shown}" for sign, pin in sides.items() if pin)
    if good.shown == bad.shown:  # the same version under another marker, or with other extras
        return masked(f"{name}: {good.spec} → {bad.spec}".replace("\n", ", "))
    return f"{name} {good.shown} → {bad.shown}"


def failing_files(upgrades: Upgrades, cause: Deltas) -> dict[str, str]:
    """Return files of the good packages with only these upgrades: they show the failure."""
    return _files(upgrades, cause, "the good packages, with only what breaks them")


def cured_files(upgrades: Upgrades, cure: Deltas) -> dict[str, str]:
    """Return files of the bad packages with these upgrades held back: they pass."""
    kept = upgrades.deltas.toggle(cure)
    return _files(upgrades, kept, "the new packages, with what breaks them held back")


def _files(upgrades: Upgrades, kept: Deltas, title: str) -> dict[str, str]:
    """Return what can be installed from, by name: passwords of indexes are left out."""
    pins = upgrades.chosen(kept)
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
    files = {"requirements.txt": [*head, *asked]}
    if bound:  # not all that is locked is needed on every system: the installer chooses
        files = {
            "requirements.txt": [*head, "-c constraints.txt", *asked],
            "constraints.txt": [f"# {title}", *bound],
        }
    return {name: masked("\n".join([*lines, ""])) for name, lines in files.items()}
