"""Small simulated worlds that agents work in: each answer follows from a state."""
