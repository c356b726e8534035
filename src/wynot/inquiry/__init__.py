"""An inquiry: which circumstances make it fail, which would make it pass."""
