"""How wynot is run, and what came of it: by the clock, or in virtual time."""

from typing import NamedTuple

from wynot.commands.reduce_options import ReduceOptions


class Setting(NamedTuple):
    """A column of the tables."""

    width: int

    @property
    def arguments(self) -> tuple[str, ...]:
        """What stands on the command line."""
        return ("-j", str(self.width))

    @property
    def words(self) -> str:
        """How it is called in tables."""
        return " ".join(self.arguments)

    @property
    def options(self) -> ReduceOptions:
        """The same for a reduction in this process; its runner has the workers."""
        return ReduceOptions(files=())


class Outcome(NamedTuple):
    """What a reduction came to."""

    case: str
    setting: Setting
    content: bytes
    """What is left of the file."""
    tests: int
    """Those that were asked for."""
    extra: int
    """Those that were run ahead to their end and not asked for."""
    span: float
    """How long it took: seconds, or steps."""
    busy: float
    """The same of all workers together, as long as they had a test."""
    own_seconds: float
    """The processor time of wynot itself."""

    @property
    def use(self) -> float:
        """Which share of their time the workers had a test."""
        return self.busy / (self.setting.width * self.span)
