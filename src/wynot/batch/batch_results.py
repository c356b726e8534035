"""The folder of results: one folder for each cause, a page for people, files for CI."""

import json
import re
from pathlib import Path

from wynot.batch.batch_outcome import DUPLICATE, OPEN, BatchOutcome, GroupOutcome
from wynot.batch.batch_page import page
from wynot.batch.junit import junit
from wynot.batch.sarif import sarif
from wynot.disk.output import shown
from wynot.disk.write import write

MAX_NAME_CHARS = 48
FORMAT_VERSION = 1
"""That of results.json."""


class BatchResults:
    """Writes what is known; each file at once, so that half of one is never seen."""

    def __init__(self, out: Path) -> None:
        self._out = out

    @property
    def where(self) -> str:
        """Where the results are, for people."""
        return shown(self._out)

    def put(self, group: GroupOutcome) -> None:
        """Write the folder of a group, unless it is one with another."""
        if group.state in {DUPLICATE, OPEN}:
            return
        folder = self._out / folder_name(group)
        if group.file_name:
            write(folder / group.file_name, group.content)
        write(folder / "output.txt", group.output.encode("utf-8", "replace"))
        self._put_members(group, list(group.members))

    def _put_members(self, group: GroupOutcome, members: list[str]) -> None:
        told = {"failure": group.failure, "reduced_from": group.origin, "members": members}
        write(self._out / folder_name(group) / "group.json", _json(told))

    def write(self, whole: BatchOutcome) -> None:
        """Write the page, and the files for programs; duplicates are known by now."""
        for group in whole.causes:
            if group.state != OPEN and len(whole.members(group)) > len(group.members):
                self._put_members(group, whole.members(group))
        folders = {group.number: folder_name(group) for group in whole.causes}
        write(self._out / "results.json", _json(summary(whole, folders)))
        write(self._out / "index.html", page(whole, folders).encode("utf-8", "replace"))
        write(self._out / "junit.xml", junit(whole, folders).encode("utf-8", "replace"))
        write(self._out / "results.sarif", _json(sarif(whole, folders)))


def folder_name(group: GroupOutcome) -> str:
    """Return what the folder of a group is called: the same from run to run, and harmless."""
    said = "-".join(filter(None, (group.kind or "failure", *group.frames[:1])))
    plain = re.sub(r"[^A-Za-z0-9_.]+", "-", said).strip("-.")[:MAX_NAME_CHARS]
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
    return (json.dumps(value, indent=2) + "\n").encode()
