"""The options that all inquiries have in common."""

from dataclasses import asdict, dataclass

from wynot.core.errors import InvalidOption
from wynot.oracle.failure_options import FailureOptions
from wynot.settings import number


@dataclass(frozen=True, slots=True, kw_only=True)
class InquiryOptions(FailureOptions):
    """What is run, what counts as the failure, and how far to go."""

    jobs: int = 1
    max_tests: int | None = None
    max_time: float | None = None
    fresh: bool = False
    """Whether the verdicts of an earlier, unfinished run are not to be used."""

    @property
    def identity(self) -> dict[str, object]:
        """What the verdicts depend on."""
        return {
            name: value
            for name, value in asdict(self).items()
            if name not in {"jobs", "max_tests", "max_time", "fresh"}
        }

    def check(self) -> None:
        """Raise if a value makes no sense."""
        self.check_failure()
        if self.jobs < 1:
            raise InvalidOption(f"is {self.jobs}", option="jobs", hint="give 1 or more")
        for name in ("max_tests", "max_time"):
            value = getattr(self, name)
            if value is not None:
                number(name, value, least=0)
