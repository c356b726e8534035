"""Why a run ended."""

from enum import StrEnum


class Stop(StrEnum):
    """The reasons, but for errors: of those it is the slug that takes this place.

    They are the words that results, events, journals and JSON have.
    """

    FINISHED = "finished"
    """It came to its end."""
    ALREADY_FINISHED = "already-finished"
    """An earlier run of the same command had come to its end."""
    MAX_TESTS = "max-tests"
    MAX_TIME = "max-time"
    TARGET_SIZE = "target-size"
    PATIENCE = "patience"
    INTERRUPTED = "interrupted"
    BY_HAND = "by-hand"
    """A person who watched it asked for the end."""
    TAUGHT = "taught"
    """Something was found out that changes what there is to ask about: it is asked anew."""

    __repr__ = str.__repr__  # a result shows it as the word that it is


COMPLETE_STOPS = frozenset({Stop.FINISHED, Stop.ALREADY_FINISHED, Stop.TARGET_SIZE})
"""Those after which nothing is left of what was asked for."""
