"""npm's package-lock.json: its packages, their tree, their ranges, and where each is put.

A lock file is read, and another is written for a candidate, with entries of both sides and a root
that asks for them. ``npm ci`` installs exactly what a lock file says, and refuses one whose
packages do not fit each other. A candidate needs that; ``npm install`` would repair it with
versions that are on neither side.

Of ranges only the question of lock files is answered: whether a version is in one. A tag, a URL or
a file is no range; the caller decides what that means.

Node looks for what a package needs in the ``node_modules`` folder inside of it, then in those of
the folders around it. So where a package lies is no property of it: the same ones can be laid out
in many ways. What counts is which package finds which, and that is all that is kept here. A package
is put as far out as can be, as npm does it, and further in where another version is in the way.
"""

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from wynot.core.errors import InvalidLockFile
from wynot.inquiries.packages import package_names
from wynot.inquiries.packages.lock_file import LockFile, Pin, Pins, Table

MODULES = "node_modules/"
_ASKED = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_OLD_VERSION, _NEWEST_VERSION = 1, 3
_OLD_KIND = "package-lock.json, version 1"  # what npm wrote until version 6
_MAX_DEPTH = 64
_ROOT: Mapping[str, Any] = {"name": "candidate", "version": "0.0.0"}


def read_package_lock(path: Path, top: Table) -> LockFile:
    """Return the packages that npm has locked, by their paths below node_modules."""
    form = top.values.get("lockfileVersion")
    if form not in range(_OLD_VERSION, _NEWEST_VERSION + 1):
        raise top.wrong("lockfileVersion", "1, 2 or 3")
    if form == _OLD_VERSION:
        entries = dict(_nested(top, ""))
        direct = set(top.table("dependencies").values)  # it does not tell what the project needs
    else:
        packages = top.table("packages")
        _refuse_workspaces(packages)
        entries = {place: packages.table(place) for place in packages.values if place}
        root = packages.table("")
        direct = {name for group in _ASKED for name in root.table(group).values}
    pins = {}
    for place, entry in entries.items():
        name = package_names.node_place_form(place, entry.where).removeprefix(MODULES)
        if name.count(MODULES) > _MAX_DEPTH:
            raise InvalidLockFile(
                f"{path}: packages are nested more than {_MAX_DEPTH} deep", hint="is it right?"
            )
        pins[name] = _pin(name, entry, is_direct=name in direct)
    return LockFile(path, _OLD_KIND if form == _OLD_VERSION else "package-lock.json", pins)


def _nested(table: Table, above: str) -> Iterator[tuple[str, Table]]:
    inner = table.table("dependencies")
    for name in inner.values:
        entry = inner.table(name)
        place = f"{above}{MODULES}{package_names.node_name_form(name, inner.where)}"
        own = {key: value for key, value in entry.values.items() if key != "dependencies"}
        yield place, Table(own, entry.where)
        yield from _nested(entry, f"{place}/")


def _refuse_workspaces(packages: Table) -> None:
    for place, entry in packages.values.items():
        is_link = isinstance(entry, Mapping) and entry.get("link") is True
        if place and (is_link or not place.startswith(MODULES)):
            name = package_names.shown_name(place)
            raise InvalidLockFile(
                f"{packages.where}: {name} is a folder of the project (a workspace)",
                hint="only packages of the registry can be compared; "
                "give the lock files of a project without workspaces",
            )


def _pin(name: str, entry: Table, *, is_direct: bool) -> Pin:
    version = entry.text("version", "")
    resolved = entry.text("resolved", "")
    is_place = resolved and not resolved.startswith(("https://", "http://"))
    if not package_names.version_form.fits(version):
        is_place, resolved = True, resolved or version
    spec = package_names.address_form(resolved, entry.where) if is_place else version
    version = version if package_names.version_form.fits(version) else ""
    sealed = json.dumps(entry.values, sort_keys=True)
    return Pin(name, version, spec, sealed, "direct" if is_direct else "bound")


def package_json(pins: Pins, overrides: Mapping[str, object]) -> dict[str, Any]:
    """Return the root: what the project asks for, in exactly the candidate's versions."""
    direct = {pin.name for pin in pins if pin.role == "direct"}
    # npm refuses an override of what is asked for directly in another version.
    kept = {name: value for name, value in overrides.items() if name not in direct}
    return {**_ROOT, "private": True, **_groups(pins), "overrides": kept}


def lock_text(pins: Pins, kind: str) -> str:
    """Return the lock file."""
    entries = {pin.name: json.loads(pin.sealed) for pin in sorted(pins)}
    head = {**_ROOT, "requires": True}
    if kind == _OLD_KIND:
        body = {"lockfileVersion": 1, **head, "dependencies": _inside(entries)}
    else:
        packages = {"": {**_ROOT, **_groups(pins)}}
        packages |= {f"{MODULES}{name}": entry for name, entry in entries.items()}
        body = {"lockfileVersion": 3, **head, "packages": packages}
    return json.dumps(body, indent=2) + "\n"


