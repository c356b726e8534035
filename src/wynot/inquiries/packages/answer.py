"""What is told of upgrades: a line for each, and files that can be installed from."""

import json

from wynot.core.deltas import Deltas
from wynot.core.events import Shown
from wynot.core.options.quantities import counted, listed, some_of
from wynot.core.system.user_folders import masked
from wynot.inquiries.packages.circumstance import Upgrades
from wynot.inquiries.packages.mixture import Upgrade
from wynot.inquiries.packages.npm.npm_lock import lock_text, package_json
from wynot.inquiries.worded import Worded

MAX_BRINGERS = 2
"""So many packages that bring another one are named before they are counted."""


def worded(upgrades: Upgrades, question: str, deltas: Deltas) -> Worded:
    """Word which upgrades make it fail, or are to be held back."""
    is_cause, found = question == "cause", lines(upgrades, deltas)
    along = lines(upgrades, upgrades.along(deltas))
    files = (failing_files if is_cause else cured_files)(upgrades, deltas)
    one = len(found) == 1
    what = f"{counted(len(found), 'upgrade')} of {len(upgrades.changes)}"
    title = (
        f"{what} {'makes' if one else 'make'} it fail:"
        if is_cause
        else f"it passes with all upgrades but {'this' if one else 'these'}:"
    )
    them = "it" if one else "them"
    head = f"needed by {them}:" if is_cause else f"to be held back with {them}:"
    besides = ["", *_together(upgrades, deltas), *([head, *along] if along else [])]
    return Worded(
        title,
        tuple(map(Shown, [*found, *(besides if len(besides) > 1 else [])])),
        {"packages": found, "along": along, "files": files},
        {
            f"{question}/{name}": text.encode("utf-8", "surrogateescape")
            for name, text in files.items()
        },
    )


def _together(upgrades: Upgrades, deltas: Deltas) -> list[str]:
    """Say which of these cannot be told apart."""
    families = [
        [masked(upgrades.changes[index].name) for index in unit]
        for unit in upgrades.levels[-1].units
        if len(unit) > 1 and deltas.holds(unit)
    ]
    return [f"{listed(names)} can only be installed together" for names in families]


def lines(upgrades: Upgrades, deltas: Deltas) -> list[str]:
    """Return changes in words: ``requests 2.31.0 → 2.32.0``, ``+ idna 3.7``, ``- six 1.16``.

    What the project does not ask for is told with what brings it.
    """
    changes = {each.name: each for each in upgrades.changes}
    upgraded = []
    for index in deltas:
        upgrade = upgrades.changes[index]
        names = upgrades.mixture.kinship.bringers(upgrade.name)
        names.sort(key=lambda name: name not in changes)  # what did not change is not to blame
        bringers = [_line(changes[name]) if name in changes else masked(name) for name in names]
        by = f" (brought by {some_of(bringers, MAX_BRINGERS)})" if bringers else ""
        upgraded.append(f"{_line(upgrade)}{by}")
    return upgraded


def _line(upgrade: Upgrade) -> str:
    name, good, bad = upgrade
    name = masked(name)
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
    direct = [pin.sealed or pin.spec for pin in ordered if pin.role == "direct"]
    bound = [pin.spec for pin in ordered if pin.role == "bound"]
    head = [f"# {title}", *(option.line for option in options)]
    files = {"requirements.txt": [*head, *direct]}
    if bound:  # not all that is locked is needed on every system: the installer chooses
        files = {
            "requirements.txt": [*head, "-c constraints.txt", *direct],
            "constraints.txt": [f"# {title}", *bound],
        }
    return {name: masked("\n".join([*lines, ""])) for name, lines in files.items()}
