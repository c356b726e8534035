"""A folder that shows the failure without wynot.

Whoever gets it needs no wynot: ``reproduce.sh`` copies the case to a folder of its own, runs there
what the reduction has run, and compares how that ends.
"""

import re
import signal
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from wynot.core.errors import InvalidOption, Unreadable
from wynot.core.foreign_text import encoded, for_script_line
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.disk.load import load, targets
from wynot.document.explanation_blocks import lines_of, title_of
from wynot.report.issue_text import IssueFacts, issue_text
from wynot.report.story import Story

SCRIPT_MODE = 0o755
FILE_MODE = 0o644
READ_BITS = 0o444

HEAD = """\
#!/bin/sh
# Exits with 0 if the failure shows, with 1 if it does not.
here=$(cd "$(dirname "$0")" && pwd) || exit 2
there=$(mktemp -d) || exit 2
trap 'rm -rf "$there"' EXIT
cp -R "$here/case/." "$there" && cd "$there" || exit 2
"""
TAIL = """\
status=$?
if [ "$status" {operator} {expected} ]; then
    echo "the failure shows (exit status $status)"
    exit 0
fi
echo "the failure does not show (exit status $status{words})"
exit 1
"""


class AttachedFile(NamedTuple):
    """A file of the folder."""

    content: bytes
    mode: int = FILE_MODE
    source: str = ""
    """Where it is a copy from, if it is not part of the case."""


def reproduction(story: Story, journal: Journal, version: str) -> dict[str, AttachedFile]:
    """Return the files of the folder by their paths."""
    made = {
        f"case/{path}": AttachedFile(content, story.result.modes.get(path, FILE_MODE))
        for path, content in story.result.contents.items()
    }
    names = _names(story)
    ending = _ending(story, journal)
    run, own = _run(story, names, journal)
    made |= own
    for path in _strings(story, "fixed"):
        made |= _copies(_found(path, journal))
    is_script = bool(story.options.get("test") or story.options.get("shell"))
    expected = _expected(ending, is_script=is_script, invert=bool(story.options.get("invert")))
    text = f"{HEAD}{run}\n{TAIL.format(**expected)}"
    made["reproduce.sh"] = AttachedFile(encoded(text), SCRIPT_MODE)
    facts = IssueFacts(
        *(version, names, run, "" if is_script else ending, story.seen),
        explanation=_explanation(story),
    )
    made["ISSUE.md"] = AttachedFile(issue_text(story, facts).encode("utf-8", "replace"))
    return made


def _copies(path: Path) -> dict[str, AttachedFile]:
    """Return the files that a test finds beside the case, with the permissions that they have."""
    [target] = targets([str(path)])
    beside = load([target])
    return {
        f"case/{name}": AttachedFile(
            content,
            beside.modes.get(name, FILE_MODE),
            str(path) + name.removeprefix(target.name),
        )
        for name, content in beside.contents.items()
    }


def _explanation(story: Story) -> list[str]:
    """Return why it fails, in lines, if that was found out."""
    found = story.explanation
    return [] if found is None else [title_of(found), *(line.text for line in lines_of(found))]


def _names(story: Story) -> list[str]:
    """Return the files or folders that were reduced, as they are called in the folder."""
    return list(dict.fromkeys(path.partition("/")[0] for path in story.original.contents))


def _run(
    story: Story, names: Sequence[str], journal: Journal
) -> tuple[str, dict[str, AttachedFile]]:
    """Return the line that runs the test, and the files that it is made of."""
    options = story.options
    paths = [f"./{name}" for name in names]
    if (shell := options.get("shell")) and isinstance(shell, str):
        return for_script_line(["sh", "-c", shell, "sh", *paths]), {}
    if (test := options.get("test")) and isinstance(test, str):
        path = _found(test, journal)
        try:
            content, mode = path.read_bytes(), stat.S_IMODE(path.stat().st_mode)
        except OSError as error:
            raise Unreadable(
                f"the test {str(path)!r} cannot be read: {error.strerror}",
                hint="put it back, or go to the folder that wynot reduce was run in",
            ) from error
        name = Path(test).name
        line = f'"$here"/{for_script_line([name, *paths])}'
        # Whoever may read it may run it.
        return line, {name: AttachedFile(content, mode | (mode & READ_BITS) >> 2, str(path))}
    if command := _strings(story, "command"):
        filled = [
            word
            for each in command
            for word in (paths if each in {"{}", "@@"} else [each.replace("{}", paths[0])])
        ]
        recorded = filled if filled != command else [*command, *paths]
        return for_script_line(recorded), {}
    raise InvalidOption(
        "the reduction was done with --serve, of which no folder can be made",
        hint="reduce with a script or a command",
    )


def _ending(story: Story, journal: Journal) -> str:
    """Return how the test of the result ended, in words."""
    wanted = story.result.digest, Verdict.INTERESTING
    found = [each.how for each in journal.verdicts() if (each.digest, each.verdict) == wanted]
    return found[-1] if found else ""


def _expected(ending: str, *, is_script: bool, invert: bool) -> dict[str, object]:
    """Return what the status is compared with."""
    if is_script:
        return {"operator": "-ne" if invert else "-eq", "expected": 0, "words": ""}
    if found := re.fullmatch(r"exit status (\d+)", ending):
        return {"operator": "-eq", "expected": int(found[1]), "words": f", not {found[1]}"}
    if found := re.match(r"killed by (SIG\w+)", ending):
        with suppress(KeyError):
            number = 128 + signal.Signals[found[1]]
            return {"operator": "-eq", "expected": number, "words": f", not {number}, {found[1]}"}
    return {"operator": "-ne", "expected": 0, "words": ""}


def _strings(story: Story, name: str) -> list[str]:
    found = story.options.get(name)
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []


def _found(path: str, journal: Journal) -> Path:
    """Return where a file is that was named when the reduction began, perhaps in its folder."""
    beside = journal.path.parent.parent / path
    return beside if beside.exists() and not Path(path).exists() else Path(path)