def _groups(pins: Pins) -> dict[str, dict[str, str]]:
    groups: dict[str, dict[str, str]] = {"dependencies": {}, "optionalDependencies": {}}
    for pin in sorted(pins):
        if pin.role == "direct":
            entry = json.loads(pin.sealed)
            kind = "optionalDependencies" if entry.get("optional") is True else "dependencies"
            groups[kind][pin.name] = _wanted(pin, entry)
    return groups


def _wanted(pin: Pin, entry: Mapping[str, object]) -> str:
    """Return the exact version, or the place; an alias is of another name than its folder."""
    if not pin.version or pin.spec != pin.version:
        return pin.spec
    real = entry.get("name")
    return f"npm:{real}@{pin.version}" if isinstance(real, str) else pin.version


def _inside(entries: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
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


_NUMBERS = r"[v=\s]*+(?P<major>\d{1,16}|[xX*])(?:\.(?P<minor>\d{1,16}|[xX*])"
_REST = r"(?:\.(?P<patch>\d{1,16}|[xX*]))?)?(?:-(?P<pre>[0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?"
_VERSION = re.compile(_NUMBERS + _REST, re.ASCII)
_BOUND = re.compile(rf"(?P<sign>[<>]=?|=|\^|~>?|){_NUMBERS}{_REST}(?=\s|$)", re.ASCII)
_HYPHEN = re.compile(r"(\S+)\s+-\s+(\S+)")
_MAX_CHARS = 1000
_LOWEST_PRE = ((0, 0, ""),)
"""The prerelease before all others, ``-0``: below it there is nothing of that version."""

Pre: TypeAlias = tuple[tuple[int, int, str], ...]


class NodeVersion(NamedTuple):
    """A version, so that earlier ones are smaller."""

    numbers: tuple[int, int, int]
    is_release: bool
    pre: Pre = ()


class Bound(NamedTuple):
    """One comparison."""

    sign: str
    version: NodeVersion

    def holds(self, version: NodeVersion) -> bool:
        """Tell whether a version is on the right side."""
        match self.sign:
            case "<":
                return version < self.version
            case "<=":
                return version <= self.version
            case ">":
                return version > self.version
            case ">=":
                return version >= self.version
        return version == self.version


class NotARange(Exception):
    """What is asked for is no range of versions."""


def is_within(version: str, wanted: str) -> bool | None:
    """Tell whether a version is in a range; None if one of them is none, and nobody can tell."""
    found = _VERSION.fullmatch(version) if len(version) <= _MAX_CHARS else None
    if found is None or not (found["patch"] or "x").isdigit():
        return None
    mine = _lowest(found)
    try:
        return any(_holds(bounds, mine) for bounds in _alternatives(wanted))
    except NotARange:
        return None


def newest_first(version: str) -> tuple[int, NodeVersion]:
    """Return a key by which versions are ordered from the newest; others are before all."""
    found = _VERSION.fullmatch(version)
    return (1, _lowest(found)) if found else (0, NodeVersion((0, 0, 0), is_release=False))


def _holds(bounds: tuple[Bound, ...], version: NodeVersion) -> bool:
    """Tell whether all hold; a prerelease is meant only where one of the same version is named."""
    if not all(bound.holds(version) for bound in bounds):
        return False
    return version.is_release or any(
        bound.version.numbers == version.numbers and not bound.version.is_release
        for bound in bounds
    )


@lru_cache(maxsize=1 << 14)
def _alternatives(wanted: str) -> tuple[tuple[Bound, ...], ...]:
    if wanted.startswith("npm:"):  # an alias: npm:name@range
        wanted = wanted.removeprefix("npm:")[1:].partition("@")[2]
    if len(wanted) > _MAX_CHARS:
        raise NotARange
    return tuple(tuple(_bounds(each.strip())) for each in wanted.split("||"))


def _bounds(text: str) -> Iterator[Bound]:
    hyphen = _HYPHEN.fullmatch(text)
    if hyphen:
        low, high = (_VERSION.fullmatch(each) for each in hyphen.groups())
        if low is None or high is None:
            raise NotARange
        yield from _span(">=", low)
        yield from _span("<=", high)
        return
    at = 0
    while at < len(text):
        found = _BOUND.match(text, at)
        if found is None:
            raise NotARange
        yield from _span(found["sign"], found)
        at = found.end() + len(text[found.end() :]) - len(text[found.end() :].lstrip())


def _span(sign: str, found: re.Match[str]) -> Iterator[Bound]:
    """Yield what a comparison with a version comes to that may be given in part: 1.x, ~1.2."""
    given = _given(found)
    low = _lowest(found)
    whole = 3
    if not given:
        if sign in ("<", ">"):  # nothing is before or after all versions
            yield Bound("<", NodeVersion((0, 0, 0), is_release=False, pre=_LOWEST_PRE))
    elif sign == "^":
        zeros = next((at for at, number in enumerate(given) if number), len(given) - 1)
        yield Bound(">=", low)
        yield Bound("<", _after(given, zeros))
    elif sign in ("~", "~>"):
        yield Bound(">=", low)
        yield Bound("<", _after(given, min(1, len(given) - 1)))
    elif len(given) == whole or sign in ("<", ">="):
        yield Bound(sign or "=", low)
    elif sign == ">":
        yield Bound(">=", _after(given, len(given) - 1)._replace(is_release=True, pre=()))
    else:
        if sign != "<=":
            yield Bound(">=", low)
        yield Bound("<", _after(given, len(given) - 1))


def _given(found: re.Match[str]) -> tuple[int, ...]:
    """Return the numbers up to the first that is left open."""
    numbers: list[int] = []
    for part in ("major", "minor", "patch"):
        text = found[part]
        if text is None or not text.isdigit():
            break
        numbers.append(int(text))
    return tuple(numbers)


def _lowest(found: re.Match[str]) -> NodeVersion:
    """Return the version, with zeros for what is left open."""
    given = _given(found)
    major, minor, patch = (*given, 0, 0, 0)[:3]
    texts = found["pre"].split(".") if found["pre"] and given[2:] else []
    pre = tuple((0, int(each), "") if each.isdigit() else (1, 0, each) for each in texts)
    return NodeVersion((major, minor, patch), not pre, pre)


def _after(given: tuple[int, ...], at: int) -> NodeVersion:
    """Return the first version, prereleases among them, in which this number is one higher."""
    major, minor, patch = (*given[:at], given[at] + 1, 0, 0)[:3]
    return NodeVersion((major, minor, patch), is_release=False, pre=_LOWEST_PRE)


_NEEDS = ("requires", "dependencies", "optionalDependencies", "peerDependencies")
_BELOW = f"/{MODULES}"


class NodePackage(NamedTuple):
    """One version of a package, wherever it lies, by the name of its folder."""

    name: str
    version: str
    spec: str


class NodeNeed(NamedTuple):
    """What a package asks for under a name."""

    wanted: str
    """A range of versions, as a rule."""
    is_peer: bool = False
    """Whether it is to be beside the package, and not inside of it."""
    is_optional: bool = False
    """Whether it is not brought along; but if it is there, it has to fit."""


@dataclass(frozen=True)
class NodeTree:
    """One side: who finds what."""

    direct: frozenset[str]
    """What the project asks for."""
    tops: Mapping[str, NodePackage]
    """What the project itself finds, whether it asks for it or not."""
    needs: Mapping[NodePackage, Mapping[str, NodeNeed]]
    links: Mapping[NodePackage, Mapping[str, NodePackage]]
    """What each package finds for each of its needs; what is in its own archive is left out."""
    pins: Mapping[NodePackage, Pin] = field(repr=False)
    bundles: Mapping[NodePackage, Mapping[str, Pin]] = field(repr=False)
    """What packages have in their own archives, by its place below them."""

    @cached_property
    def versions(self) -> Mapping[str, tuple[NodePackage, ...]]:
        """The packages of each name: what the project finds first, then from the newest."""
        found: dict[str, list[NodePackage]] = {}
        for package in self.needs:
            found.setdefault(package.name, []).append(package)
        return {
            name: tuple(
                sorted(
                    packages,
                    key=lambda each: (self.tops.get(each.name) == each, newest_first(each.version)),
                    reverse=True,
                )
            )
            for name, packages in found.items()
        }


def node_tree(lock: LockFile) -> NodeTree:
    """Return the tree of a lock file."""
    packages = {
        place: NodePackage(leaf(place), pin.version, pin.spec) for place, pin in lock.pins.items()
    }
    entries = {place: json.loads(pin.sealed) for place, pin in lock.pins.items()}
    owners = {
        place: owner
        for place, entry in entries.items()
        if entry.get("inBundle") is True and (owner := _owner(entries, place))
    }
    needs: dict[NodePackage, dict[str, NodeNeed]] = {}
    links: dict[NodePackage, dict[str, NodePackage]] = {}
    pins: dict[NodePackage, Pin] = {}
    bundles: dict[NodePackage, dict[str, Pin]] = {}
    for place in sorted(packages.keys() - owners, key=lambda each: (each.count(_BELOW), each)):
        package = packages[place]
        if package in needs:
            continue  # the copy that lies highest speaks for all
        needs[package] = dict(_needs(entries[place]))
        found = {
            name: _found(packages, holder(place) if need.is_peer else place, name)
            for name, need in needs[package].items()
        }
        links[package] = {
            name: packages[inner] for name, inner in found.items() if inner and inner not in owners
        }
        pins[package] = lock.pins[place]
        bundles[package] = {}
    for place, owner in owners.items():
        bundles[packages[owner]][place.removeprefix(f"{owner}{_BELOW}")] = lock.pins[place]
    tops = {place: each for place, each in packages.items() if _BELOW not in place}
    direct = frozenset(place for place, pin in lock.pins.items() if pin.role == "direct")
    return NodeTree(direct, tops, needs, links, pins, bundles)


def leaf(place: str) -> str:
    """Return the name under which what lies at a place is found."""
    return place.rpartition(_BELOW)[2]


def holder(place: str) -> str:
    """Return the place around a place; empty: the project's own folder."""
    return place.rpartition(_BELOW)[0]


def inside(place: str, name: str) -> str:
    """Return the place of a package in another one; in the project's folder if that is empty."""
    return f"{place}{_BELOW}{name}" if place else name


def around(place: str) -> Iterator[str]:
    """Yield the places around a place, from the inside to the project's own folder."""
    while place:
        place = holder(place)
        yield place


def _found(packages: Mapping[str, NodePackage], place: str, name: str) -> str | None:
    """Return where a package at a place finds another."""
    places = (inside(each, name) for each in (place, *around(place)))
    return next((each for each in dict.fromkeys(places) if each in packages), None)


def _owner(entries: Mapping[str, Mapping[str, object]], place: str) -> str:
    """Return the package in whose archive another one comes; empty: it is the project itself."""
    outwards = (each for each in around(place) if each in entries)
    return next((each for each in outwards if entries[each].get("inBundle") is not True), "")


def _needs(entry: Mapping[str, object]) -> Iterator[tuple[str, NodeNeed]]:
    """Yield what an entry of a lock file asks for; what is not of the right kind is left out."""
    meta = entry.get("peerDependenciesMeta")
    for group in _NEEDS:
        needed = entry.get(group)
        for name, wanted in needed.items() if isinstance(needed, dict) else ():
            if isinstance(wanted, str):
                details = meta.get(name) if isinstance(meta, dict) else None
                is_peer = group == "peerDependencies"
                is_optional = (
                    is_peer and isinstance(details, dict) and details.get("optional") is True
                )
                yield name, NodeNeed(wanted, is_peer, is_optional)


MAX_DEPTH = 40
"""How deep packages may lie in each other. Deeper, versions call for each other for ever, and the
last ones are left out: npm refuses that."""


@dataclass(slots=True)
class NodeLayout:
    """A folder that is filled: places, and what lies there."""

    links: Mapping[NodePackage, Mapping[str, NodePackage]]
    """What each package is to find."""
    peers: Mapping[NodePackage, frozenset[str]]
    """What of that is to be beside it."""
    places: dict[str, NodePackage] = field(default_factory=dict)
    _waiting: deque[str] = field(default_factory=deque)
    _passed: dict[str, set[str]] = field(default_factory=dict)
    """Names that have been found further out than a place, by what is there or inside of it."""

    def put(self, place: str, package: NodePackage) -> None:
        """Put a package at a place; what it needs is put there later."""
        self.places[place] = package
        self._waiting.append(place)

    def fill(self) -> Mapping[str, NodePackage]:
        """Put all that is needed where it is found; return all places."""
        while self._waiting:
            place = self._waiting.popleft()
            package = self.places[place]
            for name, wanted in sorted(self.links[package].items()):
                is_peer = name in self.peers.get(package, frozenset())
                self._reach(holder(place) if is_peer else place, name, wanted)
        return self.places

    def _reach(self, place: str, name: str, wanted: NodePackage) -> None:
        """See to it that a package is found under a name, from the inside of a place."""
        outwards = [place, *around(place)]
        found = next((each for each in outwards if inside(each, name) in self.places), None)
        if found is not None and self.places[inside(found, name)] != wanted:
            # Between here and what is in the way, as far out as nobody looks past it.
            free = [
                each
                for each in outwards[: outwards.index(found)]
                if name not in self._passed.get(each, ())
            ]
            if not free:
                return  # beside a package that finds another one: npm says what it thinks of that
            found = free[-1]
        elif found is None:
            found = ""
        if inside(found, name) not in self.places:
            if len(outwards) > MAX_DEPTH:
                return
            self.put(inside(found, name), wanted)
        for each in outwards[: outwards.index(found)]:
            self._passed.setdefault(each, set()).add(name)
