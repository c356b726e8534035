"""What is known of each language, as rows of tables."""
