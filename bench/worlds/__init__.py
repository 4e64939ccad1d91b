"""Small simulated worlds that agents work in: each answer follows from a state, so that work and stalls look like it."""
