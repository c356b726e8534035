"""The one door to an in-process test: call it, and say what its answer means."""

from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from numbers import Number
from typing import Any, TypeAlias

from wynot.core.errors import BrokenRunner, BrokenTest, WynotError
from wynot.core.options.quantities import counted
from wynot.core.verdict import Verdict

RETURN = (
    "return True if the failure shows, False if it passes, None if you cannot tell, "
    "or a wynot.Verdict"
)

Answerer: TypeAlias = Callable[[Any], object]
"""A user's test: takes a list, returns True, False, None or a Verdict."""


@dataclass(frozen=True, slots=True)
class FunctionTest:
    """A test whose answers are verdicts. Can be sent to another process if the test can."""

    test: Answerer

    def __call__(self, rendered: object) -> Verdict:
        """Run the test and translate what it returns.

        What is true is interesting, as in any Python condition; but a number is refused, since it
        may be an exit status, where 0 would be the interesting one; so is what is no answer yet.
        """
        answer = self.test(rendered)
        if answer is None:
            return Verdict.UNRESOLVED
        if isinstance(answer, Verdict):
            return answer
        if not isinstance(answer, bool):
            _refuse_what_may_mean_anything(answer)
        return Verdict.INTERESTING if answer else Verdict.UNINTERESTING


def _refuse_what_may_mean_anything(answer: object) -> None:
    if isinstance(answer, Number):
        raise BrokenTest(f"the test returned the number {answer!r}", hint=RETURN)
    if isinstance(answer, Awaitable) or answer is NotImplemented:
        if isinstance(answer, Coroutine):
            answer.close()  # it will not be awaited, and that is no accident
        raise BrokenTest(f"the test returned {answer!r}, which is not an answer", hint=RETURN)


def broken(name: str, size: int, error: BaseException) -> BaseException:
    """Return what to raise for a test that raised this on a candidate of so many items."""
    if isinstance(error, KeyboardInterrupt):
        return error
    if isinstance(error, WynotError) and error.result is None:  # said in full already
        return error
    if isinstance(error, BrokenExecutor):
        gone = BrokenRunner(
            f"what runs the tests is gone: {error}",
            hint="a test may have ended its process; or the script that called has no "
            "`if __name__ == '__main__':`, which processes need",
        )
        gone.__cause__ = error
        return gone
    broken_test = BrokenTest(
        f"the test raised {error!r} on {name}, of {counted(size, 'item')}",
        hint="catch it in the test: return True if it is the failure, None if it is not",
    )
    broken_test.__cause__ = error
    return broken_test
