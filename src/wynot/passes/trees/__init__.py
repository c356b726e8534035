"""What is known of the trees of a case, and the passes that cut along them."""
