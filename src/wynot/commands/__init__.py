"""The options of all commands: a record for each command, a line for each option.

Pure.
"""
