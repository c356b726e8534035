"""Large sources: their units, who needs which, and what to leave out before trees are cut."""
