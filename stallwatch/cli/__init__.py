"""The command line. Commands import what they need when they run, so `--help` and `replay` start fast."""

from stallwatch.cli.tree import app, main

__all__ = ["app", "main"]
