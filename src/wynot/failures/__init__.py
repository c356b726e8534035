"""Recognises a failure: what it looks like, where it is, and which of many are one."""
