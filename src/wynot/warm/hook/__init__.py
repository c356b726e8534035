"""What an interpreter of the user's imports before a program begins, if it is told to look here."""
