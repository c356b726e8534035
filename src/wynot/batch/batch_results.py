"""The folder of results, and what other tools read of it: JUnit and SARIF.

Files that a batch has not written itself are never written over. Those of an earlier batch that
this one does not write are removed: otherwise a cause whose name has changed would be there twice.
"""

import json
import os
import re
from contextlib import suppress
from hashlib import file_digest, sha256
from pathlib import Path

from wynot import __version__
from wynot.batch.batch_outcome import DUPLICATE, OPEN, BatchOutcome, GroupOutcome
from wynot.batch.batch_page import page
from wynot.core.errors import InvalidOption
from wynot.core.foreign_text import for_attribute, for_json, for_uri, for_xml, legible, legible_line
from wynot.core.standing import Stop
from wynot.core.system.beneath import open_beneath, parent_beneath
from wynot.core.system.folder_files import stays_inside
from wynot.disk.home import refuse_unsafe_home
from wynot.disk.load import OURS
from wynot.disk.output import shown
from wynot.disk.results import refuse_unwritable
from wynot.disk.write import write_beneath

MAX_OUTPUT_CHARS = 20_000
SUITE = "wynot batch"


def junit(whole: BatchOutcome, folders: dict[int, str]) -> str:
    """Return the whole file."""
    causes = whole.causes
    cases = "".join(_case(whole, group, folders) for group in causes)
    counts = (
        f'tests="{len(causes)}" failures="{len(causes)}" errors="0" skipped="0" '
        f'time="{whole.seconds:.3f}"'
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="{SUITE}" {counts}>\n'
        f'<testsuite name="{SUITE}" {counts}>\n{cases}</testsuite>\n</testsuites>\n'
    )


def _case(whole: BatchOutcome, group: GroupOutcome, folders: dict[int, str]) -> str:
    members = "\n".join(map(legible_line, whole.members(group)))
    origin = legible_line(group.origin)
    says = [
        f"reduced: {folders[group.number]}/{group.file_name}" if group.file_name else "",
        f"from: {origin}, {group.before:,} bytes; now {len(group.content):,} bytes",
        f"state: {group.state} {group.why}".rstrip(),
        "",
        group.output[-MAX_OUTPUT_CHARS:],
    ]
    return (
        f'<testcase classname="wynot.batch" name="{for_attribute(_name(group))}" '
        f'time="{group.seconds:.3f}">\n'
        f'<failure type="{for_attribute(group.kind or "failure")}" '
        f'message="{for_attribute(group.failure)}">'
        f"{for_xml(chr(10).join(says))}</failure>\n"
        f"<system-out>{for_xml(members)}</system-out>\n</testcase>\n"
    )


def _name(group: GroupOutcome) -> str:
    return f"{group.failure} [{group.key}]"


SCHEMA_ADDRESS = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "wynotFailure/v1"


def sarif(whole: BatchOutcome, folders: dict[int, str]) -> dict[str, object]:
    """Return the whole log as plain values."""
    kinds = sorted({_rule(group) for group in whole.causes})
    driver = {
        "name": "wynot",
        "version": __version__,
        "rules": [{"id": kind, "shortDescription": {"text": kind}} for kind in kinds],
    }
    return {
        "$schema": SCHEMA_ADDRESS,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "results": [_result(whole, group, folders, kinds) for group in whole.causes],
            }
        ],
    }


def _rule(group: GroupOutcome) -> str:
    return legible(group.kind or "failure")


def _result(
    whole: BatchOutcome, group: GroupOutcome, folders: dict[int, str], kinds: list[str]
) -> dict[str, object]:
    place = f"{folders[group.number]}/{group.file_name}" if group.file_name else ""
    members = whole.members(group)
    located = {"physicalLocation": {"artifactLocation": {"uri": for_uri(place)}}}
    return {
        "ruleId": _rule(group),
        "ruleIndex": kinds.index(_rule(group)),
        "level": "error",
        "message": {"text": f"{legible(group.failure)} ({len(members)} inputs)"},
        "locations": [located] if place else [],
        "occurrenceCount": len(members),
        "partialFingerprints": {FINGERPRINT: group.key},
        "properties": {
            "state": group.state,
            "reducedFrom": legible(group.origin),
            "before": group.before,
            "size": len(group.content),
            "frames": [legible(each) for each in group.frames],
        },
    }


BATCH_HOME = f"{OURS}/batch"
"""Where a batch keeps things, in the folder of its results."""
MAX_NAME_CHARS = 48
FORMAT_VERSION = 1
"""That of results.json."""


