"""Inputs: what differs between a file or folder that passes and one that fails."""
