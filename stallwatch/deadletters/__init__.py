"""Input that could not be used: listed, and sent again."""
