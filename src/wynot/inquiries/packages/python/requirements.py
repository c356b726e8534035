"""Requirements and constraints files, and what ``pip freeze`` prints."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from wynot.core.errors import InvalidLockFile
from wynot.core.system.user_folders import masked
from wynot.inquiries.packages.lock_file import LockFile, Option, Pin, Role, decoded, joined
from wynot.inquiries.packages.package_names import (
    address_form,
    checked_marker,
    digest_form,
    python_name,
    shown_name,
    version_form,
)

_COMMENT = re.compile(r"(?:^|(?<!\s)\s+)#.*$")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:", re.ASCII)
_FILE = re.compile(r"\.{0,2}/\S|[^\s@;]+\.(?:whl|zip|tar\.gz|tgz|tar\.bz2)(?=\s*(?:;|$))")
_OPTION = re.compile(r"(--[A-Za-z-]+|-.)[\s=]*(.*)")
_EQUAL = re.compile(r"(?<![=!<>~])==(?!=)")
_INCLUDES: dict[str, Role] = {"--requirement": "direct", "--constraint": "bound"}
_SHORT_OPTIONS = {
    "-i": "--index-url",
    "--pypi-url": "--index-url",
    "-f": "--find-links",
    "-r": "--requirement",
    "-c": "--constraint",
    "-e": "--editable",
}
_WITH_VALUE = {
    *("--index-url", "--extra-index-url", "--find-links", "--no-binary", "--only-binary"),
}
_ALONE = {"--no-index", "--pre", "--prefer-binary"}
_IGNORED = {"--require-hashes", "--use-feature"}  # we decide about hashes; features are pip's own
_MOST_FILES = 100


def read_requirements(path: Path, text: str) -> LockFile:
    """Return what a requirements file says, with all that it includes."""
    reading = _Reading(path.parent.resolve())
    reading.read(path, text, "direct")
    return LockFile(path, "requirements", reading.pins, tuple(dict.fromkeys(reading.options)))


def read_lines(lines: Iterable[str], folder: Path) -> tuple[tuple[Option, ...], list[str]]:
    """Return the options and the requirements that are given without a file, as one would hold."""
    reading = _Reading(folder.resolve())
    reading.read(folder / "given", "\n".join(lines), "direct")
    return tuple(reading.options), [pin.spec for pin in reading.pins.values()]


class _Line(NamedTuple):
    """A logical line: several that end in a backslash are one."""

    path: Path
    number: int
    text: str

    @property
    def where(self) -> str:
        return f"{self.path}, line {self.number}"

    def refuse(self, why: str, hint: str) -> InvalidLockFile:
        return InvalidLockFile(f"{self.where}: {why}: {shown_name(self.text)}", hint=hint)


@dataclass(slots=True)
class _Reading:
    """What has been read so far, of a file and of those that it includes."""

    top: Path
    found: dict[str, list[Pin]] = field(default_factory=dict)
    options: list[Option] = field(default_factory=list)
    seen: set[Path] = field(default_factory=set)

    @property
    def pins(self) -> dict[str, Pin]:
        """What all lines of each package say together."""
        return {name: _together(pins) for name, pins in self.found.items()}

    def read(self, path: Path, text: str, role: Role) -> None:
        self.seen.add(path.resolve())
        for line in _lines(path, text):
            if line.text.startswith("-"):
                self._option(line, role)
            else:
                self._add(_pin(line, role))

    def _option(self, line: _Line, role: Role) -> None:
        name, value = _split(line.text)
        name = _SHORT_OPTIONS.get(name, name)
        if name in _INCLUDES:
            self._include(line, value, "bound" if role == "bound" else _INCLUDES[name])
        elif name == "--editable":
            place = _place(line, value)
            self._add(Pin(_name_of(place) or masked(place), "", f"-e {place}", role=role))
        elif name in _ALONE or (name in _WITH_VALUE and value):
            self.options.append(Option(name, _option_value(line, name, value)))
        elif name == "--trusted-host":
            raise line.refuse(
                "a file cannot switch off the check of certificates",
                "leave it out; if you trust the host, set PIP_TRUSTED_HOST or UV_INSECURE_HOST",
            )
        elif name not in _IGNORED:
            raise line.refuse(
                "wynot does not know this option", "leave it out, or give the output of pip freeze"
            )

    def _include(self, line: _Line, value: str, role: Role) -> None:
        path = (line.path.parent / value).resolve()
        if not value or _SCHEME.match(value) or not path.is_relative_to(self.top):
            raise line.refuse(
                f"only files in {self.top} and below are included", "copy it there, or paste it"
            )
        if path in self.seen:
            return
        if len(self.seen) >= _MOST_FILES:
            raise line.refuse(f"more than {_MOST_FILES} files are included", "put them into one")
        self.read(path, decoded(path, included_by=line.where), role)

    def _add(self, pin: Pin) -> None:
        self.found.setdefault(pin.name, []).append(pin)


def _together(pins: Sequence[Pin]) -> Pin:
    """Return one pin for all lines of a package: some ask for it, others are bounds of it."""
    of_direct = [pin for pin in pins if pin.role == "direct"]
    of_bound = [pin for pin in pins if pin.role == "bound"]
    if not of_direct or not of_bound:
        return joined(pins)
    direct, bound = joined(of_direct), joined(of_bound)
    is_place = "://" in direct.spec
    if is_place or direct.version or not bound.version or re.search(" ; |\n", bound.spec):
        return direct
    # Both lines hold, so the tighter one tells.
    head, semicolon, marker = direct.spec.partition(" ; ")
    comma = "," if re.search("[<>=!~]", head) else ""
    spec = f"{head}{comma}=={bound.version}{semicolon}{marker}"
    return Pin(direct.name, bound.version, spec, spec + bound.sealed.removeprefix(bound.spec))


def _lines(path: Path, text: str) -> Iterator[_Line]:
    pending, start = "", 0
    for number, raw in enumerate([*text.splitlines(), ""], start=1):
        is_comment = raw.lstrip().startswith("#")
        start = start or number
        if raw.endswith("\\") and not is_comment:
            pending += raw[:-1] + " "
            continue
        if whole := _COMMENT.sub("", pending + ("" if is_comment else raw)).strip():
            yield _Line(path, start, whole)
        pending, start = "", 0


def _split(text: str) -> tuple[str, str]:
    """Return the name of an option and its value: ``-r x``, ``-rx``, ``--index-url=x``."""
    found = _OPTION.fullmatch(text)
    return (found[1], found[2].strip("\"'")) if found else (text, "")


def _option_value(line: _Line, name: str, value: str) -> str:
    if any(character.isspace() for character in value) or value.startswith("-"):
        raise line.refuse("the value of an option is missing", "an option has a line of its own")
    is_local = name == "--find-links" and not _SCHEME.match(value)
    return str((line.path.parent / value).resolve()) if is_local else value


def _pin(line: _Line, role: Role) -> Pin:
    """Return the package that a line asks for."""
    text, hashes = _without_hashes(line)
    version = ""
    if (is_url := _SCHEME.match(text)) or _FILE.match(text):
        # In a URL the semicolon must have a space before it.
        body, _, marker = text.partition(" ;" if is_url else ";")
        place = _place(line, body.strip())
        name = _name_of(place)
        name, head = (name, f"{name} @ {place}") if name else (masked(place), place)
    else:
        requirement = _requirement(line, text)
        name = python_name(requirement.name, line.where)
        extras = sorted(python_name(each, line.where) for each in requirement.extras)
        head = f"{name}[{','.join(extras)}]" if extras else name
        head += (
            f" @ {_place(line, requirement.url)}" if requirement.url else str(requirement.specifier)
        )
        marker = str(requirement.marker or "")
        if len(requirement.specifier) == 1:
            (wanted,) = requirement.specifier
            is_one = wanted.operator in ("==", "===") and version_form.fits(wanted.version)
            version = wanted.version if is_one else ""
    marker = checked_marker(marker.strip(), line.where)
    spec = f"{head} ; {marker}" if marker else head
    return Pin(name, version, spec, spec + hashes, role)


def _requirement(line: _Line, text: str) -> Requirement:
    """Return what a line says; a version from before PEP 440, such as 2004d, is taken as text."""
    body, semicolon, marker = text.partition(";")
    why = ""
    for spelled in (body, _EQUAL.sub("===", body)):
        try:
            return Requirement(spelled + semicolon + marker)
        except InvalidRequirement as error:
            why = why or str(error).partition("\n")[0]
        except RecursionError:
            why = "nested too deeply"
    raise line.refuse(f"this is not a requirement ({why})", "a line is like 'requests==2.31.0'")


def _without_hashes(line: _Line) -> tuple[str, str]:
    """Return a line without its options, and of these the hashes."""
    text, *options = re.split(r"(?<!\s)\s++(?=--)", line.text)
    hashes = ""
    for option in options:
        name, value = _split(option)
        if name != "--hash":
            raise line.refuse(f"wynot does not know {name}", "leave this option out")
        hashes += f" --hash={digest_form(value, line.where)}"
    return text, hashes


def _place(line: _Line, text: str) -> str:
    """Return a URL; a path becomes an absolute one, since it is read from elsewhere."""
    if _SCHEME.match(text):
        return address_form(text, line.where)
    path, bracket, extras = text.partition("[")
    if not path or path.startswith("-"):
        raise line.refuse("this names no package", "a line is like 'requests==2.31.0'")
    whole = (line.path.parent.resolve() / path).resolve().as_uri() + bracket + extras
    return address_form(whole, line.where)


def _name_of(place: str) -> str:
    """Return the name that a URL tells, empty if it tells none."""
    parts = urlsplit(place)
    egg = re.search(r"(?:^|&)egg=([A-Za-z0-9._-]+)", parts.fragment)
    file = unquote(parts.path).rpartition("/")[2]
    name = egg[1] if egg else file.partition("-")[0] if file.endswith(".whl") else ""
    return canonicalize_name(name) if name and version_form.fits(name) else ""
