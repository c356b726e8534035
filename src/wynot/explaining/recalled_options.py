"""The options of a reduction, as its journal has them."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.errors import BrokenJournal, WynotError
from wynot.disk.journal import Journal

UNKNOWN_HINT = "reduce again with this version: wynot reduce --fresh …"


def recalled_options(journal: Journal) -> ReduceOptions:
    """Return what the reduction was asked to do; raise if that cannot be made out."""
    names = {each.name for each in fields(ReduceOptions)}
    try:
        given = json.loads(journal.fact("options") or "null")
        known: dict[str, Any] = {
            # A sequence that is not given is an empty tuple, which no list is equal to.
            name: tuple(value) if isinstance(value, list) else value
            for name, value in given.items()
            if name in names
        }
        return ReduceOptions(**known).validate()
    except (ValueError, TypeError, AttributeError, RecursionError, WynotError) as error:
        raise BrokenJournal(
            f"the journal {str(journal.path)!r} does not say what was run: {error}",
            hint=UNKNOWN_HINT,
        ) from error


def recalled_folder(journal: Journal) -> Path:
    """Return the folder that the reduction was started in; where the case is, if it is gone.

    Paths in the options are relative to it.
    """
    beside = journal.path.parent.parent
    folder = beside / (journal.fact("folder") or ".")
    return folder if folder.is_dir() else beside
