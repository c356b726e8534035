"""The options of a call: which there are, what values they take, and what a wrong one is told."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from math import inf
from typing import Any, ClassVar, Literal, Protocol, Self, runtime_checkable

from wynot.core.errors import InvalidArgument, InvalidOption
from wynot.core.events import Event
from wynot.core.options.option import (
    Heading,
    OptionRecord,
    choice,
    limit_option,
    option,
    refuse_unknown,
    search_option,
    whole_number,
)
from wynot.core.options.quantities import parts, seconds

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

JOBS = "tests at a time"


def ignore_event(_event: Event) -> None:
    """The default observer: it ignores every event."""


@dataclass(frozen=True, kw_only=True)
class BudgetOptions(OptionRecord):
    """How much a run may take in all."""

    heading: ClassVar = Heading.LIMITS
    jobs: int | None = limit_option("-j --jobs N", JOBS, usual="one for each core", least=1)
    max_time: float | None = limit_option("--max-time TIME", "stop after this time", parse=seconds)
    max_tests: int | None = limit_option("--max-tests N", "stop after this many tests")


@runtime_checkable
class ClusterClient(Protocol):
    """A client of dask, as far as it is needed; functions that are tests run as its tasks."""

    def submit(self, func: Callable[..., Any], *args: Any, pure: bool) -> Any:
        """Have a function called; what is not pure is done each time."""

    def nthreads(self) -> Mapping[str, int]:
        """Return how many tasks each worker can run at once."""


@dataclass(frozen=True, kw_only=True)
class Settings(BudgetOptions):
    """Every option of ``minimize``, ``isolate`` and ``all_causes``, with its default."""

    search: SearchName = search_option("--search NAME", "the algorithm", "auto")
    order: Order = search_option("--order NAME", "subsets, complements or both", "complements-only")
    subset_iterator: IteratorName = search_option(
        "--subset-iterator NAME", "in what order subsets are tried", "forward"
    )
    complement_iterator: IteratorName = search_option(
        "--complement-iterator NAME", "in what order complements are tried", "forward"
    )
    memo: MemoName = search_option("--memo NAME", "which verdicts are reused", "content")
    pick: PickName = search_option("--pick NAME", "which of several successes counts", "in-order")
    granularity: float = search_option(
        *("--granularity N", "parts at the start, and how many times finer; 2 or more, or inf", 2),
        parse=parts,
    )
    seed: int = search_option("--seed N", "for random iterators", 0)
    restart: bool = search_option("--restart", "go back to the first chunk after each success")
    combined: bool = search_option("--combined", "subsets and complements in one round")
    star: bool = search_option("--star", "repeat each search until nothing changes")
    split: SplitName = search_option("--split NAME", "where a chunk is cut in two", "zeller")
    check: bool = option("--no-check", "do not ask about the whole and the empty", default=True)
    jobs: int = limit_option("-j --jobs N", JOBS, 1, usual="", least=1)
    weights: "Sequence[float] | Callable[[Any], float] | None" = None
    workers: "Literal['threads', 'processes'] | Executor | ClusterClient" = "threads"
    observe: Callable[[Event], None] = ignore_event

    @classmethod
    def read(cls, options: Mapping[str, object]) -> "Settings":
        """Return settings from keyword arguments, or say which of them is wrong and why."""
        refuse_unknown(options, [field.name for field in fields(cls)])
        return cls(**options).validate()  # type: ignore[arg-type]  # checked, value by value

    def validate(self) -> Self:
        """Raise if a value makes no sense, alone or with another."""
        granularity: object = self.granularity
        if isinstance(granularity, float) and granularity.is_integer():
            granularity = int(granularity)
        if granularity != inf:
            whole_number("granularity", granularity, least=2)
        super().validate()
        if not isinstance(self.workers, Executor | ClusterClient):
            choice("workers", self.workers, ("threads", "processes"))
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
        return self
