"""Java's class files as texts: what they hold by name, and code that fits together."""
