"""The groups of a batch as SARIF 2.1.0, which code hosts show beside the code."""

from wynot import __version__
from wynot.batch.batch_outcome import BatchOutcome, GroupOutcome
from wynot.core.foreign_text import for_uri, legible

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
