"""Changes of a program, as deltas: commits, files, hunks, lines."""
