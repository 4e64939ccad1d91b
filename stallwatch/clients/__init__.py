"""Publishing steps and obeying commands: what an agent's host and an orchestrator import."""
