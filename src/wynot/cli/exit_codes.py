"""What the command ends with: one table, for the code, the help and the documentation."""

DONE, TEST, USAGE, BUDGET, FILES, RUNNER, BUG = 0, 1, 2, 3, 4, 5, 70
INTERRUPTED, TERMINATED = 130, 143

CODES = {
    DONE: "done: nothing more can be left out, or the target size is reached",
    TEST: "the test cannot be used: it is not interesting, always interesting, or unreliable",
    USAGE: "wrong usage: an unknown option, a missing file",
    BUDGET: "stopped by a budget, or by hand; the best case so far is in place",
    FILES: "a problem with files: unreadable, read-only, locked, disk full, changed meanwhile",
    RUNNER: "the tests can no longer be run",
    BUG: "an error in wynot itself; please report it",
    INTERRUPTED: "interrupted by Ctrl-C; the best case so far is in place",
    TERMINATED: "terminated by SIGTERM or SIGHUP; the best case so far is in place",
}

WATCH_CODES = {
    DONE: "the run has finished, or you have left it",
    USAGE: "there is no such run",
    BUDGET: "the run was stopped, or has crashed; the same command continues it",
    INTERRUPTED: "you have left it with Ctrl-C",
}
"""Those of `wynot watch`, which are about another's run."""

TABLE = "\n".join(f"  {code:<4} {what}" for code, what in CODES.items())
