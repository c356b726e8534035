"""The two files of a candidate for npm: a lock file with entries of both sides, and its root.

``npm ci`` installs exactly what a lock file says, and refuses one whose packages do not fit each
other. That is what is wanted of a candidate; ``npm install`` would mend it by taking in versions
that are on neither side.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from wynot.circumstances.packages.circumstances import Pins
from wynot.circumstances.packages.locked import Pin
from wynot.circumstances.packages.package_lock import MODULES, is_old

_NAME = "candidate"


def package_json(pins: Pins, overrides: Mapping[str, object]) -> dict[str, Any]:
    """Return the root: what the project asks for, in exactly the candidate's versions."""
    groups: dict[str, dict[str, str]] = {"dependencies": {}, "optionalDependencies": {}}
    for pin in sorted(pins):
        if pin.role == "asked":
            entry = json.loads(pin.sealed)
            kind = "optionalDependencies" if entry.get("optional") is True else "dependencies"
            groups[kind][pin.name] = _wanted(pin, entry)
    asked = {pin.name for pin in pins if pin.role == "asked"}
    # npm refuses an override of what is asked for directly in another version.
    kept = {name: value for name, value in overrides.items() if name not in asked}
    return {"name": _NAME, "version": "0.0.0", "private": True, **groups, "overrides": kept}


def lock_text(pins: Pins, kind: str) -> str:
    """Return the lock file."""
    entries = {pin.name: json.loads(pin.sealed) for pin in sorted(pins)}
    root = package_json(pins, {})
    head = {"name": _NAME, "version": "0.0.0", "requires": True}
    if is_old(kind):
        body = {"lockfileVersion": 1, **head, "dependencies": _nested(entries)}
    else:
        of_root = {key: value for key, value in root.items() if key.lower().endswith("cies")}
        packages = {"": {"name": _NAME, "version": "0.0.0", **of_root}}
        packages |= {f"{MODULES}{name}": entry for name, entry in entries.items()}
        body = {"lockfileVersion": 3, **head, "packages": packages}
    return json.dumps(body, indent=2) + "\n"


def _wanted(pin: Pin, entry: Mapping[str, object]) -> str:
    """Return the exact version, or the place; an alias is of another name than its folder."""
    if not pin.version or pin.spec != pin.version:
        return pin.spec
    real = entry.get("name")
    return f"npm:{real}@{pin.version}" if isinstance(real, str) else pin.version


def _nested(entries: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Return entries as the old format has them: inner packages inside of outer ones."""
    top: dict[str, Any] = {}
    for name, entry in sorted(entries.items(), key=lambda each: each[0].count(MODULES)):
        *outer, last = name.split(f"/{MODULES}")
        place = top
        for each in outer:
            place = place[each].setdefault("dependencies", {})
        place[last] = entry
    return top


def overrides_of(texts: Iterable[str]) -> dict[str, object]:
    """Return the overrides of the first package.json that has any."""
    for text in texts:
        try:
            top = json.loads(text)
        except (ValueError, RecursionError):
            continue  # it is beside the lock file, and may be anything
        found = top.get("overrides") if isinstance(top, dict) else None
        if isinstance(found, dict):
            return found
    return {}
