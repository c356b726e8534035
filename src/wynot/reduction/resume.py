"""Which journal a run writes to: that of an earlier run that it goes on with, or a new one."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from wynot.core.errors import InvalidOption
from wynot.core.events import Event, Noticed
from wynot.core.files import Files
from wynot.disk.journal import Journal
from wynot.reduction.options import Options

NO_MATTER = {"out", "resume", "fresh", "target_size", "patience"}
"""Options that change when a run ends and where its result goes, but not what it finds."""

NO_MATTER_EITHER = {"jobs", "max_tests", "max_time", "observe", "workers"}
"""And those of the search."""


class Beginning(NamedTuple):
    """Where a run begins."""

    journal: Journal
    original: Files
    known: int
    """How many verdicts there are already."""
    backups: tuple[Path, ...]
    """Where an earlier run, that left the present files, has kept the first original."""


def begin(
    path: Path, options: Options, files: Files, observe: Callable[[Event], None]
) -> Beginning:
    """Open the journal of an unfinished run of the same command on the same files, or begin one."""
    print_ = fingerprint(options)
    earlier = None if options.fresh else Journal.open(path)
    backups: tuple[Path, ...] = ()
    if earlier is not None:
        original, state = earlier.original(), earlier.fact("state")
        digest = files.digest
        is_ours = digest in {original.digest, *(row.digest for row in earlier.steps())}
        is_done = state == "finished" and digest != original.digest
        backups = tuple(map(Path, json.loads(earlier.fact("backups") or "[]"))) if is_ours else ()
        if is_ours and not is_done and earlier.fact("fingerprint") == print_:
            return Beginning(earlier, original, earlier.count(), backups)
        earlier.close()
        _say_why_not(options, observe, is_ours=is_ours, is_done=is_done)
    elif options.resume:
        raise InvalidOption("there is nothing to resume", hint="leave --resume out to begin")
    facts = {"fingerprint": print_, "state": "running", "options": _readable(options)}
    return Beginning(Journal.create(path, files, facts), files, 0, backups)


def _say_why_not(
    options: Options, observe: Callable[[Event], None], *, is_ours: bool, is_done: bool
) -> None:
    if is_done:
        why = "the earlier run was finished"
    elif is_ours:
        why = "the earlier run was another command"
    else:
        why = "the file is not what the earlier run left"
    if options.resume:
        raise InvalidOption(
            f"there is nothing to resume: {why}", hint="leave --resume out to begin anew"
        )
    if not is_done:
        observe(Noticed("fresh", f"beginning anew: {why}; its journal is kept"))


def fingerprint(options: Options) -> str:
    """Return a key that is the same if a run would ask the same test the same questions."""
    known = json.loads(_readable(options))
    for name in NO_MATTER:
        known.pop(name, None)
    for name in NO_MATTER_EITHER:
        known["searching"].pop(name, None)
    if options.test:
        with suppress(OSError):
            known["script"] = sha256(Path(options.test).read_bytes()).hexdigest()
    return sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()


def _readable(options: Options) -> str:
    return json.dumps(asdict(options), default=lambda value: str(type(value).__name__))
