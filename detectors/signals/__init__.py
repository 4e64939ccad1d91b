"""One file for each reason code: what it sees, what it ignores on purpose, its parameters."""
