"""The command: one module for each thing it does."""
