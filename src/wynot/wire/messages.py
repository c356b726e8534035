"""What an agent and its client say to each other: from values to headers, and back.

The values are those of a sandbox, so that one does not notice that it is somewhere else.
"""

import os
from pathlib import Path
from typing import Any, NamedTuple, cast, get_args

from wynot.core.ending import Ending, LimitHit
from wynot.core.errors import BrokenRunner
from wynot.wire.file_edits import NotInStore
from wynot.wire.framing import Header, ProtocolFault, field, mapping, texts
from wynot.wire.run_request import Killed, Limits, RunRequest, Survivors

_DEFAULT_LIMITS = Limits()
_LIMIT_KINDS: dict[str, type | tuple[type, ...]] = {
    "timeout": (int, float),
    "memory": (int, type(None)),
    "is_test": bool,
    "warm_plan": str,
}
_CLIENT_LIMITS = {"note_start", "may_reuse_server"}
"""What an agent need not know."""


class NotPlaced(OSError):
    """A candidate cannot be put in place."""


class AgentFault(BrokenRunner):
    """Something went wrong in an agent that should not."""

    slug = "broken-runner"


class RunOrder(NamedTuple):
    """A request as it is sent to an agent."""

    number: int
    """That of the run, by which it can be killed."""
    folder: str
    """Where the candidate is, as far as the client knows: the request may name it."""
    request: RunRequest

    @property
    def header(self) -> Header:
        """The order as a header; what is default is left out."""
        request = self.request
        header: Header = {
            "do": "run",
            "number": self.number,
            "folder": self.folder,
            "argv": request.argv,
            "limits": _limits_header(request.limits),
        }
        if request.folder is not None:
            header["elsewhere"] = str(request.folder)
        if request.stdin is not None:
            header["stdin"] = request.stdin
        if request.capture:
            header["capture"] = True
        if request.env:
            header["env"] = dict(request.env)
        if request.question is not None:
            header["question"] = request.question
        if request.needs_new_server:
            header["new_server"] = True
        return header

    @classmethod
    def of(cls, header: Header, last: "RunOrder | None" = None) -> "RunOrder":
        """Return the order of a header, if it makes sense; it may repeat the last one."""
        number = field(header, "number", int)
        if field(header, "again", bool, default=False):
            if last is None:
                raise ProtocolFault("a request is repeated, and there was none")
            return last._replace(number=number)
        argv = texts(header, "argv")
        if not argv:
            raise ProtocolFault("a command without a program")
        env = mapping(header, "env", (str, type(None))) if "env" in header else None
        stdin, question, folder = (
            field(header, name, str) if name in header else None
            for name in ("stdin", "question", "elsewhere")
        )
        request = RunRequest(
            argv,
            _limits(field(header, "limits", dict, {})),
            stdin,
            field(header, "capture", bool, default=False),
            env,
            None if folder is None else Path(folder),
            question,
            field(header, "new_server", bool, default=False),
        )
        return cls(number, field(header, "folder", str), request)


def _limits_header(limits: Limits) -> Header:
    """Return the limits that are not the default ones, and that an agent needs to know."""
    return {
        name: str(value) if name == "warm_plan" else value
        for name, value, default in zip(Limits._fields, limits, _DEFAULT_LIMITS, strict=True)
        if value != default and name not in _CLIENT_LIMITS
    }


def _limits(header: Header) -> Limits:
    """Return limits; those that are not known are from a later version, and matter."""
    values: dict[str, Any] = {}
    for name, value in header.items():
        is_known = name in Limits._fields and name not in _CLIENT_LIMITS
        if name == "writable":
            values[name] = tuple(texts(header, name))
        elif is_known and isinstance(value, _LIMIT_KINDS.get(name, int)):
            values[name] = Path(str(value)) if name == "warm_plan" else value
        else:
            raise ProtocolFault(f"a limit {name!r:.100} of {value!r:.100}")
    return Limits(**values)


class Whereabouts(NamedTuple):
    """Where the folders of a sandbox are."""

    folder: Path
    private: Path
    stuck: Path | None

    @property
    def header(self) -> Header:
        """How it is header."""
        return {name: str(path) for name, path in self._asdict().items() if path is not None}

    @classmethod
    def of(cls, header: Header) -> "Whereabouts":
        """Return what is header."""
        stuck = Path(field(header, "stuck", str)) if "stuck" in header else None
        folder, private = (Path(field(header, name, str)) for name in ("folder", "private"))
        return cls(folder, private, stuck)


def ending_header(ending: Ending) -> Header:
    """Say how a program ended; what it has printed follows the header."""
    header: Header = {"status": ending.status, "seconds": ending.seconds}
    if ending.limit:
        header["limit"] = ending.limit
    if ending.stdout or ending.stderr:
        header["out"] = len(ending.stdout)
    if ending.is_warm:
        header["warm"] = True
    if ending.is_doubtful:
        header["doubtful"] = True
    return header


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
        header: Header = {"error": "placing" if placing else "system", "errno": error.errno or 0}
        header["message"] = error.strerror or str(error)
        if error.filename is not None:
            header["file"] = os.fsdecode(error.filename)
        return header
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
