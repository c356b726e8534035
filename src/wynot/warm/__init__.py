"""Python programs that begin with their modules loaded: forked from a process that has them.

`job.warming` records a plan in wynot's process, `copies` follows it in an agent's, and `hook` runs
in the user's interpreter, whatever its version: it imports nothing of wynot. The rest imports
`core`, `wire` and `machine`.
"""
