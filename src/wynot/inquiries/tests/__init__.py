"""Tests that fail after others, or only without them."""
