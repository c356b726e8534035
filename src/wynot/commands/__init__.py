"""The commands, and their options: a record for each command, a line for each option."""
