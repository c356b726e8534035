"""Why a case fails, as a value: which of its parts may be anything, and what it needs.

It is written down with the journal of a reduction, which may be anybody's: what is read back has
the right shape, or there is none.
"""

import json
from dataclasses import asdict, dataclass, fields, is_dataclass
from types import UnionType
from typing import Any, Literal, TypeAlias, TypeVar, cast, get_args, get_origin, get_type_hints

from wynot.core.foreign_text import parsed_json

Made = TypeVar("Made")
LABEL_START, LABEL_END = "\u2039", "\u203a"
"""What labels stand in."""
Outcome: TypeAlias = Literal["passes", "other", "unclear", "fails"]


class _Shapeless(Exception):
    """What was read cannot be an explanation."""


@dataclass(frozen=True, slots=True)
class PartPlace:
    """Where a part is: bytes of a file, and the line that they begin on, from 1."""

    path: str
    start: int
    stop: int
    line: int


@dataclass(frozen=True, slots=True)
class FreePart:
    """A part that may be something else, in one place or in several that have to be equal."""

    label: str
    """What stands for it in the pattern: ``list2``, shown in angles."""
    kind: str
    """What it may be: ``integer``, ``string``, ``name``, ``list``, ``value`` …"""
    places: tuple[PartPlace, ...]
    text: str
    """What stands there in the case."""
    tried: int
    """How many different variants of it have failed in the same way, and none has not."""
    scale: str = ""
    """What of it is limited: ``value``, ``length``, ``count``, ``depth`` or ``repeats``."""
    low: int | None = None
    high: int | None = None
    """The least and the most that fails; None: no limit was seen."""
    below: str = ""
    above: str = ""
    """What happens just outside of these limits."""
    steady: bool = True
    """Whether all between the limits fails, as far as that was looked at."""
    again: int | None = None
    """A measure beyond the limits with which it fails, too: it is not monotone."""
    content: bool = True
    """Whether its content may be anything; else only its measure may be another."""
    choices: tuple[str, ...] = ()
    """The only texts that were seen to fail, if it is one of a few."""
    refused: tuple[str, ...] = ()
    """Texts that were seen not to fail."""
    together: bool = True
    """Whether it can be varied together with all the others."""

    @property
    def shown_label(self) -> str:
        """What stands for it in the pattern."""
        return f"{LABEL_START}{self.label}{LABEL_END}"


@dataclass(frozen=True, slots=True)
class NeededPart:
    """A part without which the failure does not show, and what happens instead."""

    text: str
    place: PartPlace
    outcome: Outcome
    """``other``: it fails otherwise; ``fails``: it is not needed."""
    observed: str = ""
    """What is seen instead."""


@dataclass(frozen=True, slots=True)
class JointCheck:
    """All free parts varied at once: how many such variants failed, of how many."""

    failed: int
    tried: int


@dataclass(frozen=True, slots=True)
class NearestPass:
    """The smallest change after which it passes."""

    place: PartPlace
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class OtherCauses:
    """Whether the original fails for another reason, too."""

    number: int
    """How many independent causes are known, this one among them."""
    evidence: str
    """What was seen of the original without this one."""
    found: tuple[str, ...] = ()
    """The others, as far as they were reduced."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known of a failure, from tests alone."""

    name: str
    """The file or folder that is explained."""
    keeps: str
    """What the failure is known by."""
    pattern: tuple[tuple[str, str], ...]
    """For each file that has a free part, its text with labels in place of those."""
    free: tuple[FreePart, ...]
    needed: tuple[NeededPart, ...]
    together: JointCheck | None
    nearest: NearestPass | None
    causes: OtherCauses | None
    shown: int
    """In how many runs of the case the failure showed."""
    runs: int
    """Of how many."""
    tests: int
    """Runs of the test that the explanation took, those of the case itself among them."""
    recalled: int
    """Questions that the journal of the reduction had an answer to."""
    seconds: float
    left: int = 0
    """Parts that were not varied: the tests did not suffice."""
    stopped: str = "finished"
    """Why it ended."""

    @property
    def data(self) -> dict[str, Any]:
        """The same for programs."""
        return asdict(self)

    @property
    def fact(self) -> str:
        """What is written down."""
        return json.dumps(self.data)


def recalled_explanation(fact: str) -> Explanation | None:
    """Return the explanation that a journal has; None if it has none, or what cannot be one."""
    try:
        return _made(Explanation, parsed_json(fact or "null"))
    except (ValueError, RecursionError, _Shapeless):
        return None


def _made(kind: type[Made], data: object) -> Made:
    """Return a record that has all its fields, and nothing of another type in any of them."""
    if not isinstance(data, dict):
        raise _Shapeless
    hints = get_type_hints(kind)
    names = [each.name for each in fields(kind)]  # type: ignore[arg-type]  # they are all records
    if set(data) != set(names):
        raise _Shapeless
    return kind(**{name: _read(hints[name], data[name]) for name in names})


def _read(hint: Any, value: object) -> Any:
    inner = get_args(hint)
    if isinstance(hint, UnionType):
        return None if value is None else _read(inner[0], value)
    if get_origin(hint) is tuple:
        return _row(inner, value)
    if is_dataclass(hint):
        return _made(cast("type[Any]", hint), value)
    if not _is_plain(hint, inner, value):
        raise _Shapeless
    return float(cast("float", value)) if hint is float else value


def _row(inner: tuple[Any, ...], value: object) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise _Shapeless
    kinds = [inner[0]] * len(value) if inner[-1] is Ellipsis else inner
    if len(value) != len(kinds):
        raise _Shapeless
    return tuple(_read(kind, each) for kind, each in zip(kinds, value, strict=True))


def _is_plain(hint: Any, inner: tuple[Any, ...], value: object) -> bool:
    """Tell whether a value is one of a few, or of such a type; a truth value is no number."""
    if get_origin(hint) is Literal:
        return value in inner
    if hint in (int, float) and isinstance(value, bool):
        return False
    return isinstance(value, (int, float) if hint is float else hint)
