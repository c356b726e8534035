"""Inputs in groups that fail in the same way, apart from those that do not fail."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from wynot.batch.first_runs import FirstRun, failure_class
from wynot.commands.batch_options import BatchOptions
from wynot.core.errors import NotInteresting, Unreadable
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.failures.failure_class import FailureClass


class FailingGroup(NamedTuple):
    """Inputs that fail in the same way, the most promising first: the smallest, the quickest."""

    failure: FailureClass
    members: tuple[FirstRun, ...]

    @property
    def distinct(self) -> list[FirstRun]:
        """The members, without those of equal content."""
        return list({each.digest: each for each in reversed(self.members)}.values())[::-1]


class Sorted(NamedTuple):
    """All inputs of a folder, by what their first runs have shown."""

    groups: tuple[FailingGroup, ...]
    passing: tuple[FirstRun, ...]
    rejected: tuple[FirstRun, ...]
    """Those that end with an ordinary error, where others crash."""
    hanging: tuple[FirstRun, ...]
    missing: tuple[FirstRun, ...]

    @property
    def failing(self) -> int:
        """How many inputs are in groups."""
        return sum(len(group.members) for group in self.groups)

    @property
    def is_read(self) -> bool:
        """Whether it matters what an input contains."""
        return len(self.groups) + bool(self.passing) + bool(self.rejected) > 1


def sorted_inputs(options: BatchOptions, seen: Iterable[FirstRun]) -> Sorted:
    """Return the groups, those that promise to be quick first, and all that is in none."""
    failing: list[tuple[FirstRun, FailureClass]] = []
    passing: list[FirstRun] = []
    hanging: list[FirstRun] = []
    missing: list[FirstRun] = []
    for each in sorted(seen, key=_promise):
        if each.result is None:
            missing.append(each)
        elif each.ending.limit and not options.hangs:
            hanging.append(each)
        elif (shown := _failure(options, each)) is None:
            passing.append(each)
        else:
            failing.append((each, shown))
    rejected = _rejected(options, failing)
    crashes = [(each, shown) for each, shown in failing if each not in rejected]
    return Sorted(_grouped(crashes), *map(tuple, (passing, rejected, hanging, missing)))


def require_failing(found: Sorted) -> None:
    """Raise if there is nothing to reduce, and say what the inputs do instead."""
    if found.groups:
        return
    counts = {
        "not fail": found.passing,
        "not end in time": found.hanging,
    }
    does = " and ".join(f"{len(seen)} do {what}" for what, seen in counts.items() if seen)
    if not does:
        raise Unreadable(
            f"none of the inputs was run; {found.missing[0].source.name!r}: {found.missing[0].why}",
            hint="check their permissions, and --max-time",
        )
    first = (*found.passing, *found.hanging)[0]
    hint = "run the command on one of them by hand; is it the build that the fuzzer has run?"
    if not found.passing:
        hint = "if the failure is that they hang, give --hangs; else more time, --timeout"
    raise NotInteresting(
        f"none of the inputs fails: {does}; {first.source.name!r} ended with "
        f"{first.ending.description}{first.ending.tail}",
        hint=hint,
    )


def _promise(first_run: FirstRun) -> tuple[int, str]:
    """Return the key by which inputs are sorted. Time is not part of it, since it varies."""
    return first_run.source.size, first_run.source.name


def _failure(options: BatchOptions, first_run: FirstRun) -> FailureClass | None:
    """Return what an input fails with; None if it does not."""
    shown = failure_class(options, _reader(first_run), first_run.ending)
    result = first_run.result
    if options.is_learned:
        return shown if shown.seen.status or shown.seen.kind else None
    return shown if result is not None and result.verdict is Verdict.INTERESTING else None


def _reader(first_run: FirstRun) -> Callable[[], Files]:
    def read() -> Files:
        try:
            return first_run.source.files()
        except OSError:  # gone since
            return Files({})

    return read


def _rejected(
    options: BatchOptions, failing: Sequence[tuple[FirstRun, FailureClass]]
) -> list[FirstRun]:
    """Return the inputs that a program merely complains about, if it crashes on others.

    A fuzzer's folder has crashes; what a newer build refuses with a message has been fixed.
    """
    if not options.is_learned or options.same:
        return []
    plain = [each for each, shown in failing if shown.seen.status > 0 and not shown.seen.kind]
    return plain if len(plain) < len(failing) else []


def _grouped(failing: Sequence[tuple[FirstRun, FailureClass]]) -> tuple[FailingGroup, ...]:
    """Return the groups; each failure goes to the first group that it is like."""
    groups: list[tuple[FailureClass, list[FirstRun]]] = []
    for first_run, shown in failing:
        found = next((members for failure, members in groups if failure.holds(shown)), None)
        if found is None:
            groups.append((shown, [first_run]))
        else:
            found.append(first_run)
    return tuple(FailingGroup(failure, tuple(members)) for failure, members in groups)
