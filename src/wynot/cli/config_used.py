"""What is said about a config file; most runs have none, and do without importing this."""

import sys
from shlex import quote

from wynot.cli.config import Read
from wynot.core.events import Noticed
from wynot.core.foreign_text import for_terminal
from wynot.disk.output import shown
from wynot.reporters.notice import notice
from wynot.reporters.outlet import Outlet
from wynot.reporters.words import wrap


def tell(found: Read, *, briefly: bool) -> None:
    """Say where options come from, and which ones are not taken, before anything else is said.

    It goes to standard error: what a program reads from standard output is for it.
    """
    outlet, where = Outlet(sys.stderr), for_terminal(shown(found.path))
    if found.refused:
        message = (
            f"{where} {found.why}: these options in it are ignored: {', '.join(found.refused)}; "
            f"if you trust it, give --config {quote(shown(found.path))}"
        )
        outlet.say(*notice(Noticed("not-obeyed", message), outlet))
    if found.taken and not briefly:
        line = f"wynot: options from {where}: {', '.join(found.taken)}"
        outlet.say(*wrap(line, indent="       ", width=outlet.width))
