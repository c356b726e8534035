"""An option of a command is one line of a record: a field, with its values and its help.

The parser and its help, shell completion, config files, the values that a job is given, whether an
earlier run can be gone on with, and the table in the reference are all made from that line.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from enum import Enum
from functools import cache, partial
from typing import Any, ClassVar, Literal, Self, cast, get_args, get_origin

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


MANY = "..."
"""What a spelling ends with if there can be several values."""


class Heading(Enum):
    """What options are shown under, in the order of ``--help``."""

    ARGUMENTS = "arguments"
    CHANGES = "which changes"
    CIRCUMSTANCES = "which circumstances"
    PACKAGES = "which packages"
    TESTS = "which tests"
    STEPS = "which steps"
    FAILURE = "what the failure is"
    PARTS = "what may be left out"
    DIFFERENCE = "what differs"
    LIMITS = "how far to go"
    SEARCH = "how to search (see docs/concepts/searches.md)"
    OUTPUT = "files and output"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandOption:
    """Everything about one option; `option` says what a line needs to say."""

    flags: tuple[str, ...] = ()
    """How it is written, the long form last; none: it is known by its place."""
    values: tuple[str, ...] = ()
    """What its values are called in the help; none: it is a flag."""
    is_many: bool = False
    help: str = ""
    usual: str = ""
    """What holds if it is not given, in words, unless the default says that."""
    off: str = ""
    """Another flag, which says the contrary, and its help after a blank."""
    alone: str | None = None
    """What it means without a value, if it may stand so."""
    parse: Callable[[str], Any] | None = None
    least: float | None = None
    matters: bool = True
    """Whether a run with another value asks other questions, so that neither can go on with what
    the other has left."""
    is_harmless: bool = False
    """Whether it runs no program, names no file and drops no protection: then a project's config
    file can set it, though nobody trusts that. A new option cannot be set there until somebody has
    thought about it."""
    in_config: Literal["shared", "own", "never"] = "shared"
    """Where a config file can have it: ``own`` is the table of its command only, since other
    commands mean another thing by the same word; ``never``: it makes sense once only."""
    is_seen: bool = False
    """Whether it says by hand what the failure looks like."""
    heading: Heading | None = None
    # These come from the field.
    name: str = ""
    default: Any = None
    choices: tuple[str, ...] = ()
    kinds: tuple[type, ...] = ()

    @property
    def long(self) -> str:
        """Its name in config files and in messages."""
        return self.flags[-1].removeprefix("--") if self.flags else ""

    @property
    def spellings(self) -> tuple[str, ...]:
        """All ways to write it."""
        return (*self.flags, self.off.partition(" ")[0]) if self.off else self.flags

    @property
    def is_flag(self) -> bool:
        """Whether it takes no value."""
        return not self.values

    def check(self, value: object) -> None:
        """Raise unless a value is one that the option can have."""
        if value is None and self.default is None:
            return
        if self.choices:
            choice(self.name, value, self.choices)
        elif bool in self.kinds:
            yes_or_no(self.name, value)
        elif float in self.kinds:
            number(self.name, value, least=self.least)
        elif int in self.kinds:
            whole_number(self.name, value, least=self.least)


def option(spelling: str, help: str, default: Any = None, **more: Any) -> Any:  # noqa: A002
    """Return a field that is an option: ``option("-j --jobs N", "tests at a time", 1, least=1)``.

    The spelling is that of the help: flags, then what the value is called, then ``...`` if the
    option can be repeated. Without a value it is a flag, which turns the default around.
    """
    tokens = spelling.split()
    is_many = tokens[-1] == MANY
    flags = tuple(token for token in tokens if token.startswith("-"))
    values = tuple(tokens[len(flags) : len(tokens) - is_many])
    if default is None:
        default = () if is_many else False if not values and "off" not in more else None
    made = CommandOption(flags=flags, values=values, is_many=is_many, help=help, **more)
    return field(default=default, metadata={"option": made})


safe_option = partial(option, is_harmless=True)
"""An option that anybody may set for others."""
search_option = partial(safe_option, heading=Heading.SEARCH)
"""One that says how to search."""
display_option = partial(safe_option, matters=False, heading=Heading.OUTPUT)
"""And one that changes what is told of a run, but not what it asks."""
limit_option = partial(
    safe_option, matters=False, heading=Heading.LIMITS, usual="no limit", least=0
)
"""Or when it ends."""
output_option = partial(option, matters=False, heading=Heading.OUTPUT)
"""Or where its results go."""
one_time_option = partial(output_option, in_config="never")
"""Or with what it begins, this time."""
debug_option = partial(
    one_time_option, "--debug FILE", "log errors that wynot copes with and does not report", ""
)
"""The option of all commands that run tests."""


@dataclass(frozen=True, kw_only=True)
class OptionRecord:
    """What a command is asked to do: a record of its options, made of those that it shares.

    A field that is made by `option` can be given on the command line; any other is for programs. A
    class that takes options over from another may leave one out, by making it a plain field again.
    """

    heading: ClassVar[Heading] = Heading.ARGUMENTS

    @classmethod
    def options(cls) -> Sequence[CommandOption]:
        """Return the options, in the order of the help."""
        return _options(cast("Any", cls))

    @classmethod
    def option(cls, name: str) -> CommandOption:
        """Return the option of a field."""
        return next(each for each in cls.options() if each.name == name)

    @property
    def identity(self) -> dict[str, object]:
        """What the answers of the test depend on: all but options that do not matter."""
        no_matter = {each.name for each in self.options() if not each.matters}
        names = (each.name for each in fields(self))
        return {name: getattr(self, name) for name in names if name not in no_matter}

    @property
    def given(self) -> dict[str, object]:
        """The options that are not as usual, by their long names."""
        values = ((each, getattr(self, each.name)) for each in self.options() if each.flags)
        return {each.long: value for each, value in values if value != each.default}

    def taken(self, kind: "type[OptionRecord]") -> dict[str, Any]:
        """Return the values that another record has fields for, too."""
        names = {each.name for each in fields(kind)} & {each.name for each in fields(self)}
        return {name: getattr(self, name) for name in names}

    def validate(self) -> Self:
        """Raise if a value makes no sense; in classes that add to it, also with another."""
        for each in self.options():
            if not isinstance(each.default, tuple):
                each.check(getattr(self, each.name))
        return self


@cache
def _options(record: Any) -> Sequence[CommandOption]:
    found = []
    for each in fields(record):
        if (made := each.metadata.get("option")) is None:
            continue
        # The class that has it first says where it is shown, not one that only changes it.
        first = next(
            base
            for base in reversed(record.__mro__)
            if each.name in getattr(base, "__dataclass_fields__", {})
        )
        kinds = _kinds(each.type)
        found.append(
            replace(
                made,
                name=each.name,
                default=None if each.default is MISSING else each.default,
                heading=made.heading or (first.heading if made.flags else Heading.ARGUMENTS),
                choices=tuple(kind for kind in kinds if isinstance(kind, str)),
                kinds=tuple(kind for kind in kinds if isinstance(kind, type)),
                parse=made.parse or (int if int in kinds else None),
            )
        )
    order = list(Heading)
    return sorted(found, key=lambda each: order.index(each.heading))


def _kinds(annotation: Any) -> list[Any]:
    """Return the types that an annotation is made of, and the values of its literals."""
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    inner = get_args(annotation)
    return [kind for each in inner for kind in _kinds(each)] if inner else [annotation]
