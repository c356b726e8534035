"""The groups of a batch as JUnit's XML, which every CI reads: each cause is a test that fails."""

from wynot.batch.batch_outcome import BatchOutcome, GroupOutcome
from wynot.core.foreign_text import for_attribute, for_xml, legible_line

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
