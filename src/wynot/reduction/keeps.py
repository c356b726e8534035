"""What the user wants kept: everything in the original that matches must still match.

And of packages that were copied into the case so much that the installed ones are not used instead.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from wynot.core.candidate import Candidate
from wynot.core.case import Case
from wynot.core.files import Files
from wynot.passes.merging.script_imports import PACKAGE_FOLDER


@dataclass(slots=True)
class Keeps:
    """Tells whether a candidate still has all that is to be kept.

    That no part which holds a match is left out is not enough: what is beside it can be what makes
    it one, as the line ends beside ``^word$`` do.
    """

    patterns: Sequence[re.Pattern[bytes]]
    original: Files
    packages: Sequence[str] = ()
    """Names of packages that are part of the case as long as they are imported."""
    _wanted: "list[Counter[bytes]]" = field(init=False)

    def __post_init__(self) -> None:
        self._wanted = [_matches(pattern, self.original) for pattern in self.patterns]

    def lacks(self, case: Case[Files], candidate: Candidate) -> bool:
        """Tell whether a candidate lacks any of it."""
        wants = self.patterns or self.packages
        return bool(wants) and not self.are_in(case.render(candidate))

    def are_in(self, files: Files) -> bool:
        """Tell whether these files have every match that the original has."""
        return all(
            wanted <= _matches(pattern, files)
            for pattern, wanted in zip(self.patterns, self._wanted, strict=True)
        ) and not any(_is_missed(package, files) for package in self.packages)


def imports_of(package: str) -> re.Pattern[bytes]:
    """Return what finds the imports of a package."""
    name = re.escape(package).encode()
    return re.compile(rb"(?:import|from|require)\b[^\n]{,200}(?<![\w.])" + name + rb"\b")


def _is_missed(package: str, files: Files) -> bool:
    """Tell whether a package is imported from outside of the case."""
    own = (f"/{package}.py", f"/{package}/__init__.py")
    folder = f"/{PACKAGE_FOLDER}/{package}/"
    if any(f"/{path}".endswith(own) or folder in f"/{path}" for path in files.contents):
        return False
    return any(map(imports_of(package).search, files.contents.values()))


def _matches(pattern: re.Pattern[bytes], files: Files) -> "Counter[bytes]":
    return Counter(
        match[0] for content in files.contents.values() for match in pattern.finditer(content)
    )
