"""Class files of Java as texts: what they hold by name, and code that fits together."""
