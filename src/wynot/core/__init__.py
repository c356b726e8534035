"""The nouns: what is reduced, what is asked, what is answered. Pure; imports nothing from above."""
