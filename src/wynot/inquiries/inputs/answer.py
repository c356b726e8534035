"""What is told of two inputs that hardly differ."""

from typing import NamedTuple

from wynot.core.events import Shown
from wynot.core.files import Files
from wynot.inquiries.worded import Worded


class IsolatedInputs(NamedTuple):
    """Two sides that hardly differ, and of what it is proved that none can change sides."""

    passing: Files
    failing: Files
    left: int
    granularity: str
    minimal: str


def worded(name: str, isolated: IsolatedInputs, patch: bytes) -> Worded:
    """Word what is left of the difference."""
    passing, failing = isolated.passing.contents, isolated.failing.contents
    pairs = tuple(
        (path, passing.get(path, b""), failing.get(path, b""))
        for path in dict.fromkeys([*passing, *failing])
        if passing.get(path, b"") != failing.get(path, b"")
    )
    left, right = {*passing, *isolated.passing.links}, {*failing, *isolated.failing.links}
    parts = isolated.granularity if isolated.left != 1 else isolated.granularity.removesuffix("s")
    what = f"{isolated.left:,} {parts}" if pairs else "what files there are"
    return Worded(
        f"{name}: one side passes, the other fails, and they differ in {what}",
        tuple(
            Shown(f"{path} is only on the {'failing' if path in right else 'passing'} side")
            for path in sorted(left ^ right)
        ),
        {
            "granularity": isolated.granularity,
            "left": isolated.left,
            "patch": patch.decode("utf-8", "surrogateescape"),
        },
        pairs=pairs,
    )


def unfinished(name: str, smallest: Files) -> Worded:
    """Word that nothing was found that passes, before something has ended the search for it."""
    return Worded(
        f"{name}: nothing was found so far that passes; {smallest.size:,} bytes of it still fail",
        (),
        {"granularity": "bytes", "left": smallest.size, "patch": ""},
    )
