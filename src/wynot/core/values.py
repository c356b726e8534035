"""Whether a value is one that an option can have, and what a wrong one is told."""

from collections.abc import Iterable, Sequence

from wynot.core.errors import InvalidArgument, InvalidOption, UnknownOption, nearest


def refuse_unknown(given: Iterable[str], known: list[str]) -> None:
    """Raise if an option is not known, with the name that may have been meant."""
    for name in given:
        if name not in known:
            raise UnknownOption(f"there is no option {name!r}", hint=nearest(name, known))


def choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Raise unless the value is one of the choices."""
    if value not in choices:
        hint = nearest(str(value), list(choices))
        raise InvalidOption(f"is {value!r}", option=name, hint=hint)


def number(name: str, value: object, *, least: float | None) -> None:
    """Raise unless the value is a number, and large enough."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:  # noqa: PLR0124 - not a number
        raise InvalidArgument(f"is {value!r}", option=name, hint="it must be a number")
    if least is not None and value < least:
        raise InvalidOption(f"is {value!r}", option=name, hint=f"it must be at least {least}")


def whole_number(name: str, value: object, *, least: float | None) -> None:
    """Raise unless the value is a whole number, and large enough."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidArgument(f"is {value!r}", option=name, hint="it must be a whole number")
    number(name, value, least=least)


def yes_or_no(name: str, value: object) -> None:
    """Raise unless the value is a bool."""
    if not isinstance(value, bool):
        raise InvalidArgument(f"is {value!r}", option=name, hint="True or False")