class BatchResults:
    """Writes what is known; each file at once, so that half of one is never seen."""

    def __init__(self, out: Path) -> None:
        """Take a folder that is not there yet, is empty, or was made by a batch; else raise."""
        refuse_unwritable(out)
        self._out = out
        self._list = out / BATCH_HOME / "written.json"
        refuse_unsafe_home(self._list.parent)
        if _is_foreign(out):
            raise InvalidOption(
                f"{shown(out)!r} has files that wynot batch has not written",
                hint="give another folder for the results: -o DIR",
            )
        self._before = self._listed()
        self._written: dict[str, str] = {}

    @property
    def where(self) -> str:
        """Where the results are, for people."""
        return shown(self._out)

    def put(self, group: GroupOutcome) -> None:
        """Write the folder of a group, unless it is a duplicate."""
        if group.state in {DUPLICATE, OPEN}:
            return
        folder = folder_name(group)
        if group.file_name:
            self._put(f"{folder}/{group.file_name}", group.content)
        self._put(f"{folder}/output.txt", group.output.encode("utf-8", "replace"))
        self._put_members(group, list(group.members))

    def _put_members(self, group: GroupOutcome, members: list[str]) -> None:
        summary = {"failure": group.failure, "reduced_from": group.origin, "members": members}
        self._put(f"{folder_name(group)}/group.json", _json(summary))

    def _put(self, name: str, content: bytes) -> None:
        """Write a file; the list of our files comes first, so that it never lacks one."""
        self._written[name] = sha256(content).hexdigest()
        self._write_list({**self._before, **self._written})
        write_beneath(self._out, name, content)

    def _write_list(self, written: dict[str, str]) -> None:
        write_beneath(self._out, f"{BATCH_HOME}/{self._list.name}", _json(written))

    def _listed(self) -> dict[str, str]:
        """Return what an earlier batch has written, and its digests."""
        with suppress(OSError, ValueError):
            found = json.loads(self._list.read_bytes())
            if isinstance(found, dict):
                return {
                    name: digest
                    for name, digest in found.items()
                    if stays_inside(name) and isinstance(digest, str)
                }
        return {}

    def _sweep(self) -> None:
        """Remove what an earlier batch has written, and nobody has changed since."""
        for name in self._before.keys() - self._written.keys():
            with suppress(OSError), parent_beneath(self._out, name) as (folder, last):
                if _digest(last, folder) == self._before[name]:
                    os.unlink(last, dir_fd=folder)
                    self._remove_empty(name.rpartition("/")[0])
        self._before = {}
        self._write_list(self._written)

    def _remove_empty(self, name: str) -> None:
        """Remove the folder of a group, unless there is something else in it."""
        with parent_beneath(self._out, name) as (parent, last):
            os.rmdir(last, dir_fd=parent)

    def write(self, whole: BatchOutcome) -> None:
        """Write the page, and the files for programs; duplicates are known by now."""
        for group in whole.causes:
            if group.state != OPEN and len(whole.members(group)) > len(group.members):
                self._put_members(group, whole.members(group))
        folders = {group.number: folder_name(group) for group in whole.causes}
        self._put("results.json", _json(summary(whole, folders)))
        self._put("index.html", page(whole, folders).encode("utf-8", "replace"))
        self._put("junit.xml", junit(whole, folders).encode("utf-8", "replace"))
        self._put("results.sarif", _json(sarif(whole, folders)))
        if whole.stopped == Stop.FINISHED:
            self._sweep()


def _is_foreign(out: Path) -> bool:
    """Tell whether others keep files there; a batch that was killed at once has left only ours."""
    if not out.is_dir() or (out / BATCH_HOME).is_dir():
        return False
    return any(each.name != OURS for each in out.iterdir())


def _digest(name: str, folder: int) -> str:
    """Return the digest of a file in an open folder; raise if it is a link or a folder."""
    with os.fdopen(open_beneath(folder, name, os.O_RDONLY | os.O_NONBLOCK), "rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def folder_name(group: GroupOutcome) -> str:
    """Return what the folder of a group is called: the same from run to run, and harmless."""
    kind = "-".join(filter(None, (group.kind or "failure", *group.frames[:1])))
    plain = re.sub(r"[^A-Za-z0-9_.]+", "-", kind).strip("-.")[:MAX_NAME_CHARS]
    return f"{plain}-{group.key}" if plain else group.key


def summary(whole: BatchOutcome, folders: dict[int, str]) -> dict[str, object]:
    """Return all of it as plain values."""
    return {
        "version": FORMAT_VERSION,
        "folder": whole.folder,
        "command": whole.command,
        "stopped": whole.stopped,
        "inputs": whole.inputs,
        "tests": whole.tests,
        "runs": whole.runs,
        "shared": whole.shared,
        "seconds": round(whole.seconds, 3),
        "groups": [_group(whole, group, folders) for group in whole.groups],
        "passing": list(whole.passing),
        "rejected": list(whole.rejected),
        "hanging": list(whole.hanging),
        "skipped": [{"name": name, "why": why} for name, why in whole.skipped],
    }


def _group(whole: BatchOutcome, group: GroupOutcome, folders: dict[int, str]) -> dict[str, object]:
    is_there = group.state not in {DUPLICATE, OPEN} and group.file_name
    reduced = f"{folders[group.number]}/{group.file_name}" if is_there else None
    return {
        "number": group.number,
        "state": group.state,
        "failure": group.failure,
        "kind": group.kind,
        "frames": list(group.frames),
        "same_as": group.same_as or None,
        "why": group.why,
        "reduced": reduced,
        "reduced_from": group.origin,
        "before": group.before,
        "size": len(group.content),
        "tests": group.tests,
        "seconds": round(group.seconds, 3),
        "members": list(group.members),
        "all_members": whole.members(group) if group.state != DUPLICATE else [],
        "inputs": [each._asdict() for each in group.inputs],
    }


def _json(value: object) -> bytes:
    return (for_json(value, indent=2) + "\n").encode()
