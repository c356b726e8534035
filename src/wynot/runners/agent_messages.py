"""What an agent and its client say to each other: from values to headers, and back.

The values are those of a sandbox, so that one does not notice that it is somewhere else.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast, get_args

from wynot.core.ending import Ending, LimitHit
from wynot.core.errors import BrokenRunner
from wynot.runners.agent_protocol import Header, ProtocolFault, field, mapping, texts
from wynot.runners.child import Limits
from wynot.runners.kill_switch import Killed
from wynot.runners.machine_store import NotInStore
from wynot.runners.reaper import Survivors

_USUAL_LIMITS = Limits()
_LIMIT_KINDS: dict[str, type | tuple[type, ...]] = {
    "timeout": (int, float),
    "memory": (int, type(None)),
    "is_test": bool,
    "warm": str,
}


class NotPlaced(OSError):
    """A candidate cannot be put in place."""


class AgentFault(BrokenRunner):
    """Something went wrong in an agent that should not."""

    slug = "broken-runner"


class RunOrder(NamedTuple):
    """A command to be run."""

    number: int
    """That of the run, by which it can be killed."""
    argv: Sequence[str]
    limits: Limits
    folder: str
    """Where, as far as the client knows."""
    is_elsewhere: bool = False
    """Whether that is not the folder of the candidate."""
    stdin: str | None = None
    capture: bool = False
    env: Mapping[str, str | None] | None = None
    question: str | None = None
    """What a server is asked, which the command starts if there is none."""
    is_fresh: bool = False
    """Whether it has to be a new one."""

    @property
    def header(self) -> Header:
        """How it is said; what is usual is left out."""
        said: Header = {
            "do": "run",
            "number": self.number,
            "argv": self.argv,
            "folder": self.folder,
            "limits": {
                name: value
                for name, value, usual in zip(
                    Limits._fields, self.limits, _USUAL_LIMITS, strict=True
                )
                if value != usual and name != "note_start"
            },
        }
        if self.is_elsewhere:
            said["elsewhere"] = True
        if self.stdin is not None:
            said["stdin"] = self.stdin
        if self.capture:
            said["capture"] = True
        if self.env:
            said["env"] = dict(self.env)
        if self.question is not None:
            said["question"] = self.question
        if self.is_fresh:
            said["fresh"] = True
        return said

    @property
    def is_quick_to_start(self) -> bool:
        """Whether nothing has to be waited for before it runs."""
        return self.question is None and not self.limits.warm

    @classmethod
    def of(cls, header: Header, last: "RunOrder | None" = None) -> "RunOrder":
        """Return what is said, if it makes sense; it may be the same as was said last."""
        if field(header, "again", bool, default=False):
            if last is None:
                raise ProtocolFault("what was never asked is asked again")
            return last._replace(number=field(header, "number", int))
        argv = texts(header, "argv")
        if not argv:
            raise ProtocolFault("a command without a program")
        env = mapping(header, "env", (str, type(None))) if "env" in header else None
        stdin, question = (
            field(header, name, str) if name in header else None for name in ("stdin", "question")
        )
        return cls(
            field(header, "number", int),
            argv,
            _limits(field(header, "limits", dict, {})),
            field(header, "folder", str),
            field(header, "elsewhere", bool, default=False),
            stdin,
            field(header, "capture", bool, default=False),
            env,
            question,
            field(header, "fresh", bool, default=False),
        )


def _limits(said: Header) -> Limits:
    """Return limits; those that are not known are from a later version, and matter."""
    given: dict[str, Any] = {}
    for name, value in said.items():
        if name == "writable":
            given[name] = tuple(texts(said, name))
            continue
        is_known = name in Limits._fields and name != "note_start"
        if not is_known or not isinstance(value, _LIMIT_KINDS.get(name, int)):
            raise ProtocolFault(f"a limit {name!r:.100} of {value!r:.100}")
        given[name] = value
    return Limits(**given)


class Whereabouts(NamedTuple):
    """Where the folders of a sandbox are."""

    folder: Path
    private: Path
    stuck: Path | None

    @property
    def header(self) -> Header:
        """How it is said."""
        return {name: str(path) for name, path in self._asdict().items() if path is not None}

    @classmethod
    def of(cls, header: Header) -> "Whereabouts":
        """Return what is said."""
        stuck = Path(field(header, "stuck", str)) if "stuck" in header else None
        folder, private = (Path(field(header, name, str)) for name in ("folder", "private"))
        return cls(folder, private, stuck)


def ending_header(ending: Ending) -> Header:
    """Say how a program ended; what it has printed follows the header."""
    said: Header = {"status": ending.status, "seconds": ending.seconds}
    if ending.limit:
        said["limit"] = ending.limit
    if ending.stdout or ending.stderr:
        said["out"] = len(ending.stdout)
    if ending.is_warm:
        said["warm"] = True
    if ending.is_doubtful:
        said["doubtful"] = True
    return said


def ending_of(header: Header, body: bytes) -> Ending:
    """Return how a program ended."""
    limit = field(header, "limit", str, "")
    seconds = header.get("seconds")
    if limit not in get_args(LimitHit) or not isinstance(seconds, (int, float)):
        raise ProtocolFault(f"an ending that is none: {header!r:.200}")
    out = field(header, "out", int, 0)
    status = field(header, "status", int)
    is_warm, is_doubtful = (
        field(header, name, bool, default=False) for name in ("warm", "doubtful")
    )
    outputs = body[:out], body[out:]
    return Ending(status, seconds, cast("LimitHit", limit), *outputs, is_warm, is_doubtful)


def failure_header(error: BaseException, *, placing: bool = False) -> Header:
    """Say why a command could not be run, or why it has no ending; raise it if there is no memory.

    An agent that lacks memory ends, and another one takes its place. A module that cannot be
    imported is a sign of it: all of them could when the agent began.
    """
    if isinstance(error, MemoryError | ImportError):
        raise error
    if isinstance(error, Killed):
        return {"error": "killed"}
    if isinstance(error, Survivors):
        return {"error": "survivors", "message": str(error)}
    if isinstance(error, OSError):
        said: Header = {"error": "placing" if placing else "system", "errno": error.errno or 0}
        said["message"] = error.strerror or str(error)
        if error.filename is not None:
            said["file"] = os.fsdecode(error.filename)
        return said
    if isinstance(error, NotInStore):
        return {"error": "lacking"}
    if isinstance(error, ValueError):
        return {"error": "value", "message": str(error)}
    return {"error": "fault", "message": repr(error)}


def failure_of(header: Header) -> Exception:
    """Return what is to be raised for a failure."""
    kind, message = header["error"], field(header, "message", str, "")
    if kind == "killed":
        return Killed()
    if kind == "lacking":
        return NotInStore()
    if kind == "survivors":
        return Survivors(message)
    if kind in {"placing", "system"}:
        number = field(header, "errno", int)
        name = field(header, "file", str) if "file" in header else None
        return (NotPlaced if kind == "placing" else OSError)(number, message, name)
    if kind == "value":
        return ValueError(message)
    return AgentFault(
        f"what runs the tests has failed: {message}",
        hint="run the same command again: what was found so far is kept; if it happens again, "
        "that is a defect of wynot",
    )
