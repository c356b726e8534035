"""The options of a call: which there are, what values they take, and what a wrong one is told."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from math import inf
from typing import Any, Literal, get_args

from wynot.core.errors import InvalidArgument, InvalidOption, UnknownOption, nearest
from wynot.core.events import Event

SearchName = Literal["auto", "ddmin", "opdd", "probdd", "cdd", "sweep", "zigzag"]
Order = Literal["subsets-first", "complements-first", "complements-only"]
SplitName = Literal["zeller", "balanced"]
IteratorName = Literal["forward", "backward", "skip", "random"]
MemoName = Literal["content", "monotone", "none"]
PickName = Literal["in-order", "first-to-finish"]
Atoms = Literal["auto", "records", "lines", "tokens", "chars", "bytes"]
"""The finest parts of a file that are left out."""
Same = Literal["auto", "exact", "exit", "signal", "message", "trace"]
"""What of the first run must stay the same."""
TreeSearch = Literal["hdd", "hdd*", "hddr", "hddr*"]
"""Searches that go over the levels of a tree, with a list search on each."""
Layout = Literal["tidy", "pretty", "short", "keep"]
"""What becomes of white space."""
IsolatingSearch = Literal["dd", "ddmax"]
IsolatingOrder = Literal["subsets-first", "complements-first"]

CHOICES: Mapping[str, Sequence[str]] = {
    "search": get_args(SearchName),
    "order": get_args(Order),
    "split": get_args(SplitName),
    "subset_iterator": get_args(IteratorName),
    "complement_iterator": get_args(IteratorName),
    "memo": get_args(MemoName),
    "pick": get_args(PickName),
}


def ignore_event(_event: Event) -> None:
    """The default observer: it ignores every event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every option of ``minimize``, ``isolate`` and ``all_causes``, with its default."""

    search: SearchName = "auto"
    order: Order = "complements-only"
    split: SplitName = "zeller"
    restart: bool = False
    granularity: float = 2
    subset_iterator: IteratorName = "forward"
    complement_iterator: IteratorName = "forward"
    memo: MemoName = "content"
    combined: bool = False
    star: bool = False
    jobs: int = 1
    pick: PickName = "in-order"
    check: bool = True
    seed: int = 0
    max_tests: int | None = None
    max_time: float | None = None
    weights: "Sequence[float] | Callable[[Any], float] | None" = None
    workers: "Literal['threads', 'processes'] | Executor" = "threads"
    observe: Callable[[Event], None] = ignore_event

    @classmethod
    def read(cls, options: Mapping[str, object]) -> "Settings":
        """Return settings from keyword arguments, or say which of them is wrong and why."""
        refuse_unknown(options, [field.name for field in fields(cls)])
        settings = cls(**options)  # type: ignore[arg-type]  # checked next, value by value
        settings._check_choices()
        settings._check_numbers()
        return settings

    def _check_choices(self) -> None:
        for name, choices in CHOICES.items():
            choice(name, getattr(self, name), choices)
        if not isinstance(self.workers, Executor):
            choice("workers", self.workers, ("threads", "processes"))
        for name in ("restart", "combined", "star", "check"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidArgument(
                    f"is {getattr(self, name)!r}", option=name, hint="True or False"
                )

    def _check_numbers(self) -> None:
        _whole_number("jobs", self.jobs, least=1)
        _whole_number("seed", self.seed, least=None)
        if self.max_tests is not None:
            _whole_number("max_tests", self.max_tests, least=0)
        if self.max_time is not None:
            number("max_time", self.max_time, least=0)
        granularity: object = self.granularity
        if isinstance(granularity, float) and granularity.is_integer():
            granularity = int(granularity)
        if granularity != inf:
            _whole_number("granularity", granularity, least=2)
        nothing_but = self.order == "complements-only" or self.subset_iterator == "skip"
        if self.complement_iterator == "skip" and (
            nothing_but or self.search not in {"auto", "ddmin", "opdd"}
        ):
            raise InvalidOption(
                "is 'skip', and nothing else would be tried",
                option="complement_iterator",
                hint="give an order with subsets, or another iterator",
            )
        if self.weights is not None and self.search == "cdd":
            raise InvalidOption(
                "is 'cdd', which takes no weights", option="search", hint="try 'probdd'"
            )
        if not callable(self.observe):
            raise InvalidArgument(
                f"is {self.observe!r}", option="observe", hint="a function of one event"
            )


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


def _whole_number(name: str, value: object, *, least: int | None) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidArgument(f"is {value!r}", option=name, hint="it must be a whole number")
    number(name, value, least=least)
