"""Inquiries: a folder for each, with what differs, how it is put in place, asked and told."""
