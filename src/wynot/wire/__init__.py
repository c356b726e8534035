"""What an agent and its client share: frames, messages, and the values in them.

It runs at both ends, in wynot's process and in an agent's, and imports `core` only.
"""
