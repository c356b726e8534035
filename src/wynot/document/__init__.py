"""What people read: sentences that several readers get, and texts in columns of a terminal.

It runs on the thread that reports, and imports nothing but `core`.
"""
