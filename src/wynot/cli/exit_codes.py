"""What the command ends with: one table, for the code, the help and the documentation."""

DONE, TEST, USAGE, BUDGET, FILES, RUNNER, BUG = 0, 1, 2, 3, 4, 5, 70
INTERRUPTED, TERMINATED = 130, 143

CODES = {
    DONE: "done: nothing more can be left out, or it is as small as was asked for",
    TEST: "the test is no good: not interesting, always interesting, unreliable",
    USAGE: "wrong use: an unknown option, a file that is not there",
    BUDGET: "stopped by a budget; the best case so far is in place",
    FILES: "files are in the way: unreadable, read-only, locked, disk full, changed meanwhile",
    RUNNER: "the tests cannot be run any more",
    BUG: "an error in wynot itself; please report it",
    INTERRUPTED: "interrupted by Ctrl-C; the best case so far is in place",
    TERMINATED: "terminated by SIGTERM or SIGHUP; the best case so far is in place",
}

TABLE = "\n".join(f"  {code:<4} {what}" for code, what in CODES.items())
