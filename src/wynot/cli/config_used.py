"""The lines about config files; most runs have none, and start faster without importing this."""

import json
import sys

from wynot.cli.config import TRUSTED, Read, own_path
from wynot.core.events import Noticed
from wynot.core.foreign_text import for_shell, for_terminal
from wynot.disk.output import shown
from wynot.document.text_width import wrap
from wynot.reporters.outlet import Outlet
from wynot.reporters.reporter import notice


def tell(found: Read, *, briefly: bool) -> None:
    """Say where options come from, and which ones are not taken, before anything else is said.

    It goes to standard error: what a program reads from standard output is for it.
    """
    outlet, where = Outlet(sys.stderr), for_terminal(shown(found.file.path))
    if found.refused:
        outlet.say(*notice(Noticed("not-obeyed", _refusal(found)), outlet))
    if found.taken and not briefly:
        line = f"wynot: options from {where}: {', '.join(found.taken)}"
        outlet.say(*wrap(line, indent="       ", width=outlet.width))


def _refusal(found: Read) -> str:
    """Return which options are ignored, why, and the ways to have them."""
    file, names = found.file, ", ".join(f"--{name}" for name in found.refused)
    path = shown(file.path)
    lines = [
        f"{path} {file.distrust}: these options in it are ignored: {names}",
        f"to use them, give them on the command line, or give --config {for_shell(path)}",
    ]
    if (own := own_path()) is not None:
        # The quotes of JSON are those of TOML.
        folder = json.dumps(str(file.path.parent), ensure_ascii=False)
        lines.append(f"or trust the folder: write {TRUSTED} = [{folder}] into {own}")
    return "\n".join(lines)
