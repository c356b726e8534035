"""The environment in which an interpreter finds our hook, and is told what to do.

The hook puts everything back before it does anything else.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

HOOK = Path(__file__).parent / "hook"
HASH_SEED = "1"
"""All copies of a process have the same one. So that the workers do not differ, it is the same for
all of them, unless the user has chosen one."""


def hook_variables(environ: Mapping[str, str], what: str, plan: str = "") -> dict[str, str]:
    """Return the variables that are added to an environment; ``what`` is for the hook."""
    before = environ.get("PYTHONPATH")
    added = {
        "PYTHONPATH": f"{HOOK}:{before}" if before else str(HOOK),
        "WYNOT_WARM_PYTHONPATH": _kept(before),
        "WYNOT_WARM": what,
    }
    if plan:
        added["WYNOT_WARM_PLAN"] = plan
    seed = environ.get("PYTHONHASHSEED")
    if seed in {None, "", "random"}:
        added |= {"PYTHONHASHSEED": HASH_SEED, "WYNOT_WARM_SEED": _kept(seed)}
    return added


def hooked(environ: Sequence[bytes], what: str, plan: str) -> list[bytes]:
    """Return an environment with these variables, as lines of ``NAME=value``."""
    lines = dict(line.split(b"=", 1) for line in environ)
    known = {os.fsdecode(name): os.fsdecode(value) for name, value in lines.items()}
    added = hook_variables(known, what, plan)
    lines |= {os.fsencode(name): os.fsencode(value) for name, value in added.items()}
    return [b"%s=%s" % each for each in lines.items()]


def _kept(value: str | None) -> str:
    """Return how a value is handed on, or that there is none."""
    return "-" if value is None else f"={value}"
