"""What tells people and programs how a reduction goes; they see events, and nothing else."""
