"""Where things are kept that belong to no file of the user's."""

import os
from pathlib import Path


def state_folder() -> Path:
    """Return the folder for what an unfinished run has paid for, as the XDG convention has it."""
    given = os.environ.get("XDG_STATE_HOME", "")
    base = Path(given) if given.startswith("/") else Path.home() / ".local" / "state"
    return base / "wynot"
