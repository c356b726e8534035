"""Containers that are damaged: what can be read of them, and the rest as it is."""
