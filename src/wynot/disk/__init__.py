"""What is read from and written to the user's disk: the case, the result, the journal, locks.

It runs in wynot's process; workers' threads write to the journal, the main thread the rest.
"""
