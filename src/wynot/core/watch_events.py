"""What is told of a run that is another process's, by one who reads its journal."""

from typing import NamedTuple


class StandingRead(NamedTuple):
    """Where the run stands, as it has written that down."""

    row: object
    """As JSON has it: `Standing.row`; it may be anything."""
