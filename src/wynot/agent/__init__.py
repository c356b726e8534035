"""Runs inside an agent: a process that owns the folders and programs of one worker.

`host` is the process that agents are forked from, `serve` the single thread of an agent. It imports
`core`, `wire`, `machine` and `warm`, and nothing of wynot's own process. docs/design/agent.md says
why there are agents, and what happens when one is killed.

The folders of an agent, and who makes them:

    wynot-UID-MACHINE-RANDOM/  `RunFolder`: locked for as long as its owner lives
      0/                       `private` of a sandbox: what wynot keeps from case to case
        scratch/               `SandboxFolders`: all that a confined test can write
          case/                `MirroredFolder`: the files of the candidate
          tmp/                 `MirroredFolder`: TMPDIR of a run
          tmp-server/          TMPDIR of a server, for as long as it lives
      1/                       the second sandbox of the same agent
"""
