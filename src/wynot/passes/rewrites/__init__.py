"""Rewrites: each module looks at the forest for one kind of thing that could be said shorter."""
