"""Run tests: here, in threads, in processes; later elsewhere."""
