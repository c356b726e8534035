"""Containers: files that hold others, with sizes and checksums that have to be right."""
