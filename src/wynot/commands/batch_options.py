"""The options of ``wynot batch``: those of ``wynot reduce``, and how far to go with a folder."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wynot.commands.reduce_options import ReduceOptions
from wynot.commands.shared_options import EXPLAIN_TESTS
from wynot.core.options.option import limit_option, option, output_option
from wynot.core.options.quantities import seconds


@dataclass(frozen=True, kw_only=True)
class BatchOptions(ReduceOptions):
    """Which folder, what to run, and how far to go with each input and with all."""

    files: Sequence[str] = option("FOLDER TEST ...", "the folder of inputs, then the test")
    per_group: int = limit_option(
        "--per-group N", "inputs to reduce of each group", 1, usual="", least=1, in_config="own"
    )
    max_time: float | None = limit_option(
        "--max-time TIME", "stop all after this time", parse=seconds, in_config="own"
    )
    max_time_each: float | None = limit_option(
        "--max-time-each TIME", "stop the reduction of one input after this time", parse=seconds
    )
    max_tests: int | None = limit_option(
        "--max-tests N", "stop all after this many tests", in_config="own"
    )
    out: str = output_option(
        "-o --out DIR", "put the results there", "", usual="FOLDER.reduced", in_config="own"
    )
    vendor: Sequence[str] = ()
    also_interesting: Sequence[int] = ()
    explain: bool = False
    explain_tests: int = EXPLAIN_TESTS
    report: str = ""
    resume: bool = False
    check: bool = True

    @property
    def folder(self) -> str:
        """The folder that the inputs are in."""
        return self.files[0]

    @property
    def is_learned(self) -> bool:
        """Whether a first run shows what the failure is, and nothing else says it."""
        by_first_run = self.command or self.serve
        return bool(by_first_run) and not self.by_hand and not self.differs

    @property
    def by_place(self) -> bool:
        """Whether failures are told apart by the line of the program, too."""
        return self.is_learned and not self.same

    def of_one(self, path: str, **budget: Any) -> ReduceOptions:
        """Return what is asked of the reduction of one input, which is at a path."""
        given = self.taken(ReduceOptions) | {"files": (path,), "out": "", "fresh": False}
        return ReduceOptions(**given | budget)
