"""What is read from and written to the user's disk: the case, the result, the journal, the lock."""
