"""The final newline of a text: what all other passes leave out, and nobody wants to be without.

It is put back when all else is done, in one test for all files; so a result can be printed, put
into a report and compared by lines. What is then one byte longer is so on purpose.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from wynot.core.events import LINE_ENDS
from wynot.core.files import Files
from wynot.core.rewrites import Patch, Rewrite, RewritesCase
from wynot.formats.format import is_text
from wynot.passes.reduction_pass import Cut, Keep
from wynot.passes.rewrite_structure import RewriteStructure
from wynot.search.largest import LargestFirst
from wynot.search.lessons import NO_LESSONS, Lessons


def last_line_ends(original: Files, *, always: bool = False) -> dict[str, bytes]:
    """Return what each text of the original ends with; or, if it always is to have one, might."""
    ends = {}
    for path, content in original.contents.items():
        if is_text(content) and (always or content.endswith(b"\n")):
            ends[path] = b"\r\n" if content.endswith(b"\r\n") else b"\n"
    return ends


@dataclass(frozen=True, slots=True)
class EndLines:
    """Put the final newline back, in all texts that had one: to do so is a part."""

    ends: Mapping[str, bytes]
    """What each text is to end with."""
    name: str = LINE_ENDS
    proves: str = ""

    def cut(self, files: Files, _keep: Keep, _lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each text without a final newline as a part; what is empty stays empty."""
        found = [
            Rewrite("final newline", (Patch(path, len(content), len(content), self.ends[path]),))
            for path, content in files.contents.items()
            if path in self.ends and content and is_text(content) and not content.endswith(b"\n")
        ]
        return Cut(RewritesCase(files, found), search=LargestFirst(RewriteStructure(files, found)))
