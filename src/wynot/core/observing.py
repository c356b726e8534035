"""Observers only watch: what goes wrong with one of them does not reach the run."""

from collections.abc import Callable
from typing import TypeAlias, TypeVar, TypeVarTuple

from wynot.core.errors import BrokenObserver
from wynot.core.events import Event

Observe: TypeAlias = Callable[[Event], None]
Args = TypeVarTuple("Args")
Result = TypeVar("Result")


class Observer:
    """Tells somebody what happens, until that raises for the first time.

    Any thread may call it: workers tell what they have run. Ctrl-C goes through, wherever it comes.
    """

    def __init__(self, observe: Observe) -> None:
        self._observe = observe
        self.error: Exception | None = None
        """What it has raised, to be handed on once the result of the run is safe."""

    def handle(self, event: Event) -> None:
        """Tell of an event."""
        self.attempt(self._observe, event)

    def attempt(self, call: Callable[[*Args], None], *args: *Args) -> None:
        """Let the observer do something, unless it has raised before."""
        if self.error is None:
            try:
                call(*args)
            except Exception as error:  # noqa: BLE001 - handed on at the end
                self.error = error

    def note(self, error: BaseException) -> None:
        """Say with another error that the observer raised too: that may be all that is shown."""
        if self.error is not None:
            error.add_note(f"before that, the observer raised {self.error!r}")


def observed(observe: Observe, run: Callable[[Observe], Result]) -> Result:
    """Return what a run returns that is observed; raise BrokenObserver with it if that went wrong.

    If the run raises too, that is what is raised, with a note.
    """
    observer = Observer(observe)
    try:
        result = run(observer.handle)
    except BaseException as error:
        observer.note(error)
        raise
    if observer.error is not None:
        raise BrokenObserver(
            f"the observer raised {observer.error!r}, and was told nothing more",
            hint="the run continued without it: its result is in .result",
            result=result,
        ) from observer.error
    return result
