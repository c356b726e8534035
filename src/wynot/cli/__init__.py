"""The command line: the parser, config files, and a module for each command.

It runs on the main thread. A command is imported when it is given.
"""
