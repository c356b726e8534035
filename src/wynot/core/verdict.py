"""What a test says of a candidate (Zeller & Hildebrandt 2002, §2.3: fail, pass, unresolved)."""

from enum import Enum


class Verdict(Enum):
    """The three outcomes of a test.

    The papers' *fail* is the field's *interesting*: the failure that is being tracked shows.
    """

    INTERESTING = "interesting"
    UNINTERESTING = "uninteresting"
    UNRESOLVED = "unresolved"

    # Verdicts are compared and looked up for every candidate; Enum's own hash goes through the
    # member's name in Python code, the identity one does not.
    __hash__ = object.__hash__
