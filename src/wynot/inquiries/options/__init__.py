"""Which options of a command, and which variables, a failure needs or is prevented by."""
