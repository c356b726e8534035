"""What a batch has come to: plain records, for the files of results."""

from typing import NamedTuple

from wynot.core.standing import COMPLETE_STOPS

REDUCED, STOPPED, DUPLICATE, UNUSABLE, OPEN = (
    "reduced",
    "stopped",
    "duplicate",
    "unusable",
    "open",
)
"""What becomes of a group; open: its turn has not come."""


class InputOutcome(NamedTuple):
    """What became of one input that was reduced."""

    name: str
    digest: str
    stopped: str
    """Why its reduction ended: a `Stop`, or the slug of an error."""
    before: int
    size: int
    tests: int
    seconds: float
    minimal: tuple[str, ...] = ()
    why: str = ""
    """Why it could not be reduced."""

    @property
    def is_complete(self) -> bool:
        """Whether there is nothing left to do."""
        return self.stopped in COMPLETE_STOPS

    @property
    def row(self) -> list[object]:
        """All of it, for the journal."""
        return [*self]

    @classmethod
    def recalled(cls, row: object) -> "InputOutcome | None":
        """Return what the journal has; None if it has nothing that makes sense."""
        match row:
            case [str(a), str(b), str(c), int(d), int(e), int(f), seconds, list(g), str(why)]:
                if isinstance(seconds, int | float):
                    return cls(a, b, c, d, e, f, seconds, tuple(map(str, g)), why)
        return None


class GroupOutcome(NamedTuple):
    """What became of a group."""

    number: int
    key: str
    """Some digits that stay the same from run to run."""
    kind: str
    """What sort of failure it is."""
    failure: str
    """The failure in one line."""
    frames: tuple[str, ...]
    members: tuple[str, ...]
    """The names of the inputs, the most promising first."""
    state: str = OPEN
    inputs: tuple[InputOutcome, ...] = ()
    """Those that were reduced; the smallest result first."""
    content: bytes = b""
    """The reduced case; that of the smallest input if there is none."""
    file_name: str = ""
    """What it is called in the folder of the group."""
    output: str = ""
    """What the program prints for it."""
    folder: str = ""
    """Where the group is, in the folder of the results."""
    same_as: int = 0
    """The number of the group that it is a duplicate of."""
    why: str = ""
    """Why it was stopped, or cannot be reduced."""

    @property
    def origin(self) -> str:
        """The input that the result was made from."""
        return self.inputs[0].name if self.inputs else self.members[0]

    @property
    def before(self) -> int:
        """Bytes of that input."""
        return self.inputs[0].before if self.inputs else len(self.content)

    @property
    def tests(self) -> int:
        """Tests that all its reductions took."""
        return sum(each.tests for each in self.inputs)

    @property
    def seconds(self) -> float:
        """How long they took."""
        return sum(each.seconds for each in self.inputs)


class BatchOutcome(NamedTuple):
    """What became of a folder."""

    folder: str
    command: str
    """What was run, as it could be typed."""
    groups: tuple[GroupOutcome, ...]
    passing: tuple[str, ...]
    rejected: tuple[str, ...]
    hanging: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]
    """Names of what was not run, and why not."""
    inputs: int
    tests: int
    shared: int
    seconds: float
    stopped: str
    runs: int = 0
    """Starts of the command."""
    checks: int = 0
    repeated: int = 0

    @property
    def causes(self) -> list[GroupOutcome]:
        """The groups that are no duplicates."""
        return [group for group in self.groups if group.state != DUPLICATE]

    def members(self, group: GroupOutcome) -> list[str]:
        """Return the inputs of a group, and of those that are duplicates of it."""
        same = [each for each in self.groups if each.same_as == group.number]
        return [*group.members, *(name for each in same for name in each.members)]
